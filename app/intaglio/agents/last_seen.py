"""Records when agents were last seen; written in batches, never during a request."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from intaglio.agents import operations
from intaglio.base.clock import Clock, iso
from intaglio.store.tx import WriteTx

AGAIN_AFTER: Final = timedelta(minutes=1)
_MOST_KEPT: Final = 1_000


@dataclass(slots=True)
class LastSeen:
    """The agents that requests named, and when each was last written."""

    clock: Clock
    _heard: dict[str, datetime] = field(default_factory=dict[str, datetime])
    _written: dict[str, datetime] = field(default_factory=dict[str, datetime])

    def note(self, agent_id: str) -> None:
        """Record an agent; one that was written within the last minute is skipped."""
        now = self.clock()
        last = self._written.get(agent_id)
        if last is not None and now - last < AGAIN_AFTER:
            return
        if agent_id in self._heard or len(self._heard) < _MOST_KEPT:
            self._heard[agent_id] = now

    def take(self) -> dict[str, datetime]:
        """Return what has to be written; it counts as written."""
        taken, self._heard = self._heard, {}
        if len(self._written) > _MOST_KEPT:
            self._written.clear()
        self._written.update(taken)
        return taken

    def give_back(self, taken: dict[str, datetime]) -> None:
        """Return what couldn't be written, for the next attempt."""
        self._heard = taken | self._heard
        for agent_id in taken:
            self._written.pop(agent_id, None)


def write(tx: WriteTx, taken: dict[str, datetime]) -> None:
    """Write when these agents were last seen; unknown ones are added."""
    for agent_id, at in taken.items():
        operations.record_seen(tx, agent_id, iso(at))
