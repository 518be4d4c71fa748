"""Harness-independent values of sessions, their context and capture."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, TypeAlias

from intaglio.code.values import PlaceMark
from intaglio.domain.context_groups import ConstraintBasis, ContextGroup
from intaglio.domain.told_lines import ToldKind
from intaglio.graph.traversal.values import NO_WALK, GraphWalk
from intaglio.memory.values import ANONYMOUS_SESSION, Memory
from intaglio.projects.values import ProjectNotice

SAME_AS: Final = "says the same as"
"""How the reason begins for which a memory is left out in favour of another; a quotation follows.

The quotation goes when that other memory is erased.
"""

HELD_BACK: Final = "held back for lack of room: told when a prompt touches its subject"
"""Why a constraint isn't told at a session's start; see `Ledger.held_back`."""

MAY_BE_REPLACED: Final = "may be replaced on {}"
"""Marks what a later session may have changed, with its day."""

_ANONYMOUS_DIGITS: Final = 12

SessionKey: TypeAlias = tuple[str, str]
"""A session's harness, and its id there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRef:
    """A session as its harness reports it.

    ``project`` is a directory or a name, not yet resolved. Nothing is injected into or captured
    from a subagent. An anonymous session shares its id with others and is always treated as new.
    """

    harness: str
    id: str
    agent_id: str = "default"
    project: str | None = None
    transcript: str | None = None
    runtime_path: str | None = None
    subagent: bool = False
    anonymous: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The session's unique key."""
        return self.harness, self.id


@dataclass(frozen=True, slots=True)
class SessionReadState:
    """How far a session's transcript was read: up to ``position``, and all before ``read_at``.

    ``importing`` is set while an import reads it; ``import_id`` is the import that brought it in.
    """

    agent_id: str
    cwd: str | None
    transcript: str | None
    position: str
    read_at: str | None
    is_open: bool
    importing: bool
    import_id: str | None


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """A size limit: tokens as `base.text` estimates them, characters in UTF-16 units."""

    tokens: int
    chars: int


@dataclass(frozen=True, slots=True)
class LaterSessionMark:
    """The day of a later session that may have replaced something, and the number of its page.

    The number is 0 if it has no page.
    """

    day: str
    number: int = 0

    @property
    def text(self) -> str:
        """What stands beside the line."""
        return MAY_BE_REPLACED.format(self.day)

    @property
    def reason(self) -> str:
        """Why, with the session by which the user can check it."""
        which = f"session {self.number}" if self.number else "a later session"
        return f"{self.text}: {which} was on its subject"


