"""Records when each harness's last hook arrived since the daemon started."""

from dataclasses import dataclass, field

from intaglio.base.clock import Clock, iso
from intaglio.base.events import Changed, Publish


@dataclass(frozen=True, slots=True)
class HookActivity:
    """Records hooks in memory as they arrive and publishes a change event for each.

    Only ``known`` harnesses are recorded: a client may send any name.
    """

    clock: Clock
    publish: Publish
    known: frozenset[str]
    _last: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, harness: str) -> None:
        """Record that a harness's hook has just been handled."""
        if harness in self.known:
            self._last[harness] = iso(self.clock())
            self.publish(Changed("harnesses", "updated", (harness,)))

    def last(self, harness: str) -> str | None:
        """Return when the last hook arrived, or None if none has since the start."""
        return self._last.get(harness)
