"""When the last hook of each harness arrived since the daemon started."""

from dataclasses import dataclass, field

from intaglio.base.clock import Clock, iso
from intaglio.base.events import Changed, Publish


@dataclass(frozen=True, slots=True)
class HookActivity:
    """Notes hooks as they arrive and announces each one; nothing is written.

    Only ``known`` harnesses are noted: a client may call itself anything.
    """

    clock: Clock
    publish: Publish
    known: frozenset[str]
    _last: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, harness: str) -> None:
        """Note that a hook of a harness has just been answered."""
        if harness in self.known:
            self._last[harness] = iso(self.clock())
            self.publish(Changed("harnesses", "updated", (harness,)))

    def last(self, harness: str) -> str | None:
        """Return when the last hook arrived; None if none did since the start."""
        return self._last.get(harness)
