"""What sessions are told and what they answer; no harness shows in these values."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

from intaglio.base.agents.reader import Reader
from intaglio.base.clock import Clock
from intaglio.base.settings.schema import Settings
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.pipeline.ingest import Remember, RememberOutcome
from intaglio.recall.values import Answer, Question
from intaglio.sessions.pauses.paused_injections import PausedInjections
from intaglio.store.database import Database

_UNNAMED_DIGITS: Final = 12


async def _no_aliases(_: str | None) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionServices:
    """What the session services stand on.

    ``later`` takes a write that nobody waits for and logs its failure; ``settled`` waits a moment
    for those that are under way; ``project_key`` resolves a directory or a name;
    ``project_aliases`` are the names under which the same project was kept, too; ``readable``
    tells what an agent may read; ``local`` turns a moment into the user's own time; ``seconds``
    never runs backwards; ``unwritten`` stands in for the ledger while capture is paused; ``warm``
    tells that questions will come soon.
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
    """A session as its harness tells it.

    ``project`` is a directory or a name, not yet resolved. In a subagent nothing is shown and
    nothing captured. For an unnamed one the id stands for many; each is taken for a new one.
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
        """What tells it from every other session."""
        return self.harness, self.id


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """How much may be shown: tokens as `base.text` estimates them, characters as UTF-16 units."""

    tokens: int
    chars: int


@dataclass(frozen=True, slots=True)
class ContextCandidate:
    """A memory that may be shown, and why; ``must`` ones come first and are shortened, not cut."""

    memory: Memory
    reason: str
    score: float | None = None
    must: bool = False


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """What became of a candidate: its line where it is shown, else why it was left out."""

    candidate: ContextCandidate
    line: str
    tokens: int
    left_out: str = ""

    @property
    def shown(self) -> bool:
        """Whether the session sees it."""
        return not self.left_out


@dataclass(frozen=True, slots=True)
class InjectedContext:
    """The text that a session receives, and what became of each candidate, best first."""

    text: str
    entries: tuple[ContextEntry, ...] = ()
    terms: tuple[str, ...] = ()

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories that the text holds."""
        return tuple(entry.candidate.memory for entry in self.entries if entry.shown)


NOTHING = InjectedContext("")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One message of a transcript, stripped of what was injected."""

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    time: datetime | None = None
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class TranscriptBatch:
    """New messages of a transcript, and the offset from which to read on after them.

    ``since`` is a moment before all of them were written, where one is known; ``told`` is when the
    harness told of them, now where it is None. ``read_at`` is when the reading began that came to
    the transcript's end. ``harness`` is whose transcript it is, where a client says another name.
    """

    messages: tuple[TranscriptLine, ...]
    offset: int
    since: datetime | None = None
    told: datetime | None = None
    read_at: datetime | None = None
    harness: str | None = None

    @property
    def last_time(self) -> datetime | None:
        """When the last message that has a time was said."""
        times = [said.time for said in self.messages if said.time]
        return times[-1] if times else self.since


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """What came of the sentences that were worth keeping."""

    saved: int = 0
    known: int = 0
    forgotten: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session whose transcript may hold more than was read."""

    ref: SessionRef
    offset: int


@dataclass(frozen=True, slots=True)
class SessionGap:
    """What happened in a project since its last session."""

    last_active: datetime
    memories: int
    sessions: int


def anonymous_session_id(agent_id: str, project: str | None, now: datetime) -> str:
    """Return one id for a day, an agent and a project, for a session that has no name.

    Calls that name no session would else make a row each; nothing tells how they belong together,
    so what one of them was shown says nothing about the next.
    """
    where = sha256(f"{agent_id}\n{project or ''}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"unnamed:{now:%Y-%m-%d}:{where[:_UNNAMED_DIGITS]}"
