"""The controllers that answer HTTP, in the order in which the API's document lists them."""

from typing import Final

from litestar import Controller

from intaglio.api.routes.access import AccessController
from intaglio.api.routes.agents import AgentsController
from intaglio.api.routes.analytics import AnalyticsController
from intaglio.api.routes.backups import BackupsController
from intaglio.api.routes.capture import CaptureController
from intaglio.api.routes.capture_review import CaptureReviewController
from intaglio.api.routes.checkpoints import CheckpointsController
from intaglio.api.routes.clock import ClockController
from intaglio.api.routes.commits import CommitsController
from intaglio.api.routes.daemon import DaemonController
from intaglio.api.routes.dashboard import SiteController
from intaglio.api.routes.diagnostics import DiagnosticsController
from intaglio.api.routes.embeddings import EmbeddingsController
from intaglio.api.routes.events import EventsController
from intaglio.api.routes.finding import FindController
from intaglio.api.routes.git import WorkspaceGitController
from intaglio.api.routes.harnesses import HarnessesController
from intaglio.api.routes.health import HealthController
from intaglio.api.routes.history_import import HistoryImportController
from intaglio.api.routes.hooks import HooksController
from intaglio.api.routes.import_uploads import ImportUploadsController
from intaglio.api.routes.inbox import InboxController
from intaglio.api.routes.jobs import JobsController
from intaglio.api.routes.knowledge.changes import EntityChangesController
from intaglio.api.routes.knowledge.entities import EntitiesController
from intaglio.api.routes.knowledge.entity import EntityController
from intaglio.api.routes.knowledge.network import GraphNetworkController
from intaglio.api.routes.knowledge.structure import EntityStructureController
from intaglio.api.routes.knowledge.traversal import GraphTraversalController
from intaglio.api.routes.logs import LogsController
from intaglio.api.routes.mcp import McpController
from intaglio.api.routes.memory.batch import ManyController
from intaglio.api.routes.memory.commits import MemoryCommitsController
from intaglio.api.routes.memory.evidence import EvidenceController
from intaglio.api.routes.memory.facets import FacetsController
from intaglio.api.routes.memory.ids import IdsController
from intaglio.api.routes.memory.memory import MemoryController
from intaglio.api.routes.memory.questions import MemoryQuestionsController
from intaglio.api.routes.models import ModelsController
from intaglio.api.routes.pipeline.calls import ModelCallsController
from intaglio.api.routes.pipeline.prompts import PipelinePromptsController
from intaglio.api.routes.pipeline.proposals import ProposalsController
from intaglio.api.routes.pipeline.stages import PipelineStagesController
from intaglio.api.routes.project_changes import ProjectChangesController
from intaglio.api.routes.project_places import ProjectPlacesController
from intaglio.api.routes.project_settings import ProjectSettingsController
from intaglio.api.routes.projection.labels import MapLabelsController
from intaglio.api.routes.projection.layout import ProjectionController
from intaglio.api.routes.projection.points import MapMatchesController, MapPointsController
from intaglio.api.routes.projection.runs import MapRunsController
from intaglio.api.routes.projects import ProjectsController
from intaglio.api.routes.recall import RecallController
from intaglio.api.routes.repair import RepairController, RetentionController
from intaglio.api.routes.session_bypass import SessionBypassController
from intaglio.api.routes.session_forget import SessionForgetController
from intaglio.api.routes.session_summaries import SessionSummariesController
from intaglio.api.routes.sessions import SessionsController
from intaglio.api.routes.settings import SettingsController
from intaglio.api.routes.similar import SimilarController
from intaglio.api.routes.sources import SourcesController
from intaglio.api.routes.start_at_login import StartAtLoginController
from intaglio.api.routes.statistics import StatisticsController
from intaglio.api.routes.telemetry import TelemetryController
from intaglio.api.routes.timelines import TimelinesController
from intaglio.api.routes.training_export import TrainingExportController
from intaglio.api.routes.uninstall import UninstallController
from intaglio.api.routes.updates import UpdatesController
from intaglio.api.routes.workspace import WorkspaceController
from intaglio.api.signet.compaction import CompactionHooksController
from intaglio.api.signet.config import ConfigController
from intaglio.api.signet.hooks import SignetHooksController
from intaglio.api.signet.legacy_search import LegacyController
from intaglio.api.signet.model_registry import ModelRegistryController
from intaglio.api.signet.pipeline import PipelineStatusController
from intaglio.api.signet.timeline import TimelineController

CONTROLLERS: Final[tuple[type[Controller], ...]] = (
    HealthController,
    DiagnosticsController,
    AccessController,
    BackupsController,
    DaemonController,
    UninstallController,
    EventsController,
    LogsController,
    SiteController,
    SettingsController,
    ConfigController,
    UpdatesController,
    ModelsController,
    ModelRegistryController,
    AgentsController,
    JobsController,
    AnalyticsController,
    TelemetryController,
    TrainingExportController,
    TimelinesController,
    PipelineStatusController,
    PipelineStagesController,
    ModelCallsController,
    ProposalsController,
    EmbeddingsController,
    ProjectionController,
    MapRunsController,
    MapPointsController,
    MapLabelsController,
    MapMatchesController,
    RepairController,
    EntitiesController,
    EntityController,
    EntityStructureController,
    EntityChangesController,
    GraphNetworkController,
    GraphTraversalController,
    MemoryController,
    ManyController,
    RecallController,
    FindController,
    LegacyController,
    SimilarController,
    SourcesController,
    FacetsController,
    IdsController,
    TimelineController,
    InboxController,
    CaptureController,
    CaptureReviewController,
    EvidenceController,
    MemoryQuestionsController,
    MemoryCommitsController,
    ProjectsController,
    ProjectPlacesController,
    ProjectSettingsController,
    CommitsController,
    SignetHooksController,
    HooksController,
    HarnessesController,
    HistoryImportController,
    WorkspaceGitController,
    WorkspaceController,
    ImportUploadsController,
    SessionsController,
    StartAtLoginController,
    StatisticsController,
    RetentionController,
    ClockController,
    SessionForgetController,
    SessionBypassController,
    SessionSummariesController,
    CheckpointsController,
    CompactionHooksController,
    PipelinePromptsController,
    ProjectChangesController,
    McpController,
)
