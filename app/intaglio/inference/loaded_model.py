"""A model that is loaded on first use, computes in threads of its own, unloaded when idle."""

import asyncio
import gc
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from intaglio.base.process.threads import assert_outside_tx
from intaglio.inference.malloc_tuning import return_memory
from intaglio.inference.ports import EmbedFailure, NotEmbedded

_SETTLE_S = 2.0


class Loaded(Protocol):
    """A model in memory."""

    def return_memory(self) -> None:
        """Return memory that runs left behind."""
        ...


A = TypeVar("A")
T = TypeVar("T")
M = TypeVar("M", bound=Loaded)


class ModelRefusedError(Exception):
    """A model can't be loaded, or failed; carries the reason."""

    def __init__(self, reason: EmbedFailure, detail: str) -> None:
        super().__init__(detail)
        self.failure = NotEmbedded(reason, detail)


class LoadedModel(Generic[M]):
    """Computes with a model in at most ``threads`` threads of its own.

    ``load`` runs in one of them, and raises `ModelRefusedError` for what lasts: then the model
    stays unusable. Belongs to one event loop. After ``idle_s`` seconds without use, it is unloaded.
    """

    def __init__(self, load: Callable[[], M], *, idle_s: float, threads: int) -> None:
        self._load = load
        self._idle_s = idle_s
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="intaglio-model")
        self._loading = threading.Lock()
        self._model: M | None = None
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        self.failure: NotEmbedded | None = None
        """Why it can't be used until the daemon restarts, if so."""

    @property
    def is_loaded(self) -> bool:
        """Whether it is in memory."""
        return self._model is not None

    async def each(
        self,
        run: Callable[[M], Callable[[A], T]],
        inputs: Sequence[A],
        timeout_s: float,
        size: Callable[[A], int],
    ) -> tuple[T, ...] | NotEmbedded:
        """Compute one input after the other, so that none waits behind a long list of others'.

        All, or none if it fails or takes longer than ``timeout_s``. Raises RuntimeError inside a
        write transaction.
        """
        assert_outside_tx()
        self._begin()
        try:
            async with asyncio.timeout(timeout_s):
                # Short ones first: if the deadline cuts the list off, most of it is done.
                order = sorted(range(len(inputs)), key=lambda index: size(inputs[index]))
                found: dict[int, T] = {}
                for index in order:
                    found[index] = await self._in_pool(run, inputs[index])
            return tuple(found[index] for index in range(len(inputs)))
        except TimeoutError:
            return NotEmbedded("timeout", f"not finished within {timeout_s:g} s")
        except ModelRefusedError as refused:
            return refused.failure
        finally:
            self._end()

    async def close(self) -> None:
        """Unload the model and stop its threads, after finishing each caller's current input."""
        self.failure = NotEmbedded("closed", "Intaglio is stopping")
        self._disarm()
        await asyncio.to_thread(self._pool.shutdown)
        self._model = None

    async def _in_pool(self, run: Callable[[M], Callable[[A], T]], each: A) -> T:
        if self.failure is not None:
            raise ModelRefusedError(self.failure.reason, self.failure.detail)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._run, run, each)

    def _run(self, run: Callable[[M], Callable[[A], T]], each: A) -> T:
        model = self._loaded()
        try:
            return run(model)(each)
        except RuntimeError as error:
            raise ModelRefusedError("refused", f"the model failed: {error}") from error

    def _loaded(self) -> M:
        """Return the model, loading it on first use; runs on the model's threads."""
        with self._loading:
            if self.failure is not None:
                raise ModelRefusedError(self.failure.reason, self.failure.detail)
            if self._model is None:
                try:
                    self._model = self._load()
                except ModelRefusedError as refused:
                    self.failure = refused.failure
                    raise
            return self._model

    def _begin(self) -> None:
        self._users += 1
        self._disarm()

    def _end(self) -> None:
        self._users -= 1
        if self._users == 0 and self.failure is None:
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
        # Another thread may unload it meanwhile.
        model = self._model
        if model is not None:
            model.return_memory()

    def _unload(self) -> None:
        with self._loading:
            if self._model is None:
                return
            # What callers keep of it may keep files mapped, but not the memory of what was read.
            self._model.return_memory()
            self._model = None
        gc.collect()
        return_memory()
