"""Checks in the background, at most twice a minute, whether the model answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from intaglio.embedding.runner import EmbeddingRunner
from intaglio.memory.operations import ChangeContext

_FRESH_S: Final = 30.0
# It runs on this machine, and a request would load it; its files and its use show its state.
_BUILT_IN: Final = "onnx"


@dataclass(frozen=True, slots=True)
class ProviderState:
    """The result of the last check; ``error`` is empty if the model works."""

    available: bool
    error: str
    at: str


@dataclass(slots=True, kw_only=True)
class ProviderCheck:
    """Remembers the last result; ``later`` runs the check in the background."""

    embed: EmbeddingRunner
    context: ChangeContext
    monotonic_s: Callable[[], float]
    later: Callable[[Awaitable[None]], None]
    _asked: object = None
    _error: str = ""
    _asked_s: float = 0.0
    _at: str = ""

    def current_state(self) -> ProviderState:
        """Return the current result, and start a new check if it is old."""
        embedder = self.embed.embedder
        is_new = embedder is not self._asked
        if is_new or self.monotonic_s() - self._asked_s > _FRESH_S:
            self._asked, self._asked_s, self._at = embedder, self.monotonic_s(), self.context.now
            self._error = "" if is_new else self._error
            if self.embed.is_on and embedder.identity.provider != _BUILT_IN:
                self.later(self._ask(embedder))
        state = embedder.state
        broken = state.detail if state.phase in ("damaged", "failing", "closed") else ""
        error = broken or self.embed.trouble or self._error
        return ProviderState(not error and self.embed.is_on, error, self._at)

    async def _ask(self, asked: object) -> None:
        error = await self.embed.check()
        if asked is self._asked:
            self._error, self._at = error, self.context.now
