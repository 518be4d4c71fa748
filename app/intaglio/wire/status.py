"""Replies about the daemon's health, status, backups and sign-in links."""

from typing import Any, Literal

from msgspec import Struct

from intaglio.domain.health import HealthStatus
from intaglio.domain.issues import IssueAction, IssueLevel
from intaglio.wire.capture import CaptureStatus

State = Literal["ready", "checking", "degraded"]


class Health(Struct, kw_only=True, rename="camel"):
    """Whether the daemon is healthy; cheap enough to request every second.

    ``cause`` and ``hint`` are empty unless the database is read-only: a word for programs
    (damaged, unavailable, read_only, unwritable, replaced, removed, overwritten, log_lost,
    missing), and what to do.
    """

    status: str
    state: State
    reason: str
    cause: str = ""
    hint: str = ""
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
    """Resource usage of the daemon's process."""

    rss_bytes: int
    threads: int
    handles: int
    children: int
    cpu_s: float
    disk_free_bytes: int


class StoreStatus(Struct, kw_only=True, rename="camel"):
    """The database's size and contents."""

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
    """The embedding model, embedding progress, and the vector index.

    ``phase`` is idle (not loaded), ready, failing, damaged or closed; ``detail`` says what's
    wrong. Until this model's embeddings are complete, ``searched_meanwhile`` names the previous
    model whose embeddings are searched. ``late_interaction`` is false if the model that embeds
    questions has no token states: recall then ranks by keywords and vectors. ``index_recall`` is
    the share of true neighbours that the index found in the last check.
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
    late_interaction: bool
    index_method: str
    index_vectors: int
    index_waiting: int
    index_candidates: int
    index_bytes: int
    index_recall: float | None


class QueueStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """How many jobs are pending, running (leased) and failed (dead)."""

    pending: int
    leased: int
    dead: int


class SweepRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """The last sweep: rows and files removed by kind, and the errors by kind.

    ``outcome`` is done, frozen, unavailable or clock_jump; ``longest_ms`` is the longest time that
    one batch blocked other writes.
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
    """Retention periods in days (0: keep forever), and the last sweep.

    ``next_at`` is null if a sweep is due and starts soon; ``free_bytes`` are free pages in the
    database, reused by the next writes.
    """

    running: bool
    next_at: str | None
    free_bytes: int
    windows: dict[str, int]
    last: SweepRow | None


class ClockStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """The clock jumped: by how many seconds it is ahead (negative: behind).

    Nothing is deleted by age until the user confirms the clock, or the daemon has run for
    ``resumes_in_s`` more seconds.
    """

    ahead_s: float
    resumes_in_s: float


class SettingProblemRow(Struct, kw_only=True, rename="camel"):
    """An invalid setting."""

    key: str
    message: str


class IssueRow(Struct, kw_only=True, frozen=True):
    """Something that is wrong, and what to do about it.

    ``id`` is stable, for programs; ``command`` is one for the user's shell that ends ``text``;
    ``page`` is an address of the dashboard, and ``action`` what a button there does; "repair" runs
    the repair named ``repair``. The last four may be empty.
    """

    id: str
    level: IssueLevel
    title: str
    text: str
    command: str
    page: str
    action: IssueAction
    repair: str = ""


class LanguageModelStatus(Struct, kw_only=True, rename="camel"):
    """The language model that the settings name, and what was used today; a limit of 0 is none.

    ``state`` is unconfirmed, unusable, paused, capped, resting or ready.
    """

    title: str
    state: str
    tokens: int
    max_tokens: int
    usd: float
    max_usd: float


class CompositeRow(Struct, kw_only=True, frozen=True):
    """The weighted score of all domains of Health, between 0 and 1."""

    score: float
    status: HealthStatus


class ProviderResolution(Struct, kw_only=True, frozen=True):
    """The provider of a role: by the settings, and the one that is asked; ``none`` without one.

    ``reason`` says why the configured one can't be asked, empty if it can or waits for consent.
    """

    configured: str
    resolved: str
    effective: str
    reason: str


