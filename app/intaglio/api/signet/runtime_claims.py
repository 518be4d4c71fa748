"""Lets only one of a harness's two integrations serve a session: the first one to claim it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import ConflictError

_LIFE_S: Final = 4 * 3600.0
_MAX_ITEMS: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Claim:
    path: str
    until: float


class RuntimeClaims:
    """Session claims by runtime path (plugin or legacy), valid four hours after the last call."""

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self._claims: dict[str, _Claim] = {}

    def claim(self, key: str | None, path: str | None) -> None:
        """Claim the session for a path; raises ConflictError if the other path has it."""
        if key is None or path is None:
            return
        self.check(key, path)
        # Drop the oldest: a session without a claim only loses its exclusivity.
        self._claims.pop(key, None)
        while len(self._claims) >= _MAX_ITEMS:
            del self._claims[next(iter(self._claims))]
        self._claims[key] = _Claim(path, self._monotonic_s() + _LIFE_S)

    def check(self, key: str | None, path: str | None) -> None:
        """Check a call within a session and renew its claim.

        Raises ConflictError if the other path has the session. A call without a path never
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
            raise ConflictError(
                f"session claimed by {held.path} path",
                hint="Disable one of the two integrations of this agent.",
            )
        self._claims[key] = _Claim(path, now + _LIFE_S)

    def release(self, key: str | None) -> None:
        """Release the session's claim."""
        if key is not None:
            self._claims.pop(key, None)
