"""Replies of the analytics endpoints; counts are those since the daemon started."""

from msgspec import UNSET, Struct, UnsetType


class EndpointCounts(Struct, kw_only=True, rename="camel"):
    """The requests of an endpoint; ``errors`` have a status of 400 or above."""

    count: int
    errors: int
    total_latency_ms: float


class ActorCounts(Struct, kw_only=True):
    """The requests of an actor, and what they did to memories."""

    requests: int
    remembers: int
    recalls: int
    mutations: int


class ProviderCounts(Struct, kw_only=True, rename="camel"):
    """The calls of a provider of models."""

    calls: int
    failures: int
    total_latency_ms: float


class ConnectorCounts(Struct, kw_only=True, rename="camel"):
    """How often documents were read from a connector."""

    syncs: int
    errors: int
    documents_processed: int


class UsageReply(Struct, kw_only=True):
    """What was called: by endpoint (method and path with names of parameters), by actor and so on.

    Actors are shown to the user; an agent sees its own. There are no connectors yet.
    """

    endpoints: dict[str, EndpointCounts]
    actors: dict[str, ActorCounts]
    providers: dict[str, ProviderCounts]
    connectors: dict[str, ConnectorCounts]


class ErrorRow(Struct, kw_only=True, rename="camel"):
    """An error; ``memory_id`` is left out if the memory is gone or the caller may not read it."""

    timestamp: str
    stage: str
    code: str
    message: str
    request_id: str | UnsetType = UNSET
    memory_id: str | UnsetType = UNSET
    actor: str | UnsetType = UNSET


class ErrorsReply(Struct, kw_only=True):
    """The newest errors, oldest first, and how many there are of each code."""

    errors: list[ErrorRow]
    summary: dict[str, int]


class MutationSafety(Struct, kw_only=True, rename="camel"):
    """The domain of changes in Health: its score from 0 to 1 and how much was restored lately."""

    score: float
    status: str
    recent_recovers: int
    recent_deletes: int


class MemorySafetyReply(Struct, kw_only=True, rename="camel"):
    """How safely memories are changed: restores and deletions, and changes that were refused."""

    mutation: MutationSafety
    recent_errors: list[ErrorRow]
    error_summary: dict[str, int]


class LatencyRow(Struct, kw_only=True):
    """Percentiles and mean in ms of the newest 1,000 samples; ``count`` is that of all samples."""

    p50: float = 0.0
    p95: float = 0.0
    p99: float = 0.0
    count: int = 0
    mean: float = 0.0


class LatencyReply(Struct, kw_only=True):
    """How long operations take: requests until their response starts, and work in the background.

    ``hooks`` are what agents wait for, ``capture`` the reading of turns, ``jobs`` runs of the
    queue. There is no predictor, so its rows are zeros.
    """

    remember: LatencyRow
    recall: LatencyRow
    mutate: LatencyRow
    jobs: LatencyRow
    hooks: LatencyRow
    capture: LatencyRow
    predictor_score: LatencyRow
    predictor_train: LatencyRow


class ContinuityRow(Struct, kw_only=True):
    """How useful a session's memories were to it, by the ratings of its agent.

    ``score`` is their mean between 0 (all harmful) and 1 (all decisive); ``memories_recalled`` is
    how many the session was told, ``memories_used`` how many were rated above 0.
    """

    id: str
    session_key: str
    project: str | None
    harness: str
    score: float
    memories_recalled: int
    memories_rated: int
    memories_used: int
    created_at: str


class ContinuitySummary(Struct, kw_only=True):
    """The scores together; ``trend`` is the mean of the newer half minus that of the older one."""

    count: int
    average: float
    trend: float
    latest: float | None


class ContinuityReply(Struct, kw_only=True):
    """The scores of sessions, the latest first."""

    scores: list[ContinuityRow]
    summary: ContinuitySummary


class ProjectScore(Struct, kw_only=True):
    """The latest score of a project's sessions."""

    project: str | None
    score: float
    created_at: str


class LatestContinuity(Struct, kw_only=True):
    """The latest score of each project."""

    scores: list[ProjectScore]
