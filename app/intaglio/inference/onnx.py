"""The included model as an embedder: checked and loaded on first use, unloaded when idle."""

import asyncio
import gc
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from intaglio.base.process.threads import assert_outside_tx
from intaglio.inference.malloc_tuning import return_memory
from intaglio.inference.manifest import Manifest, damage, read_manifest
from intaglio.inference.ports import (
    Embedded,
    Embedder,
    EmbedderState,
    EmbedFailure,
    MemoryVector,
    ModelIdentity,
    NotEmbedded,
    QuestionVector,
    TextInContext,
)

if TYPE_CHECKING:
    from intaglio.inference.runtime import Runtime

_SETTLE_S = 2.0
_USABLE = ("ready", "idle")
_UNKNOWN = Manifest(
    name="unknown", dimensions=0, max_tokens=0, quantisation="", vectors="", former="", sha256={}
)
_HINT = "Reinstall Intaglio; until then, recall uses keywords only."


A = TypeVar("A", str, TextInContext)
T = TypeVar("T")
_Run: TypeAlias = Callable[["Runtime"], Callable[[A], T]]
"""Chooses what a loaded model computes of one input."""


class _Refused(Exception):  # noqa: N818 - it never leaves this module
    """The model can't be loaded; carries the reason."""

    def __init__(self, reason: EmbedFailure, detail: str) -> None:
        super().__init__(detail)
        self.failure = NotEmbedded(reason, detail)


