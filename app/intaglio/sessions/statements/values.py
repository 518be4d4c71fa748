"""The values of statements: recorded ones, and what is about to be recorded."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.capture.settle import SettleEffect
from intaglio.capture.transcripts import CaptureLimits, TranscriptMessage
from intaglio.capture.values import Outcome, StatementType
from intaglio.inbox.values import Evidence
from intaglio.memory.values import NewMemory
from intaglio.sessions.values import SessionRef

StatementState: TypeAlias = Literal["live", "withdrawn", "replaced", "erased"]
"""Whether a statement holds, was taken back or replaced later, or has lost its text."""
ClaimType: TypeAlias = Literal["rule", "preference", "decision"]
CLAIM_TYPES: Final[tuple[ClaimType, ...]] = ("rule", "preference", "decision")
"""The types of memories that only the user can make true."""
ACCEPTED: Final = "accepted in the inbox"
"""Why a memory is there that was a suggestion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStatement:
    """A statement as stored, with the memory or the inbox item that it is evidence of.

    The fields are in the order in which their columns are read. ``start`` and ``end`` are
    characters of the message without secrets and injected text. ``outcome`` is ``withdrawal`` for
    words that only take something back. ``context`` is what was said around it, without secrets; it
    is empty if the statement's scope is wider than its session's.
    """

    seq: int
    harness: str
    session_id: str
    message_id: str
    start: int
    end: int
    said_at: str | None
    recorded_at: str
    agent_id: str
    project: str | None
    sentence: str
    content: str
    type: StatementType
    everywhere: bool
    confidence: float
    outcome: Outcome | Literal["withdrawal"]
    state: StatementState
    memory_id: str | None
    inbox_id: str | None
    context: str = ""

    @property
    def place(self) -> str:
        """The message and the position in it; a memory's source id."""
        return place_of(self.message_id, self.start)

    @property
    def at(self) -> str:
        """When it was said, or recorded, if that isn't known."""
        return self.said_at or self.recorded_at

    @property
    def evidence(self) -> Evidence:
        """The statement as evidence of a memory or an inbox item."""
        return Evidence(
            sentence=self.sentence,
            harness=self.harness,
            session_id=self.session_id,
            message_id=self.message_id,
            start=self.start,
            end=self.end,
            said_at=self.said_at,
        )


@dataclass(frozen=True, slots=True)
class SavedLine:
    """A memory that capture saved, and when."""

    id: str
    at: str
    content: str


@dataclass(frozen=True, slots=True)
class KeptLately:
    """The latest lines that capture kept without asking, and how many of them were mistakes.

    Whoever forgets a line or rewrites it says that it should not have been kept so.
    """

    lines: int
    forgotten: int
    edited: int

    @property
    def precision(self) -> float | None:
        """The share that was neither forgotten nor edited; None without lines."""
        return 1 - (self.forgotten + self.edited) / self.lines if self.lines else None


@dataclass(frozen=True, slots=True)
class StatementCounts:
    """What became of a session's statements: kept, suggested, or known from elsewhere before."""

    kept: int = 0
    suggested: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class OfferedSuggestion:
    """A suggestion that a session has offered; not open once the user has decided on it."""

    id: str
    confidence: float
    is_open: bool


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message to capture from, in its session; ``project`` is the key of its directory's.

    ``before`` is the agent's preceding message, or empty; ``before_elsewhere`` if that was said in
    another project. ``earlier`` are the ids of the user's messages before this one, as far as they
    are known, oldest first. ``binds_run_only`` is set if it is a role prompt, or from a run of one.
    ``limits`` are those of an import.
    """

    session: SessionRef
    project: str | None
    line: TranscriptMessage
    before: str = ""
    earlier: tuple[str, ...] = ()
    before_elsewhere: bool = False
    binds_run_only: bool = False
    limits: CaptureLimits = field(default_factory=CaptureLimits)


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A live memory of the same scope that says the same."""

    id: str
    otherwise_worded: bool


@dataclass(frozen=True, slots=True)
class RelatedItem:
    """An open suggestion that says the same.

    ``said_before`` is set if it was said in another session and in other words.
    """

    id: str
    said_before: bool


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A live memory of the scope, with a wording of it.

    ``said_at`` is when its words were said, ``is_unvouched`` whether only an agent or a file says
    it, ``said_here`` whether the message that is judged said it.
    """

    id: str
    text: str
    said_at: str = ""
    is_constraint: bool = False
    is_unvouched: bool = False
    is_replaced: bool = False
    said_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMemories:
    """The memories of other sessions that words take back: ``certain`` ones, or ``likely`` ones."""

    certain: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.certain or self.likely)

    @property
    def in_doubt(self) -> "NamedMemories":
        """The same memories, none of them certain."""
        return NamedMemories(likely=(*self.certain, *self.likely))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStatement:
    """A statement with everything that recording it does.

    ``memory`` is what would be stored, redacted; None if it can't be stored as one. ``effects`` are
    on earlier statements of the session, by place. It ``replaces`` memories, or ``contradicts``
    them less surely; it is ``outdated_by`` what was said later and is known already.
    ``may_reach_further`` is set if other projects may be meant. ``said_by_agent`` are the agent's
    words that the user accepted or answered. ``takes_back`` are memories of other sessions.
    """

    row: RecordedStatement
    memory: NewMemory | None
    effects: tuple[SettleEffect, ...] = ()
    same_memory: RelatedMemory | None = None
    same_item: RelatedItem | None = None
    replaces: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    outdated_by: str | None = None
    may_reach_further: bool = False
    said_by_agent: str = ""
    takes_back: NamedMemories = field(default_factory=NamedMemories)

    @property
    def agent_evidence(self) -> Evidence | None:
        """The agent's words as evidence beside the user's, if the user replied to them."""
        if not self.said_by_agent:
            return None
        return Evidence(
            sentence=self.said_by_agent,
            harness=self.row.harness,
            session_id=self.row.session_id,
            said_at=self.row.said_at,
        )


def place_of(message_id: str, start: int) -> str:
    """Return the place of a statement: its message, and the character that it begins at."""
    return f"{message_id}@{start}"


def as_claim(kind: str | None) -> ClaimType | None:
    """Return a type of memory as one that only the user can make true; None for any other."""
    return next((each for each in CLAIM_TYPES if each == kind), None)
