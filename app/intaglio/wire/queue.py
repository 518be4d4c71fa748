"""The queue, the vectors as a whole, and repairs."""

from typing import Literal

from msgspec import Struct

JobStatus = Literal["pending", "leased", "completed", "dead"]


class JobReply(Struct, kw_only=True):
    """One job in the words of the client contract."""

    id: str
    memory_id: str | None
    document_id: str | None
    job_type: str
    status: JobStatus
    attempt_count: int
    attempts: int
    max_attempts: int
    next_attempt_at: str | None
    last_error: str | None
    last_error_code: str | None
    error: str | None
    leased_at: str | None
    completed_at: str | None
    failed_at: str | None
    created_at: str
    updated_at: str | None


class JobRow(Struct, kw_only=True):
    """One job of the list; ``title`` is how its memory begins, where it has one to be read."""

    id: str
    type: str
    label: str
    subject: str
    memory_id: str | None
    title: str | None
    status: JobStatus
    attempts: int
    max_attempts: int
    not_before: str | None
    error: str | None
    created_at: str
    failed_at: str | None
    completed_at: str | None


class JobCount(Struct, kw_only=True):
    """How many jobs of a type are in a state; ``label`` is the type as a person reads it."""

    type: str
    label: str
    status: JobStatus
    count: int


class JobList(Struct, kw_only=True):
    """A page of jobs, newest first, and the queue as a whole.

    ``oldest_age_s`` is of the one that waits longest; ``done_last_minute`` is how fast it goes.
    """

    jobs: list[JobRow]
    next_cursor: str | None
    counts: list[JobCount]
    oldest_age_s: float | None
    done_last_minute: int


class JobChange(Struct, kw_only=True):
    """What became of a given-up job: pending, discarded, or superseded by a newer one."""

    id: str
    status: str
    success: bool = True


class JobsRetry(Struct, kw_only=True):
    """Which given-up jobs to try anew: those of a type, or all."""

    type: str | None = None


class JobsChange(Struct, kw_only=True):
    """How many jobs were changed."""

    affected: int
    success: bool = True


class EmbeddingRow(Struct, kw_only=True, rename="camel"):
    """A memory that has a vector; ``vector`` only where it was asked for."""

    id: str
    content: str
    text: str
    who: str
    importance: float
    type: str
    tags: list[str]
    source_type: str
    source_id: str | None
    created_at: str
    vector: list[float] | None


class EmbeddingPage(Struct, kw_only=True, rename="camel"):
    """A page of them."""

    embeddings: list[EmbeddingRow]
    count: int
    total: int
    limit: int
    offset: int
    has_more: bool


class TrackerStatus(Struct, kw_only=True, rename="camel"):
    """What the tracker of missing vectors did since the start."""

    running: bool
    processed: int
    failed: int
    skipped_cycles: int
    last_cycle_at: str | None
    queue_depth: int


class ProviderStatus(Struct, kw_only=True):
    """The model that is wanted, and whether it answers; checked at most twice a minute."""

    provider: str
    model: str
    base_url: str
    available: bool
    dimensions: int | None
    error: str | None
    checkedAt: str  # noqa: N815 - the contract's name among others that are not in camel case
    tracker: TrackerStatus | None


class HealthConfig(Struct, kw_only=True):
    """The model that is wanted."""

    provider: str
    model: str
    dimensions: int


class HealthCheckRow(Struct, kw_only=True):
    """One look at the vectors: what was found, and how it is mended."""

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str
    detail: str
    fix: str


class VectorHealthReply(Struct, kw_only=True, rename="camel"):
    """The vectors as a whole: healthy from .8 on, degraded from .5 on."""

    status: str
    score: float
    checked_at: str
    config: HealthConfig
    checks: list[HealthCheckRow]


class RepairRequest(Struct, kw_only=True, rename="camel"):
    """How much a repair may do; ``dry_run`` only tells what it would."""

    batch_size: int = 50
    dry_run: bool = False
    full_sweep: bool = False


class RepairReply(Struct, kw_only=True):
    """What a repair did."""

    action: str
    success: bool
    affected: int
    message: str


class GapsReply(Struct, kw_only=True):
    """How many memories lack a vector; ``coverage`` is the share that has one, in percent."""

    unembedded: int
    total: int
    coverage: str
