"""Records each harness's last event since the daemon started."""

from dataclasses import dataclass, field

from intaglio.base.clock import Clock, iso
from intaglio.base.events import Changed, Publish
from intaglio.domain.hooks import HookEventKind
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionStart,
    SubagentStart,
    SubagentStop,
    ToolUse,
    TurnEnd,
)


@dataclass(frozen=True, slots=True)
class LastEvent:
    """An event's kind, and when it arrived."""

    kind: HookEventKind
    at: str


@dataclass(frozen=True, slots=True)
class HookActivity:
    """Records events in memory as they arrive and publishes a change for each.

    Only ``known`` harnesses are recorded: a client may send any name.
    """

    clock: Clock
    publish: Publish
    known: frozenset[str]
    _last: dict[str, LastEvent] = field(default_factory=dict[str, LastEvent])

    def note(self, harness: str, kind: HookEventKind) -> None:
        """Record that a harness's event has just been handled."""
        if harness in self.known:
            self._last[harness] = LastEvent(kind, iso(self.clock()))
            self.publish(Changed("harnesses", "updated", (harness,)))

    def last(self, harness: str) -> LastEvent | None:
        """Return the last event, or None if none has arrived since the start."""
        return self._last.get(harness)


def kind_of(event: HarnessEvent) -> HookEventKind:
    """Return the kind of an event."""
    kind: HookEventKind
    match event:
        case SessionStart():
            kind = "session-start"
        case Prompt():
            kind = "prompt"
        case ToolUse():
            kind = "tool-use"
        case TurnEnd():
            kind = "turn-end"
        case Compaction() | CompactionEnd():
            kind = "compaction"
        case SubagentStart() | SubagentStop():
            kind = "subagent"
        case SessionEnd():
            kind = "session-end"
        case IgnoredEvent():
            kind = "other"
    return kind
