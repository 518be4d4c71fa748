"""The values of imports. Times are ISO-8601 UTC, sizes in bytes."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import parse_moment
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.history_import.sources import SourceType

RunState: TypeAlias = Literal["waiting", "running", "cancelling", "cancelled", "done", "failed"]
EntryState: TypeAlias = Literal["waiting", "done", "skipped", "failed"]
KeepRule: TypeAlias = Literal["review", "sure"]

DEFAULT_RATE: Final = 1_500_000.0
"""Bytes a second, until an import has shown how fast this machine is."""
SESSION_S: Final = 0.04
"""Seconds that a session takes however small it is, on a busy machine with two cores."""


def estimated_s(sessions: int, size: int, rate: float) -> float:
    """Return how many seconds reading sessions takes; ``rate`` is in bytes a second."""
    return sessions * SESSION_S + size / rate


def rate_of(sessions: int, size: int, seconds: float) -> float | None:
    """Return at how many bytes a second sessions were read, apart from `SESSION_S` for each."""
    reading_s = seconds - sessions * SESSION_S
    # A rate from tiny sessions alone says nothing about large ones.
    return size / reading_s if reading_s >= 1 and size else None


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """What to import: sources by their ids, none for all; see `wire.history_import.ImportRequest`.

    ``project`` is the key of the project of sessions without a directory.
    """

    sources: tuple[str, ...] = ()
    keep: KeepRule = "review"
    project: str | None = None


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """An import as stored, in the order of its columns."""

    number: int
    id: str
    state: RunState
    keep: KeepRule
    project: str | None
    sources: tuple[str, ...]
    created_at: str
    finished_at: str | None
    listed: bool
    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ImportTotals:
    """The sessions of an import by what became of them, and what their lines became."""

    sessions: int = 0
    done: int = 0
    skipped: int = 0
    failed: int = 0
    size: int = 0
    size_done: int = 0
    kept: int = 0
    suggested: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """A session, or a part of one, that couldn't be read."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """An import with its progress.

    ``remaining_s`` is None until it can be estimated. ``removed_at`` is when it was taken back.
    """

    record: ImportRecord
    totals: ImportTotals
    problems: tuple[EntryProblem, ...]
    remaining_s: float | None
    removed_at: str | None = None


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """A session of an import, in the order of its columns; without an id, a source that failed."""

    place: int
    source: str
    harness: str
    session_id: str
    path: str
    size: int
    modified_at: str
    started_at: str | None
    cwd: str | None
    project: str | None
    state: EntryState = "waiting"
    kept: int = 0
    suggested: int = 0
    problem: str = ""

    @property
    def kept_transcript(self) -> KeptTranscript:
        """The session as its source lists it."""
        modified = parse_moment(self.modified_at) or _EPOCH
        return KeptTranscript(
            transcript=Transcript(Path(self.path), self.session_id),
            size=self.size,
            modified=modified,
            started=parse_moment(self.started_at or ""),
            cwd=self.cwd,
        )


_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class SourceProject:
    """A project of a source's sessions; None for those without one."""

    key: str | None
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOverview:
    """A source with what isn't imported of it yet; see `wire.history_import.ImportSource`."""

    id: str
    kind: SourceType
    label: str
    place: str
    sessions: int = 0
    imported: int = 0
    size: int = 0
    since: datetime | None = None
    until: datetime | None = None
    projects: tuple[SourceProject, ...] = ()
    expiring: int = 0
    expires_at: datetime | None = None
    estimated_s: float = 0.0
    problem: str = ""


@dataclass(slots=True)
class ReadingProgress:
    """How far the session that is being read has come; lost on restart, and counted again then."""

    import_number: int = 0
    read: int = 0
    began_s: float | None = None
    notified_s: float = float("-inf")

    def begin(self, import_number: int, now_s: float) -> None:
        """Begin to read a session."""
        self.import_number, self.read, self.began_s = import_number, 0, now_s

    def advance(self, read: int, size: int) -> None:
        """Note that more was read, of a session of a size."""
        self.read = min(self.read + read, size)

    def end(self) -> None:
        """Note that the session counts as read now."""
        self.read = 0

    def is_due(self, now_s: float, every_s: float) -> bool:
        """Whether listeners weren't told so long; they are from now on."""
        if now_s - self.notified_s < every_s:
            return False
        self.notified_s = now_s
        return True

    def applied(self, progress: ImportProgress, rate: float, settled_s: float) -> ImportProgress:
        """Return an import's progress with what is being read, and an estimate of the rest.

        ``rate`` (bytes a second) is that of the latest import, which counts until this one has run
        for ``settled_s``.
        """
        totals, record = progress.totals, progress.record
        read = self.read if self.import_number == record.number else 0
        done = min(totals.size, totals.size_done + read)
        if record.seconds >= settled_s:
            rate = rate_of(totals.done, totals.size_done, record.seconds) or rate
        remaining_s = estimated_s(totals.sessions - totals.done, totals.size - done, rate)
        return replace(progress, totals=replace(totals, size_done=done), remaining_s=remaining_s)
