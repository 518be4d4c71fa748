"""Harness-independent values of sessions, their context and capture."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

from intaglio.base.agents.reader import Reader
from intaglio.base.clock import Clock
from intaglio.base.fence.outgoing import Fence
from intaglio.base.settings.schema import Settings
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.pipeline.ingest import Remember, RememberOutcome
from intaglio.recall.values import Answer, Question
from intaglio.sessions.pauses.paused_injections import PausedInjections
from intaglio.store.database import Database

_ANONYMOUS_DIGITS: Final = 12


async def _no_aliases(_: str | None) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionServices:
    """The dependencies of the session services.

    ``in_background`` runs a write in the background and logs its failure; ``settled`` waits briefly
    for those in progress; ``project_key`` resolves a directory or a name; ``project_aliases``
    returns the other names the project has memories under; ``readable`` returns what an agent may
    read; ``local`` converts a time to the user's time zone; ``fence`` cleans what a session is
    given; ``seconds`` is a monotonic clock; ``paused_injections`` replaces the ledger while capture
    is paused; ``warm`` preloads the model for the questions that will follow.
    """

    db: Database
    clock: Clock
    settings: Callable[[], Settings]
    remember: Callable[[Remember], Awaitable[RememberOutcome]]
    recall: Callable[[Question], Awaitable[Answer]]
    project_key: Callable[[str | None], Awaitable[str | None]]
    readable: Callable[[str], Awaitable[Reader]]
    in_background: Callable[[Awaitable[None]], None]
    settled: Callable[[], Awaitable[None]]
    local: Callable[[datetime], datetime]
    fence: Fence
    seconds: Callable[[], float]
    project_aliases: Callable[[str | None], Awaitable[tuple[str, ...]]] = _no_aliases
    paused_injections: PausedInjections = field(default_factory=PausedInjections)
    warm: Callable[[], None] = lambda: None

    async def filters(self, agent_id: str, project: str | None) -> Filter:
        """Return what an agent may be shown in a project: its memories and the global ones."""
        return Filter(
            reader=await self.readable(agent_id),
            project=project,
            project_aliases=await self.project_aliases(project),
            global_only=project is None,
        )


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
class ContextBudget:
    """A size limit: tokens as `base.text` estimates them, characters in UTF-16 units."""

    tokens: int
    chars: int


@dataclass(frozen=True, slots=True)
class ContextCandidate:
    """A memory that may be injected, and why; ``must`` ones come first, shortened to fit."""

    memory: Memory
    reason: str
    score: float | None = None
    must: bool = False


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """A candidate with its line if it is injected, or the reason it was left out."""

    candidate: ContextCandidate
    line: str
    tokens: int
    left_out: str = ""

    @property
    def shown(self) -> bool:
        """Whether it was injected."""
        return not self.left_out


@dataclass(frozen=True, slots=True)
class InjectedContext:
    """The text injected into a session, and the entry of each candidate, best first.

    ``words`` are those of the prompt that were searched for.
    """

    text: str
    entries: tuple[ContextEntry, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories in the text."""
        return tuple(entry.candidate.memory for entry in self.entries if entry.shown)


NOTHING = InjectedContext("")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """A message of a transcript, without injected text."""

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None = None
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class TranscriptBatch:
    """New messages of a transcript, and the offset after them.

    ``since`` is a time before all of them were written, if known; ``reported_at`` is when the
    harness reported them (None: now). ``read_at`` is when the reading that reached the transcript's
    end started. ``harness`` is the transcript's harness if the client sent a different name.
    """

    messages: tuple[TranscriptLine, ...]
    offset: int
    since: datetime | None = None
    reported_at: datetime | None = None
    read_at: datetime | None = None
    harness: str | None = None

    @property
    def last_time(self) -> datetime | None:
        """The time of the last message that has one, else ``since``."""
        times = [message.time for message in self.messages if message.time]
        return times[-1] if times else self.since


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """Counts of the captured sentences by outcome."""

    saved: int = 0
    known: int = 0
    forgotten: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session whose transcript may have unread messages."""

    ref: SessionRef
    offset: int


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
    return f"unnamed:{now:%Y-%m-%d}:{digest[:_ANONYMOUS_DIGITS]}"
