"""Requests and replies of the import of history. Times are ISO-8601 UTC, sizes in bytes."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import ShortText

ImportState = Literal["waiting", "running", "cancelling", "cancelled", "done", "failed"]
KeepMode = Literal["review", "sure"]
SessionImportState = Literal["waiting", "done", "skipped", "failed"]


class ImportProject(Struct, kw_only=True, rename="camel"):
    """A project of a source: its key and name, null for sessions without one."""

    key: str | None
    name: str
    sessions: int


class ImportSource(Struct, kw_only=True, rename="camel"):
    """A harness's history on this machine, or an uploaded export.

    ``sessions`` counts what isn't imported yet, ``imported`` what is already. ``expiring`` of them
    will be deleted by the harness within seven days, the first at ``expiresAt``. ``bytes`` and
    ``estimatedS`` (seconds) are those of ``sessions``. ``problem`` says why it can't be read.
    """

    id: str
    kind: Literal["harness", "upload"]
    label: str
    place: str
    sessions: int
    imported: int
    bytes: int
    since: str | None
    until: str | None
    projects: list[ImportProject]
    expiring: int
    expires_at: str | None
    estimated_s: float
    problem: str


class ImportSources(Struct, kw_only=True, rename="camel"):
    """What can be imported, and the import that is running, if one is."""

    sources: list[ImportSource]
    running: str | None


class ImportSample(Struct, kw_only=True, rename="camel"):
    """A line that would be kept or suggested, with its session's day and project."""

    content: str
    type: str
    outcome: Literal["kept", "suggested"]
    said_at: str | None
    project: str | None
    source: str


class ImportPreviewRequest(Struct, kw_only=True, rename="camel"):
    """The sources to look at, empty for all; ``project`` as in `ImportRequest`."""

    sources: list[ShortText] = []
    project: ShortText | None = None


class ImportPreview(Struct, kw_only=True, rename="camel"):
    """What importing would keep, estimated from ``sampled`` of the newest ``sessions``.

    ``kept`` and ``suggested`` are estimates for all of the sessions.
    """

    sessions: int
    sampled: int
    kept: int
    suggested: int
    samples: list[ImportSample]
    estimated_s: float


class ImportRequest(Struct, kw_only=True, rename="camel"):
    """Start an import; without ``sources`` of all of them.

    ``keep`` is ``review`` (sure lines are kept, all others wait in the inbox) or ``sure`` (only
    sure lines, nothing goes to the inbox). ``project`` is where lines without a directory belong,
    such as those of an upload; with null, none of them is sure.
    """

    sources: list[ShortText] = []
    keep: KeepMode = "review"
    project: ShortText | None = None


class ImportProblem(Struct, kw_only=True, rename="camel"):
    """A session, or a part of one, that couldn't be read: where, and why."""

    place: str
    reason: str


class ImportRun(Struct, kw_only=True, rename="camel"):
    """An import with its progress.

    ``done`` of ``sessions`` and ``bytesDone`` of ``bytes`` are read; ``skipped`` were known or
    taken back. ``remainingS`` (seconds) is null until it can be estimated. ``kept``,
    ``suggested`` and ``known`` count lines; ``removed`` is when it was taken back.
    """

    id: str
    state: ImportState
    keep: KeepMode
    sources: list[str]
    created: str
    finished: str | None
    sessions: int
    done: int
    skipped: int
    failed: int
    bytes: int
    bytes_done: int
    remaining_s: float | None
    kept: int
    suggested: int
    known: int
    problems: list[ImportProblem]
    removed: str | None
    reason: str


class ImportList(Struct, kw_only=True, rename="camel"):
    """The imports, newest first."""

    imports: list[ImportRun]


class ImportedSession(Struct, kw_only=True, rename="camel"):
    """A session of an import: what became of it; ``session`` is the id of GET /api/sessions."""

    session: str | None
    harness: str
    title: str
    project: str | None
    started: str | None
    state: SessionImportState
    kept: int
    suggested: int
    problem: str


class ImportedSessionPage(Struct, kw_only=True, rename="camel"):
    """Sessions of an import, newest first; ``next`` is the cursor of the next page."""

    sessions: list[ImportedSession]
    next: str | None


class UploadRequest(Struct, kw_only=True, rename="camel"):
    """Begin an upload of an export: its file's name and size."""

    name: ShortText
    size: int


class Upload(Struct, kw_only=True, rename="camel"):
    """An upload: how many bytes have arrived; ``source`` is set once it is read, or ``problem``."""

    id: str
    name: str
    size: int
    received: int
    source: ImportSource | None
    problem: str