class ProviderResolutions(Struct, kw_only=True, frozen=True):
    """The providers of language models by their role."""

    extraction: ProviderResolution
    synthesis: ProviderResolution


class LogPlaces(Struct, kw_only=True, frozen=True, rename="camel"):
    """Where the log is."""

    log_dir: str
    log_file: str


class UpdateStatus(Struct, kw_only=True, frozen=True, rename="camel"):
    """Updates: what the last check found; ``timer_active`` if they are looked for regularly.

    ``pending_restart`` means that another version is on disk than the one that runs.
    """

    current_version: str
    latest_version: str | None = None
    update_available: bool = False
    pending_restart: bool = False
    auto_install: bool = False
    check_interval: int = 0
    last_check_at: str | None = None
    last_error: str | None = None
    timer_active: bool = False


class Status(Struct, kw_only=True, rename="camel"):
    """The daemon's full status; ``capture`` is null while the database can't be read.

    ``command`` runs this installation's `intaglio` in the user's shell; ``cause`` and ``hint`` are
    those of the health. ``inbox`` counts what waits for the user's decision. ``language_model`` is
    null unless one is configured. ``clock`` is null
    unless the clock jumped. ``agents`` names the connected agents; ``issues`` come worst first.
    ``sentence`` and ``is_well`` are those of GET /api/health, ``health`` is its composite score.
    ``pipeline_v2`` has the settings below `memory.pipelineV2` as they apply, without secrets;
    ``agent_created_at`` is `agent.created` of agent.yaml, null if that isn't a time.
    """

    status: str
    state: State
    reason: str
    cause: str = ""
    hint: str = ""
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
    bypassed_sessions: int = 0
    inbox: int = 0
    process: ProcessStatus
    store: StoreStatus
    queue: QueueStatus
    embedding: EmbeddingStatus | None
    language_model: LanguageModelStatus | None = None
    retention: RetentionStatus | None
    capture: CaptureStatus | None = None
    clock: ClockStatus | None = None
    setting_problems: list[SettingProblemRow]
    agents: list[str] = []
    issues: list[IssueRow] = []
    sentence: str = ""
    is_well: bool = False
    health: CompositeRow | None = None
    pipeline_v2: dict[str, Any] = {}
    provider_resolution: ProviderResolutions | None = None
    logging: LogPlaces | None = None
    agent_created_at: str | None = None
    update: UpdateStatus | None = None


class BackupRow(Struct, kw_only=True):
    """A backup of the database.

    ``memories`` counts the memories in it, forgotten ones included; null if that isn't recorded.
    ``in_future`` means that its date is after now, so the clock is or was wrong. ``rescued`` marks
    a copy that was saved aside because something happened to the database's file.
    """

    name: str
    bytes: int
    created_at: str
    memories: int | None = None
    in_future: bool = False
    rescued: bool = False


class BackupList(Struct, kw_only=True):
    """The backups, newest first.

    ``missing`` means that there is no database, so that an empty one can be created.
    """

    backups: list[BackupRow]
    missing: bool = False


class RestoreRequest(Struct, kw_only=True):
    """The backup to restore; without a name, the newest valid one."""

    name: str | None = None


class RestoreReply(Struct, kw_only=True):
    """The restored backup, and where the previous database was moved."""

    restored: str
    set_aside: str
    state: State


class BackupTestReply(Struct, kw_only=True):
    """A backup was restored into a temporary folder; ``text`` says what was found.

    ``memories`` counts those in it, 0 if it can't be restored.
    """

    name: str
    tested_at: str
    passed: bool
    text: str
    memories: int


class EmptyDatabaseReply(Struct, kw_only=True):
    """An empty database was created in the place of a missing one."""

    state: State


class LinkReply(Struct, kw_only=True):
    """A link that signs a browser in; it works once and expires after ten minutes."""

    url: str
    expires_in_s: int


class Acknowledged(Struct, kw_only=True):
    """The request succeeded."""

    success: bool = True