@dataclass(frozen=True, slots=True)
class ContextCandidate:
    """A memory that may be injected, and why.

    ``basis`` says why it is a constraint, which comes before all others; None if it isn't.
    ``group`` is below which heading it is told at a session's start, ``subject`` the row number of
    the entity that it is about, if it matters: its lines stand together. ``replaced_on`` names a
    later session on the subject of the one in which it was said, if there is one. ``place`` is what
    became of the code that it names, if something did.
    """

    memory: Memory
    reason: str
    score: float | None = None
    basis: ConstraintBasis | None = None
    group: ContextGroup | None = None
    subject: int | None = None
    replaced_on: LaterSessionMark | None = None
    place: PlaceMark | None = None

    @property
    def constraint(self) -> bool:
        """Whether it is a constraint."""
        return self.basis is not None


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """A candidate with its line if it is injected, or the reason it was left out.

    ``shortened`` says what of its text is told; it's empty if that is all.
    """

    candidate: ContextCandidate
    line: str
    tokens: int
    left_out: str = ""
    shortened: str = ""

    @property
    def shown(self) -> bool:
        """Whether it was injected."""
        return not self.left_out

    @property
    def reason(self) -> str:
        """Why it was left out, or else why it was injected, and what the line doesn't tell."""
        if self.left_out:
            return self.left_out
        later = self.candidate.replaced_on
        mark = later.reason if later else ""
        place = self.candidate.place
        gone = f"{place.text}: {place.where}" if place else ""
        return "; ".join(filter(None, (self.candidate.reason, mark, gone, self.shortened)))


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A line of a past session as it is told; ``memory_id`` is None if no memory says it.

    ``kind`` is memory (what was kept of the user's words), said (words of the user that weren't
    kept), proposal (what the agent proposed and the user accepted) or recap (the agent's closing
    summary).
    """

    text: str
    kind: ToldKind
    memory_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCandidate:
    """A past session that was compared with a prompt, and why it is told or isn't.

    ``number`` is that of its page, ``transcript`` that of what was said in it. ``title`` begins its
    first prompt, ``at`` is its last activity.
    ``score`` and ``floor``, the least score that is told, have the same unit. ``reason`` is a whole
    sentence; ``lines`` are what is told of it, in order.
    """

    transcript: int
    number: int
    harness: str
    session_id: str
    title: str
    at: str
    score: float
    floor: float
    shown: bool
    reason: str
    lines: tuple[SessionLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitCandidate:
    """A commit that was compared with a prompt, and why it is told or isn't.

    ``score`` and ``floor``, the least score that is told, have the same unit. ``reason`` is a whole
    sentence; ``line`` is what is told of it, with ``tokens``, empty if it isn't told.
    """

    project: str
    hash: str
    at: str
    subject: str
    score: float
    floor: float
    shown: bool
    reason: str
    line: str = ""
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class InjectedContext:
    """The text injected into a session, and the entry of each candidate, best first.

    ``words`` are those of the prompt that were searched for, ``walk`` that of the graph;
    ``sessions`` and ``commits`` are the past sessions and the commits that were compared with a
    prompt, told ones first;
    ``arrival`` is what the person is told about the project. ``own_line`` is Intaglio's own, in
    front of the text: a save reminder, or that notes are welcome.
    """

    text: str
    entries: tuple[ContextEntry, ...] = ()
    words: tuple[str, ...] = ()
    walk: GraphWalk = NO_WALK
    arrival: ProjectNotice | None = None
    own_line: str = ""
    sessions: tuple[SessionCandidate, ...] = ()
    commits: tuple[CommitCandidate, ...] = ()

    @property
    def whole(self) -> str:
        """All that the session is told."""
        # In front: a harness that shortens the reply keeps the end of the fence.
        return "\n".join(filter(None, (self.own_line, self.text)))

    @property
    def held_back(self) -> int:
        """How many constraints are held back; the text says so."""
        return sum(entry.left_out == HELD_BACK for entry in self.entries)

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories in the text."""
        return tuple(entry.candidate.memory for entry in self.entries if entry.shown)


NOTHING = InjectedContext("")


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """Counts of the captured statements by outcome."""

    saved: int = 0
    known: int = 0
    forgotten: int = 0
    refused: int = 0
    suggested: int = 0

    def __add__(self, other: "CaptureResult") -> "CaptureResult":
        """Add the counts."""
        return CaptureResult(
            self.saved + other.saved,
            self.known + other.known,
            self.forgotten + other.forgotten,
            self.refused + other.refused,
            self.suggested + other.suggested,
        )


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session whose transcript may have unread messages."""

    ref: SessionRef
    position: str


@dataclass(frozen=True, slots=True)
class SessionGap:
    """What happened in a project since its last session."""

    last_active: datetime
    memories: int
    sessions: int


def anonymous_session_id(agent_id: str, project: str | None, now: datetime) -> str:
    """Return an id for anonymous sessions, one per day, agent and project.

    Otherwise every call without a session key would create a row. Calls that share the id are
    unrelated, so what one received says nothing about the next.
    """
    digest = sha256(f"{agent_id}\n{project or ''}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{ANONYMOUS_SESSION}{now:%Y-%m-%d}:{digest[:_ANONYMOUS_DIGITS]}"
