"""Replies of the diagnostics in the shape that Signet's clients read.

Scores are between 0 and 1. A figure that isn't known, since the database can't be read, is 0 or
null.
"""

from typing import TypeAlias

from msgspec import Struct

from intaglio.domain.health import HealthStatus
from intaglio.wire.status import CompositeRow


class DomainScore(Struct, kw_only=True, frozen=True):
    """How a domain is; healthy from 0.8 on, degraded from 0.5 on."""

    score: float
    status: HealthStatus


class QueueDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """The queue: jobs that could run, for how many seconds the oldest of them has waited.

    ``dead_rate`` is the share of all jobs that failed; ``lease_anomalies`` counts jobs whose worker
    is silent.
    """

    depth: int = 0
    oldest_age_sec: float = 0.0
    dead_rate: float = 0.0
    lease_anomalies: int = 0


class StorageDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """The database: live memories, forgotten ones that can be restored, and its size."""

    total_memories: int = 0
    deleted_tombstones: int = 0
    db_size_bytes: int = 0


class IndexDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """The search index: its rows beside the memories, and the share of these with an embedding.

    ``fts_mismatch`` means that they differ by more than a tenth.
    """

    fts_row_count: int = 0
    memories_row_count: int = 0
    fts_mismatch: bool = False
    embedding_coverage: float = 1.0


class ProviderDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """The latest 100 calls of language models within a day; the rate is 1 without calls."""

    recent_total: int = 0
    recent_successes: int = 0
    recent_failures: int = 0
    recent_timeouts: int = 0
    availability_rate: float = 1.0


class MutationDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """Memories that were restored and forgotten in the last 7 days."""

    recent_recovers: int = 0
    recent_deletes: int = 0


class DuplicateDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """Memories with the words of another, in groups, and their share of all."""

    exact_duplicates: int = 0
    exact_clusters: int = 0
    total_active: int = 0
    duplicate_ratio: float = 0.0


class ConnectorDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """Sources of documents, which Intaglio doesn't have."""

    connector_count: int = 0
    syncing_count: int = 0
    error_count: int = 0
    oldest_error_age: float = 0.0


class UpdateDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """Updates: the last check, and whether a restart would finish one."""

    auto_install_enabled: bool = False
    last_check_succeeded: bool | None = None
    last_check_age_hours: float | None = None
    pending_restart: bool = False
    last_error: str | None = None


class PredictorDiagnostics(DomainScore, kw_only=True, frozen=True, rename="camel"):
    """The predictor of what a session needs, which Intaglio doesn't have."""

    sidecar_alive: bool = False
    model_version: int = 0
    training_sessions: int = 0
    success_rate: float = 0.0
    alpha: float = 0.0
    cold_start_exited: bool = False
    last_trained_at: str | None = None
    crash_count: int = 0
    crash_disabled: bool = False


class OwnDiagnostics(DomainScore, kw_only=True, frozen=True):
    """A domain that only Intaglio has, with its figures by name."""

    figures: dict[str, float | str | bool | None]


DomainDiagnostics: TypeAlias = (
    QueueDiagnostics
    | StorageDiagnostics
    | IndexDiagnostics
    | ProviderDiagnostics
    | MutationDiagnostics
    | DuplicateDiagnostics
    | ConnectorDiagnostics
    | UpdateDiagnostics
    | PredictorDiagnostics
    | OwnDiagnostics
)


class Diagnostics(Struct, kw_only=True, frozen=True):
    """All domains; ``composite`` weighs queue, storage, index, provider, mutation and connector.

    ``own`` has the domains that only Intaglio has.
    """

    timestamp: str
    composite: CompositeRow
    queue: QueueDiagnostics
    storage: StorageDiagnostics
    index: IndexDiagnostics
    provider: ProviderDiagnostics
    mutation: MutationDiagnostics
    duplicate: DuplicateDiagnostics
    connector: ConnectorDiagnostics
    update: UpdateDiagnostics
    predictor: PredictorDiagnostics
    own: dict[str, OwnDiagnostics]
