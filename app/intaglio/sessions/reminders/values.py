"""Save reminders as they are recorded, and what became of them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

ReminderOutcome: TypeAlias = Literal["waiting", "saved", "known", "suggested", "nothing"]
"""What came of a reminder until its turn ended; ``waiting`` if the turn goes on."""

ResultKind: TypeAlias = Literal["saved", "known", "suggested"]


@dataclass(frozen=True, slots=True)
class NoteResult:
    """What an agent did after a reminder: one memory, or one item of the inbox."""

    kind: ResultKind
    memory_id: str | None = None
    inbox_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReminder:
    """A reminder to record; ``wording`` is the version of what it said.

    ``confidence`` is how sure it was that the message holds something lasting.
    """

    harness: str
    session_id: str
    prompt_id: str | None
    at: str
    wording: int
    tokens: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReminder:
    """A reminder as stored, with its results."""

    seq: int
    prompt_id: str | None
    at: str
    closed_at: str | None
    wording: int
    tokens: int
    confidence: float
    results: tuple[NoteResult, ...] = ()

    @property
    def outcome(self) -> ReminderOutcome:
        """What came of it in one word: the best of its results."""
        kinds = {each.kind for each in self.results}
        for kind in ("saved", "suggested", "known"):
            if kind in kinds:
                return kind
        return "waiting" if self.closed_at is None else "nothing"
