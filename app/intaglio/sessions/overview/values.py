"""The values of pages about sessions: a session with its counts, and what happened in it."""

from dataclasses import dataclass

from intaglio.domain.bypass import BypassedBy
from intaglio.domain.reader import USER, Reader
from intaglio.inbox.values import InboxItem
from intaglio.memory.values import Memory
from intaglio.sessions.reminders.values import RecordedReminder
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import CommitCandidate, SessionCandidate
from intaglio.store.values import ListPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOverview:
    """A session with its counts; the fields are in the order in which their columns are read.

    ``told`` counts the different memories sent, ``asked`` the prompts, ``captured`` the memories
    that it led to, ``suggested`` its suggestions that became no memory; ``tokens`` estimates what
    was sent. ``bypassed_by`` is who switched it off, None if it is on.
    """

    number: int
    id: str
    harness: str
    agent_id: str
    project: str | None
    cwd: str | None
    transcript: str | None
    runtime_path: str | None
    started_at: str
    last_seen_at: str
    ended_at: str | None
    end_reason: str | None
    asked: int
    told: int
    tokens: int
    captured: int
    suggested: int
    bypassed_by: BypassedBy | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """Which sessions are wanted, of those that the reader may see.

    ``projects`` are the key and the other names of one project; none selects all projects, unless
    ``global_only`` selects the sessions without one; ``without_projects`` leaves some out.
    ``active_since`` and ``active_until`` limit the time of the last activity. ``memory_id`` selects
    sessions that were sent this memory, or led to it.
    """

    reader: Reader = USER
    projects: tuple[str, ...] = ()
    global_only: bool = False
    without_projects: tuple[str, ...] = ()
    harness: str | None = None
    agent_id: str | None = None
    active_since: str | None = None
    active_until: str | None = None
    memory_id: str | None = None


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A page of sessions, and the last one's position if there are more."""

    sessions: tuple[SessionOverview, ...]
    end: ListPosition | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A memory of a hook call, as it is now; None if it is erased or may not be read."""

    memory_id: str
    memory: Memory | None
    is_erased: bool
    shown: bool
    reason: str
    score: float | None
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerCall:
    """A hook call of the ledger: ``event`` is session_start, prompt, edit or recall.

    ``text`` is what was sent, as long as it is kept; ``candidates`` counts all memories considered,
    of which ``lines`` has the sent ones and the best of the others. ``sessions`` and
    ``commits`` are the past sessions and commits that its prompt was compared with, told ones
    first.
    """

    seq: int
    event: str
    source: str | None
    prompt_id: str | None
    words: tuple[str, ...]
    text: str | None
    candidates: int
    injected: int
    tokens: int
    elapsed_ms: float
    at: str
    lines: tuple[LedgerLine, ...] = ()
    sessions: tuple[SessionCandidate, ...] = ()
    commits: tuple[CommitCandidate, ...] = ()


@dataclass(frozen=True, slots=True)
class StatementOutcome:
    """A statement of the session, and what became of it.

    ``is_forgotten`` is None without a memory, or if it is erased.
    """

    statement: RecordedStatement
    is_forgotten: bool | None
    inbox_status: str | None
    inbox_action: str | None


@dataclass(frozen=True, slots=True)
class SuggestionOutcome:
    """A suggestion that the session's agent made by itself, and what became of it.

    ``is_forgotten`` is of the memory that it became; None without one, or if it is erased.
    """

    item: InboxItem
    is_forgotten: bool | None


@dataclass(frozen=True, slots=True)
class SessionReplacement:
    """A memory that was replaced by what was said in the session, and still is."""

    older: Memory
    newer: Memory
    at: str


@dataclass(frozen=True, slots=True)
class SessionEvents:
    """What happened in a session, as far as it is recorded; each list oldest first.

    ``has_more_…`` says that a list ends at its limit.
    """

    calls: tuple[LedgerCall, ...]
    has_more_calls: bool
    statements: tuple[StatementOutcome, ...]
    has_more_statements: bool
    saved: tuple[Memory, ...]
    has_more_saved: bool
    claims: tuple[SuggestionOutcome, ...]
    has_more_claims: bool
    considered: tuple[RecordedStatement, ...]
    reminders: tuple[RecordedReminder, ...]
    replaced: tuple[SessionReplacement, ...]
