"""Health and status of the daemon."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.capture import CaptureStatus

State = Literal["ready", "checking", "degraded"]


class Health(Struct, kw_only=True, rename="camel"):
    """Whether the daemon is well; cheap enough to ask every second."""

    status: str
    state: State
    reason: str
    uptime: float
    pid: int
    version: str
    port: int
    agents_dir: str
    db: bool
    update_available: bool
    pending_restart: bool
    install_id: str


class ProcessStatus(Struct, kw_only=True, rename="camel"):
    """What the daemon's process uses."""

    rss_bytes: int
    threads: int
    handles: int
    children: int
    cpu_s: float
    disk_free_bytes: int


class StoreStatus(Struct, kw_only=True, rename="camel"):
    """The database: its size and what it holds."""

    bytes: int
    schema_version: int
    memories: int
    deleted: int
    jobs_pending: int
    waiting_writes: int
    spool: int
    spool_rejected: int
    last_backup: str | None


class EmbeddingStatus(Struct, kw_only=True, rename="camel"):
    """The model that gives vectors, how far the store has them, and how they are searched.

    ``phase`` is idle (not in memory), ready, failing, damaged or closed; ``detail`` says what is
    wrong. While the vectors of this model are not whole, ``searched_meanwhile`` names the former
    one whose vectors are searched. ``index_recall`` is the share of true neighbours that the index
    found when last checked.
    """

    provider: str
    model: str
    dimensions: int
    available: bool
    phase: str
    detail: str
    embedded: int
    total: int
    pending: int
    dead: int
    searched_meanwhile: str
    index_method: str
    index_vectors: int
    index_waiting: int
    index_candidates: int
    index_bytes: int
    index_recall: float | None


class QueueStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """How many jobs wait, are being done, and were given up."""

    pending: int
    leased: int
    dead: int


class SweepRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """The last sweep: how many rows and files went, by kind, and which kinds met a fault.

    ``outcome`` is done, frozen or unavailable; ``longest_ms`` is how long at most one batch held
    up writes.
    """

    started_at: str
    ended_at: str
    cause: str
    outcome: str
    removed: dict[str, int]
    failed: dict[str, str]
    longest_ms: float
    given_back_bytes: int


class RetentionStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """What is kept how many days (0 for ever), and what was purged.

    ``next_at`` is null where a sweep is due and begins soon; ``free_bytes`` of the database hold
    nothing and are written next.
    """

    running: bool
    next_at: str | None
    free_bytes: int
    windows: dict[str, int]
    last: SweepRow | None


class SettingProblemRow(Struct, kw_only=True, rename="camel"):
    """A setting that could not be taken as written."""

    key: str
    message: str


class Status(Struct, kw_only=True, rename="camel"):
    """The daemon in full; ``capture`` is null while the database cannot be read.

    ``command`` runs this installation's `intaglio` in the user's shell.
    """

    status: str
    state: State
    reason: str
    version: str
    pid: int
    uptime: float
    started_at: str
    port: int
    host: str
    bind_host: str
    agents_dir: str
    memory_db: bool
    log_file: str
    command: str
    active_sessions: int
    process: ProcessStatus
    store: StoreStatus
    queue: QueueStatus
    embedding: EmbeddingStatus | None
    retention: RetentionStatus | None
    capture: CaptureStatus | None = None
    setting_problems: list[SettingProblemRow]


class BackupRow(Struct, kw_only=True):
    """One kept copy of the database."""

    name: str
    bytes: int
    created_at: str


class BackupList(Struct, kw_only=True):
    """The kept copies, newest first."""

    backups: list[BackupRow]


class RestoreRequest(Struct, kw_only=True):
    """Which copy to restore; the newest good one when none is named."""

    name: str | None = None


class RestoreReply(Struct, kw_only=True):
    """What was restored, and where the broken database was put aside."""

    restored: str
    set_aside: str
    state: State


class LinkReply(Struct, kw_only=True):
    """A link that signs a browser in, once, within ten minutes."""

    url: str
    expires_in_s: int


class Acknowledged(Struct, kw_only=True):
    """The request was carried out; there is nothing to add."""

    success: bool = True
