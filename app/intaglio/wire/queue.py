"""Requests and replies about the job queue, embeddings and repairs."""

from typing import Literal

from msgspec import Struct

from intaglio.wire.memory import FilterRequest
from intaglio.wire.work_subjects import WorkSubject

JobStatus = Literal["pending", "leased", "completed", "dead"]


class JobReply(Struct, kw_only=True):
    """A job, as the client contract defines it."""

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
    """A job in a list; ``title`` is the start of its memory, if there is one the reader may see.

    ``about`` is the entity or the session that it is about instead, if there is one to be seen. A
    job that ``embeds`` is what semantic search needs of its memory.
    """

    id: str
    type: str
    label: str
    subject: str
    memory_id: str | None
    title: str | None
    about: WorkSubject | None
    embeds: bool
    status: JobStatus
    attempts: int
    max_attempts: int
    not_before: str | None
    error: str | None
    created_at: str
    failed_at: str | None
    completed_at: str | None


class JobCount(Struct, kw_only=True):
    """How many jobs of a type are in a state; ``label`` is the type's display name."""

    type: str
    label: str
    status: JobStatus
    count: int


class JobList(Struct, kw_only=True):
    """A page of jobs, newest first, and figures for the whole queue.

    ``oldest_age_s`` is the age of the oldest pending job, ``done_last_minute`` the throughput.
    """

    jobs: list[JobRow]
    next_cursor: str | None
    counts: list[JobCount]
    oldest_age_s: float | None
    done_last_minute: int


class JobChange(Struct, kw_only=True):
    """The new status of a failed job: pending, discarded, or superseded by a newer job."""

    id: str
    status: str
    success: bool = True


class JobsRetry(FilterRequest, kw_only=True):
    """The failed jobs to retry: those of a type, or all."""

    type: str | None = None


class JobsChange(Struct, kw_only=True):
    """The number of jobs changed."""

    affected: int
    success: bool = True


class EmbeddingRow(Struct, kw_only=True, rename="camel"):
    """A memory that has an embedding; ``vector`` is null unless requested."""

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
    """A page of embeddings."""

    embeddings: list[EmbeddingRow]
    count: int
    total: int
    limit: int
    offset: int
    has_more: bool


class TrackerStatus(Struct, kw_only=True, rename="camel"):
    """What the tracker of missing embeddings has done since the daemon started."""

    running: bool
    processed: int
    failed: int
    skipped_cycles: int
    last_cycle_at: str | None
    queue_depth: int


class ProviderStatus(Struct, kw_only=True):
    """The configured model and whether it's available; checked at most twice a minute."""

    provider: str
    model: str
    base_url: str
    available: bool
    dimensions: int | None
    error: str | None
    checkedAt: str  # noqa: N815 - the contract's name among others that are not in camel case
    tracker: TrackerStatus | None


class HealthConfig(Struct, kw_only=True):
    """The configured model."""

    provider: str
    model: str
    dimensions: int


class HealthCheckRow(Struct, kw_only=True):
    """The result of one health check, and how to fix a problem."""

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str
    detail: str
    fix: str


class VectorHealthReply(Struct, kw_only=True, rename="camel"):
    """The health of the embeddings: healthy from a score of 0.8, degraded from 0.5."""

    status: str
    score: float
    checked_at: str
    config: HealthConfig
    checks: list[HealthCheckRow]


class GapsReply(Struct, kw_only=True):
    """The number of memories without an embedding; ``coverage`` is the percentage with one."""

    unembedded: int
    total: int
    coverage: str
