"""The reply of Signet's status of the pipeline. What Intaglio doesn't have is false or null."""

from msgspec import Struct

from intaglio.wire.analytics import LatencyReply
from intaglio.wire.diagnostics import Diagnostics
from intaglio.wire.pipeline import PipelineMode


class PipelineWorker(Struct, kw_only=True):
    """Whether a kind of background work goes on."""

    running: bool


class PipelineWorkers(Struct, kw_only=True, rename="camel"):
    """The kinds of background work, by Signet's names."""

    extraction: PipelineWorker
    summary: PipelineWorker
    document: PipelineWorker
    retention: PipelineWorker
    maintenance: PipelineWorker
    synthesis: PipelineWorker
    structural_classify: PipelineWorker
    structural_dependency: PipelineWorker


class PipelineQueue(Struct, kw_only=True):
    """How many jobs of a queue are in each state."""

    pending: int = 0
    leased: int = 0
    completed: int = 0
    failed: int = 0
    dead: int = 0


class PipelineQueues(Struct, kw_only=True):
    """The jobs about memories, and those about whole sessions."""

    memory: PipelineQueue
    summary: PipelineQueue


class PipelineFeedback(Struct, kw_only=True, rename="camel"):
    """What feedback has changed in the structure of entities: nothing yet."""

    last_run_at: str | None = None
    feedback_aspects_updated: int = 0
    feedback_fts_confirmations: int = 0
    feedback_decayed_aspects: int = 0
    feedback_propagated_attributes: int = 0


class PipelineTraversal(Struct, kw_only=True, rename="camel"):
    """Whether the graph is walked at a session's start."""

    enabled: bool
    last_run: str | None = None


class PipelinePredictor(Struct, kw_only=True, rename="camel"):
    """The predictor of what a session needs, which Intaglio doesn't have."""

    running: bool = False
    model_ready: bool = False
    cold_start_exited: bool = False
    success_rate: float | None = None
    alpha: float | None = None


class PipelineStatus(Struct, kw_only=True, rename="camel"):
    """The pipeline as Signet's clients read it.

    ``diagnostics`` are those of GET /api/diagnostics. ``error_summary`` counts the newest errors
    since the daemon started, by their code.
    """

    workers: PipelineWorkers
    queues: PipelineQueues
    diagnostics: Diagnostics
    latency: LatencyReply
    error_summary: dict[str, int]
    mode: PipelineMode
    feedback: PipelineFeedback
    traversal: PipelineTraversal
    predictor: PipelinePredictor
