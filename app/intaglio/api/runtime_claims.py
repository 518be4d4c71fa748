"""Which of two integrations of one harness serves a session: the first one that names itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import ConflictError

_LIFE_S: Final = 4 * 3600.0
_MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Claim:
    path: str
    until: float


class RuntimeClaims:
    """Claims of sessions by runtime path (plugin or legacy), for four hours from the last call."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._claims: dict[str, _Claim] = {}

    def claim(self, key: str | None, path: str | None) -> None:
        """Take the session for a path; raises ConflictError when the other one has it."""
        if key is None or path is None:
            return
        self.check(key, path)
        # The oldest gives way: a claim that is lost costs a session nothing but its exclusiveness.
        self._claims.pop(key, None)
        while len(self._claims) >= _MOST:
            del self._claims[next(iter(self._claims))]
        self._claims[key] = _Claim(path, self._monotonic_s() + _LIFE_S)

    def check(self, key: str | None, path: str | None) -> None:
        """Let a call in the midst of a session through, and renew its claim.

        Raises ConflictError when the other path has the session. A call that names no path never
        conflicts.
        """
        if key is None or path is None:
            return
        held = self._claims.get(key)
        now = self._monotonic_s()
        if held is None or held.until <= now:
            self._claims.pop(key, None)
            return
        if held.path != path:
            raise ConflictError(f"session claimed by {held.path} path")
        self._claims[key] = _Claim(path, now + _LIFE_S)

    def release(self, key: str | None) -> None:
        """Give the session up."""
        if key is not None:
            self._claims.pop(key, None)
