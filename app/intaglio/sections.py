"""All sections of settings, in the order in which they are listed.

Each is declared in the ``settings.py`` of the package that it belongs to. Within a group, settings
are shown in this order, and a section's in that of its fields.
"""

from typing import Final

from intaglio.api.gate.settings import AuthSettings
from intaglio.base.settings.declaration import SettingsSection
from intaglio.capture.settings import CaptureSettings
from intaglio.code.settings import CodeSettings
from intaglio.commits.settings import CommitSettings
from intaglio.daemon.settings import DaemonSettings
from intaglio.desktop.settings import DesktopSettings
from intaglio.embedding.settings import EmbeddingSettings, TrackerSettings
from intaglio.graph.settings import GraphSettings
from intaglio.health.repair.settings import MaintenanceSettings, RepairSettings
from intaglio.hints.settings import HintSettings
from intaglio.inbox.settings import InboxSettings
from intaglio.jobs.settings import QueueSettings
from intaglio.lifecycle.duplicates.settings import DuplicateSettings
from intaglio.memory.settings import MemorySettings
from intaglio.memory_files.settings import MemoryFileSettings
from intaglio.models.settings import (
    ExtractionModelSettings,
    ModelLimitSettings,
    SynthesisModelSettings,
)
from intaglio.pipeline.settings import PipelineSettings
from intaglio.projection.settings import ProjectionSettings
from intaglio.recall.settings import SearchSettings
from intaglio.session_notes.settings import TurnSettings
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.settings import ContradictionSettings, HarnessSettings, HookSettings
from intaglio.store.settings import BackupSettings, RetentionSettings
from intaglio.telemetry.settings import TelemetrySettings
from intaglio.transcripts.settings import TranscriptSettings
from intaglio.updates.settings import UpdateSettings
from intaglio.workspace.git.settings import WorkspaceGitSettings
from intaglio.workspace.settings import HarnessSyncSettings, WorkspaceSettings

SECTIONS: Final[tuple[SettingsSection, ...]] = (
    HarnessSettings,
    CaptureSettings,
    MemoryFileSettings,
    InboxSettings,
    TranscriptSettings,
    CommitSettings,
    HookSettings,
    ContinuitySettings,
    WorkspaceSettings,
    HarnessSyncSettings,
    ExtractionModelSettings,
    SynthesisModelSettings,
    ModelLimitSettings,
    GraphSettings,
    HintSettings,
    ContradictionSettings,
    CodeSettings,
    WorkspaceGitSettings,
    MemorySettings,
    EmbeddingSettings,
    PipelineSettings,
    TurnSettings,
    RetentionSettings,
    TelemetrySettings,
    BackupSettings,
    DesktopSettings,
    UpdateSettings,
    SearchSettings,
    ProjectionSettings,
    TrackerSettings,
    QueueSettings,
    RepairSettings,
    DuplicateSettings,
    MaintenanceSettings,
    DaemonSettings,
    AuthSettings,
)