class OnnxEmbedder:
    """Embeds on the CPU, in at most ``threads`` threads of its own.

    Belongs to one event loop. After ``idle_s`` seconds without use, the model is unloaded.
    """

    def __init__(self, folder: Path, *, idle_s: float = 600, threads: int = 2) -> None:
        self._folder = folder
        self._idle_s = idle_s
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="intaglio-model")
        self._loading = threading.Lock()
        self._runtime: Runtime | None = None
        self._failure: NotEmbedded | None = None
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        found = read_manifest(folder)
        self._manifest = found if isinstance(found, Manifest) else _UNKNOWN
        if isinstance(found, str):
            self._failure = NotEmbedded("damaged", found)

    @property
    def identity(self) -> ModelIdentity:
        """Identify the included model by the vectors that it computes."""
        manifest = self._manifest
        return ModelIdentity("onnx", manifest.name, manifest.vectors, manifest.dimensions)

    @property
    def file_sum(self) -> str:
        """The SHA-256 of the included model's file, which a trained classifier depends on."""
        return self._manifest.sha256.get("model.onnx", "")

    @property
    def state(self) -> EmbedderState:
        """Return whether the model is loaded, or why it can't be."""
        match self._failure:
            case None:
                return EmbedderState("ready" if self._runtime else "idle")
            case NotEmbedded("damaged", detail):
                return EmbedderState("damaged", f"The model is damaged: {detail}. {_HINT}")
            case NotEmbedded("closed", detail):
                return EmbedderState("closed", detail)
            case NotEmbedded(_, detail):
                return EmbedderState("failing", detail)

    @property
    def former_identity(self) -> ModelIdentity:
        """Identify the vectors of texts without context, which ``embed`` computes."""
        manifest = self._manifest
        return ModelIdentity("onnx", manifest.name, manifest.former, manifest.dimensions)

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        """Embed one text after the other, so that a question never waits behind a long list."""
        found = await self._each(lambda runtime: runtime.vector, texts, timeout_s)
        return found if isinstance(found, NotEmbedded) else Embedded(found)

    async def embed_clauses(
        self, texts: Sequence[str], *, timeout_s: float
    ) -> Embedded | NotEmbedded:
        """Return the vectors that the capture classifier needs; see `Runtime.clause_vector`."""
        found = await self._each(lambda runtime: runtime.clause_vector, texts, timeout_s)
        return found if isinstance(found, NotEmbedded) else Embedded(found)

    async def embed_memories(
        self, texts: Sequence[TextInContext], *, timeout_s: float
    ) -> tuple[MemoryVector, ...] | NotEmbedded:
        """Embed one memory after the other, each with the texts before it."""
        return await self._each(lambda runtime: runtime.memory, texts, timeout_s)

    async def embed_question(self, text: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        """Embed a question with its token states."""
        found = await self._each(lambda runtime: runtime.question, [text], timeout_s)
        return found if isinstance(found, NotEmbedded) else found[0]

    async def _each(
        self, run: "_Run[A, T]", inputs: Sequence[A], timeout_s: float
    ) -> tuple[T, ...] | NotEmbedded:
        assert_outside_tx()
        self._begin()
        try:
            async with asyncio.timeout(timeout_s):
                # Short texts first: if the deadline cuts the list off, most of it is done.
                order = sorted(range(len(inputs)), key=lambda index: _chars(inputs[index]))
                found: dict[int, T] = {}
                for index in order:
                    found[index] = await self._in_pool(run, inputs[index])
            return tuple(found[index] for index in range(len(inputs)))
        except TimeoutError:
            return NotEmbedded("timeout", f"not finished within {timeout_s:g} s")
        except _Refused as refused:
            return refused.failure
        finally:
            self._end()

    async def load(self) -> NotEmbedded | None:
        """Load the model before the first question; return why that failed, if it did."""
        outcome = await self.embed([""], timeout_s=60)
        return outcome if isinstance(outcome, NotEmbedded) else None

    async def close(self) -> None:
        """Unload the model and stop its threads, after finishing each caller's current text."""
        self._failure = NotEmbedded("closed", "Intaglio is stopping")
        self._disarm()
        await asyncio.to_thread(self._pool.shutdown)
        self._runtime = None

    async def _in_pool(self, run: "_Run[A, T]", each: A) -> T:
        if self._failure is not None:
            raise _Refused(self._failure.reason, self._failure.detail)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._run, run, each)

    def _run(self, run: "_Run[A, T]", each: A) -> T:
        runtime = self._loaded()
        try:
            return run(runtime)(each)
        except RuntimeError as error:
            raise _Refused("refused", f"the model failed: {error}") from error

    def _loaded(self) -> "Runtime":
        """Return the model, loading it on first use; runs on the model's threads."""
        with self._loading:
            if self._failure is not None:
                raise _Refused(self._failure.reason, self._failure.detail)
            if self._runtime is None:
                try:
                    self._runtime = self._load()
                except _Refused as refused:
                    self._failure = refused.failure
                    raise
            return self._runtime

    def _load(self) -> "Runtime":
        wrong = damage(self._folder, self._manifest)
        if wrong:
            raise _Refused("damaged", wrong)
        try:
            from intaglio.inference.runtime import Runtime  # noqa: PLC0415 - not at start

            return Runtime(self._folder, self._manifest.max_tokens)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise _Refused("unusable", f"the model can't be loaded: {error}") from error

    def _begin(self) -> None:
        self._users += 1
        self._disarm()

    def _end(self) -> None:
        self._users -= 1
        if self._users == 0 and self._failure is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(_SETTLE_S, self._idle_s), self._settle)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _settle(self) -> None:
        """After a pause, return the memory that runs left behind, and start the idle timer."""
        self._timer = asyncio.get_running_loop().call_later(self._idle_s, self._expire)
        self._pool.submit(self._trim)

    def _expire(self) -> None:
        """Unload on the pool's threads: freeing takes milliseconds."""
        self._timer = None
        self._pool.submit(self._unload)

    def _trim(self) -> None:
        if self._runtime is not None:
            self._runtime.return_memory()

    def _unload(self) -> None:
        with self._loading:
            if self._runtime is None:
                return
            # Cached questions keep the table, but not the memory of its rows.
            self._runtime.return_memory()
            self._runtime = None
        gc.collect()
        return_memory()


class FormerOnnxEmbedder:
    """The included model for a store whose vectors were made without context.

    Answers questions until all memories have new vectors. It has no token states, since those
    vectors have no word pieces beside them. ``included`` returns the embedder that has the model
    now, so that the model is loaded only once.
    """

    def __init__(self, included: Callable[[], OnnxEmbedder]) -> None:
        self._included = included

    @property
    def identity(self) -> ModelIdentity:
        """Identify the vectors of texts without context."""
        return self._included().former_identity

    @property
    def state(self) -> EmbedderState:
        """Return the state of the model."""
        return self._included().state

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        """Embed texts without context."""
        return await self._included().embed(texts, timeout_s=timeout_s)

    async def close(self) -> None:
        """Do nothing, because the other embedder is closed by its owner."""


def _chars(each: str | TextInContext) -> int:
    return len(each.text if isinstance(each, TextInContext) else each)


def usable_model(embedder: Embedder) -> str:
    """Return what identifies the vectors of the included model.

    Empty if another one is configured, or if it can't run.
    """
    is_usable = isinstance(embedder, OnnxEmbedder) and embedder.state.phase in _USABLE
    return embedder.identity.sha256 if is_usable else ""
