"""The included model as an embedder: checked and loaded on first use, unloaded when idle."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from intaglio.base.installed_by import how_to_reinstall
from intaglio.inference.loaded_model import LoadedModel, ModelRefusedError
from intaglio.inference.manifest import MODEL_FILE, Manifest, damage, read_manifest
from intaglio.inference.ports import (
    Embedded,
    Embedder,
    EmbedderState,
    MemoryVector,
    ModelIdentity,
    NotEmbedded,
    QuestionVector,
    TextInContext,
)

if TYPE_CHECKING:
    from intaglio.inference.runtime import Runtime

_USABLE: Final = ("ready", "idle")
_UNKNOWN: Final = Manifest(
    name="unknown", dimensions=0, max_tokens=0, quantisation="", vectors="", former="", sha256={}
)

A = TypeVar("A", str, TextInContext)
T = TypeVar("T")


class OnnxEmbedder:
    """Embeds on the CPU, in at most ``threads`` threads of its own.

    Belongs to one event loop. After ``idle_s`` seconds without use, the model is unloaded.
    """

    def __init__(self, folder: Path, *, idle_s: float = 600, threads: int = 2) -> None:
        self._folder = folder
        found = read_manifest(folder)
        self._manifest = found if isinstance(found, Manifest) else _UNKNOWN
        self._loaded = LoadedModel(self._load, idle_s=idle_s, threads=threads)
        if isinstance(found, str):
            self._loaded.failure = NotEmbedded("damaged", found)

    @property
    def identity(self) -> ModelIdentity:
        """Identify the included model by the vectors that it computes."""
        manifest = self._manifest
        return ModelIdentity("onnx", manifest.name, manifest.vectors, manifest.dimensions)

    @property
    def file_sum(self) -> str:
        """The SHA-256 of the included model's file, which a trained classifier depends on."""
        return self._manifest.sha256.get(MODEL_FILE, "")

    @property
    def state(self) -> EmbedderState:
        """Return whether the model is loaded, or why it can't be."""
        match self._loaded.failure:
            case None:
                return EmbedderState("ready" if self._loaded.is_loaded else "idle")
            case NotEmbedded("damaged", detail):
                text = f"The included model can't be used: {detail}. {how_to_reinstall()}."
                return EmbedderState("damaged", text)
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

    async def load(self) -> NotEmbedded | None:
        """Load the model before the first question; return why that failed, if it did."""
        outcome = await self.embed([""], timeout_s=60)
        return outcome if isinstance(outcome, NotEmbedded) else None

    async def close(self) -> None:
        """Unload the model and stop its threads, after finishing each caller's current text."""
        await self._loaded.close()

    async def _each(
        self, run: "Callable[[Runtime], Callable[[A], T]]", inputs: Sequence[A], timeout_s: float
    ) -> tuple[T, ...] | NotEmbedded:
        return await self._loaded.each(run, inputs, timeout_s, _chars)

    def _load(self) -> "Runtime":
        wrong = damage(self._folder, self._manifest)
        if wrong:
            raise ModelRefusedError("damaged", wrong)
        try:
            from intaglio.inference.runtime import Runtime  # noqa: PLC0415 - not at start

            return Runtime(self._folder, self._manifest.max_tokens)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise ModelRefusedError("unusable", f"the model can't be loaded: {error}") from error


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
