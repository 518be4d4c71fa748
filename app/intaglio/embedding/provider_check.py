"""Whether the wanted model answers: asked at most twice a minute, and nobody waits for it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from intaglio.embedding.runner import EmbeddingRunner
from intaglio.memory.operations import ChangeContext

_FRESH_S: Final = 30.0
# It is on this machine, and being asked would load it: how it is, is seen in its files and use.
_BUILT_IN: Final = "onnx"


@dataclass(frozen=True, slots=True)
class ProviderState:
    """How the model was when it was looked at last; ``error`` is empty while it is well."""

    available: bool
    error: str
    at: str


@dataclass(slots=True, kw_only=True)
class ProviderCheck:
    """Remembers the last answer; ``later`` takes what goes on after the caller has his."""

    embed: EmbeddingRunner
    context: ChangeContext
    monotonic_s: Callable[[], float]
    later: Callable[[Awaitable[None]], None]
    _asked: object = None
    _error: str = ""
    _asked_s: float = 0.0
    _at: str = ""

    def look(self) -> ProviderState:
        """Return what is known now, and have the model asked when that is old."""
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
