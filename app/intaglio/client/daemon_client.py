"""A client of the daemon: its endpoints as methods. Every refusal is an `IntaglioError`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

import httpx
import msgspec

from intaglio.client.analytics_client import AnalyticsClient
from intaglio.client.history_client import HistoryClient
from intaglio.client.statistics_client import StatisticsClient
from intaglio.client.update_client import UpdateClient
from intaglio.wire.access import SignInPageReply, SignInPageRequest
from intaglio.wire.capture import CapturedSince, CaptureReply, PauseRequest
from intaglio.wire.capture_review import (
    CaptureReviewKeepRequest,
    CaptureReviewKept,
    CaptureReviewList,
)
from intaglio.wire.changes import (
    BatchForgetReply,
    BatchForgetRequest,
    BatchRecoverReply,
    BatchRecoverRequest,
    ForgetPreview,
    ModifyRequest,
    MutationReply,
    ValidityRequest,
)
from intaglio.wire.checkpoints import CheckpointList
from intaglio.wire.commits import (
    CommitDetail,
    CommitList,
    CommitReading,
    CommitReadRequest,
    CommitSwitchRequest,
    ForgottenCommit,
)
from intaglio.wire.finding import FindReply
from intaglio.wire.harnesses import HookTestReply
from intaglio.wire.health import HealthReport
from intaglio.wire.inbox import (
    BulkDecisionRequest,
    DecisionList,
    DecisionRequest,
    EvidenceReply,
    InboxKindList,
    InboxKindRow,
    InboxList,
    InboxMatches,
    InboxRow,
    UndoRequest,
)
from intaglio.wire.knowledge import (
    AddAliasRequest,
    AliasList,
    AspectList,
    AttributeList,
    DependencyList,
    EntityChangeList,
    EntityChangeReply,
    EntityDetail,
    EntityList,
    EntityMemoryList,
    EntityPatch,
    KnowledgeStats,
    MergeRequest,
    PinReply,
    PinRequest,
    SplitRequest,
    SuppressReply,
)
from intaglio.wire.memory import (
    HistoryReply,
    IdMatches,
    MemoryList,
    MemoryRow,
    RecallReply,
    RecallRequest,
    RememberReply,
    RememberRequest,
)
from intaglio.wire.models import (
    ModelConfirmRequest,
    ModelRoleName,
    ModelsReply,
    ModelTestReply,
    ModelTestRequest,
    ModelUsageReply,
)
from intaglio.wire.pipeline import RedoReply, RedoRequest, StageList, StagePauseReply
from intaglio.wire.pipeline_prompts import ShownRequests
from intaglio.wire.places import ProjectPlaces
from intaglio.wire.projection import MapRunRequest, ProjectionState
from intaglio.wire.projects import (
    ProjectChangeList,
    ProjectChangeReply,
    ProjectChangeRequest,
    ProjectChangeRow,
    ProjectDetail,
    ProjectList,
    ProjectUndoRequest,
)
from intaglio.wire.sessions import (
    BypassReply,
    BypassRequest,
    PreviewReply,
    PreviewRequest,
    SessionDetail,
    SessionList,
)
from intaglio.wire.settings import (
    ProjectSettingsChange,
    ProjectSettingsReply,
    ProjectSettingsRequest,
    SettingsChangeReply,
    SettingsChangeRequest,
    SettingsReply,
)
from intaglio.wire.status import (
    Acknowledged,
    BackupList,
    BackupRow,
    BackupTestReply,
    EmptyDatabaseReply,
    LinkReply,
    RestoreReply,
    RestoreRequest,
    Status,
)
from intaglio.wire.workspace import SyncResult, WorkspaceState

# A call may take as long as the longest deadline that the settings allow, and its list of models.
_MODEL_S: Final = 320.0


class DaemonClient(HistoryClient, StatisticsClient, AnalyticsClient, UpdateClient):
    """The daemon's endpoints; use it as a context manager."""

    def status(self) -> Status:
        """Return the daemon's status in full."""
        return self.send("GET", "/api/status", Status)

    def health_report(self) -> HealthReport:
        """Return what the health checks found."""
        return self.send("GET", "/api/health", HealthReport)

    def settings(self) -> SettingsReply:
        """Return all settings."""
        return self.send("GET", "/api/settings", SettingsReply)

    def change_settings(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        return self.send("POST", "/api/settings", SettingsChangeReply, body=request, owner=True)

    def remember(self, request: RememberRequest) -> RememberReply:
        """Save a memory."""
        return self.send("POST", "/api/memory/remember", RememberReply, body=request)

    def recall(self, request: RecallRequest) -> RecallReply:
        """Search memories."""
        return self.send("POST", "/api/memory/recall", RecallReply, body=request)

    def preview(self, request: PreviewRequest) -> PreviewReply:
        """Preview what the next session would be told."""
        return self.send("POST", "/api/sessions/preview", PreviewReply, body=request)

    def project(self, key: str) -> ProjectDetail:
        """Return a project, which may be one that has nothing yet."""
        query = httpx.QueryParams({"project": key})
        return self.send("GET", f"/api/projects/detail?{query}", ProjectDetail)

    def projects(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> ProjectList:
        """List the projects, the latest active first; ``cursor`` is that of the page before."""
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        path = f"/api/projects?{httpx.QueryParams(query)}"
        return self.send("GET", path, ProjectList, owner=True)

    def change_project(self, request: ProjectChangeRequest) -> ProjectChangeReply:
        """Change a whole project, or preview that."""
        return self.send(
            "POST", "/api/projects/changes", ProjectChangeReply, body=request, owner=True
        )

    def project_changes(self, limit: int) -> ProjectChangeList:
        """List the latest changes of whole projects, newest first."""
        path = f"/api/projects/changes?limit={limit}"
        return self.send("GET", path, ProjectChangeList, owner=True)

    def undo_project_change(self, change_id: str | None, by: str) -> ProjectChangeRow:
        """Undo a change of a whole project; None for the latest one."""
        request = ProjectUndoRequest(id=change_id, changed_by=by)
        return self.send(
            "POST", "/api/projects/changes/undo", ProjectChangeRow, body=request, owner=True
        )

    def project_settings(self, project: str) -> ProjectSettingsReply:
        """Return what is set for a project."""
        query = httpx.QueryParams({"project": project})
        return self.send("GET", f"/api/projects/settings?{query}", ProjectSettingsReply)

    def change_project_settings(self, request: ProjectSettingsRequest) -> ProjectSettingsChange:
        """Set values for a project."""
        path = "/api/projects/settings"
        return self.send("PUT", path, ProjectSettingsChange, body=request, owner=True)

    def project_places(self, project: str) -> ProjectPlaces:
        """Check the places that a project's memories name, and return what became of them."""
        query = httpx.QueryParams({"project": project, "check": "true"})
        return self.send("GET", f"/api/projects/places?{query}", ProjectPlaces)

    def commits(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> CommitList:
        """List commits, newest first, or those that match ``q``, best first."""
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        return self.send("GET", f"/api/commits?{httpx.QueryParams(query)}", CommitList)

    def commit(self, project: str, commit_hash: str) -> CommitDetail:
        """Return a commit with its body and its files."""
        return self.send("GET", _commit(project, commit_hash), CommitDetail)

    def forget_commit(self, project: str, commit_hash: str) -> ForgottenCommit:
        """Forget a commit."""
        return self.send("DELETE", _commit(project, commit_hash), ForgottenCommit, owner=True)

    def restore_commit(self, project: str, commit_hash: str) -> ForgottenCommit:
        """Read a forgotten commit again."""
        path = _commit(project, commit_hash, "/restore")
        return self.send("POST", path, ForgottenCommit, owner=True)

    def switch_commits(self, project: str, *, enabled: bool) -> CommitReading:
        """Read the commits of a project, or don't."""
        body = CommitSwitchRequest(project=project, enabled=enabled)
        return self.send("PUT", "/api/projects/commits", CommitReading, body=body, owner=True)

    def read_commits(self, project: str) -> CommitReading:
        """Read the new commits of a project."""
        body = CommitReadRequest(project=project)
        return self.send("POST", "/api/projects/commits/read", CommitReading, body=body, owner=True)

    def find(self, words: str, limit: int, project: str | None = None) -> FindReply:
        """Search everything; ``limit`` is the most of a kind."""
        query = {"q": words, "limit": str(limit)} | ({"project": project} if project else {})
        return self.send("GET", f"/api/find?{httpx.QueryParams(query)}", FindReply, owner=True)

    def sessions(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> SessionList:
        """List the sessions of all agents, the latest active first.

        ``cursor`` is that of the page before.
        """
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        path = f"/api/sessions?{httpx.QueryParams(query)}"
        return self.send("GET", path, SessionList, owner=True)

    def session(self, session_id: str) -> SessionDetail:
        """Return what a session was told, asked and led to."""
        path = f"/api/sessions/{quote(session_id, safe='')}"
        return self.send("GET", path, SessionDetail, owner=True)

    def bypass_session(self, session_id: str, *, enabled: bool) -> BypassReply:
        """Switch a session off, so that nothing is told or kept in it, or on again."""
        path = f"/api/sessions/{quote(session_id, safe='')}/bypass"
        asked = BypassRequest(enabled=enabled)
        return self.send("POST", path, BypassReply, body=asked, owner=True)

    def checkpoints(self, session: SessionDetail) -> CheckpointList:
        """Return where a session stood at times, the latest first."""
        query = httpx.QueryParams({"harness": session.harness})
        path = f"/api/checkpoints/{quote(session.key, safe='')}?{query}"
        return self.send("GET", path, CheckpointList, owner=True)

    def shown_prompts(self, session_id: str) -> ShownRequests:
        """Return the requests to a language model that reading a session would cause."""
        query = httpx.QueryParams({"session": session_id})
        return self.send("GET", f"/api/pipeline/prompts?{query}", ShownRequests, owner=True)

    def memories(
        self,
        limit: int = 100,
        cursor: str | None = None,
        filters: Mapping[str, str] = MappingProxyType({}),
    ) -> MemoryList:
        """List memories, newest first; ``cursor`` is the page before's ``next_cursor``.

        ``filters`` are query parameters of the list.
        """
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        return self.send("GET", f"/api/memories?{httpx.QueryParams(query)}", MemoryList)

    def match_ids(self, part: str) -> IdMatches:
        """List the memories, forgotten ones too, whose ids start or end with ``part``."""
        query = httpx.QueryParams({"prefix": part, "suffix": part})
        return self.send("GET", f"/api/memories/ids?{query}", IdMatches)

    def history(self, memory_id: str) -> HistoryReply:
        """List the changes of a memory, oldest first."""
        return self.send("GET", f"/api/memory/{quote(memory_id, safe='')}/history", HistoryReply)

    def evidence(self, memory_id: str) -> EvidenceReply:
        """List what the user said that a memory is based on, oldest first."""
        path = f"/api/memories/{quote(memory_id, safe='')}/evidence"
        return self.send("GET", path, EvidenceReply)

    def modify(self, memory_id: str, change: ModifyRequest) -> MutationReply:
        """Change fields of a memory."""
        path = f"/api/memory/{quote(memory_id, safe='')}"
        return self.send("PATCH", path, MutationReply, body=change)

    def preview_forget(self, request: BatchForgetRequest) -> ForgetPreview:
        """Return the memories that `forget` would forget."""
        body = msgspec.structs.replace(request, mode="preview")
        return self.send("POST", "/api/memory/forget", ForgetPreview, body=body)

    def forget(self, request: BatchForgetRequest) -> BatchForgetReply:
        """Forget the selected memories."""
        body = msgspec.structs.replace(request, mode="execute")
        return self.send("POST", "/api/memory/forget", BatchForgetReply, body=body)

    def forget_all(self, ids: Sequence[str], reason: str, by: str) -> BatchForgetReply:
        """Forget memories that the user has seen."""
        request = BatchForgetRequest(ids=list(ids), reason=reason, changed_by=by)
        request.confirm_token = self.preview_forget(request).confirm_token
        return self.forget(request)

    def reinstate(self, memory_id: str, request: ValidityRequest) -> MutationReply:
        """Use a replaced memory again."""
        path = f"/api/memory/{quote(memory_id, safe='')}/reinstate"
        return self.send("POST", path, MutationReply, body=request)

    def recover(self, request: BatchRecoverRequest) -> BatchRecoverReply:
        """Restore forgotten memories."""
        return self.send("POST", "/api/memory/recover", BatchRecoverReply, body=request)

    def recent(self, limit: int) -> list[MemoryRow]:
        """List the newest memories, at most ``limit`` (1 to 1,000)."""
        return self.memories(limit).memories

    def inbox(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> InboxList:
        """List inbox items, newest first; ``cursor`` is that of the page before."""
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        return self.send("GET", f"/api/inbox?{httpx.QueryParams(query)}", InboxList)

    def match_inbox(self, part: str) -> InboxMatches:
        """List the inbox items, open and done, whose ids start or end with ``part``."""
        query = httpx.QueryParams({"prefix": part, "suffix": part})
        return self.send("GET", f"/api/inbox/ids?{query}", InboxMatches)

    def inbox_kinds(self) -> list[InboxKindRow]:
        """List the kinds of inbox items, with the decisions that each takes."""
        return self.send("GET", "/api/inbox/kinds", InboxKindList).kinds

    def decide(self, item_id: str, request: DecisionRequest) -> InboxRow:
        """Decide on an inbox item."""
        path = f"/api/inbox/{quote(item_id, safe='')}"
        return self.send("POST", path, InboxRow, body=request, owner=True)

    def decide_all(self, request: BulkDecisionRequest) -> DecisionList:
        """Decide the same on several inbox items."""
        return self.send("POST", "/api/inbox/bulk", DecisionList, body=request, owner=True)

    def undo_decisions(self, request: UndoRequest) -> DecisionList:
        """Undo decisions on inbox items."""
        return self.send("POST", "/api/inbox/undo", DecisionList, body=request, owner=True)

    def entities(
        self, limit: int, offset: int, filters: Mapping[str, str] = MappingProxyType({})
    ) -> EntityList:
        """List entities, pinned ones first, then the most mentioned."""
        query = httpx.QueryParams({**filters, "limit": str(limit), "offset": str(offset)})
        return self.send("GET", f"/api/knowledge/entities?{query}", EntityList)

    def knowledge_stats(self) -> KnowledgeStats:
        """Count the graph."""
        return self.send("GET", "/api/knowledge/stats", KnowledgeStats)

    def entity(self, entity_id: str) -> EntityDetail:
        """Return an entity."""
        return self.send("GET", _entity(entity_id), EntityDetail)

    def aliases(self, entity_id: str) -> AliasList:
        """List the names of an entity."""
        return self.send("GET", f"{_entity(entity_id)}/aliases", AliasList)

    def aspects(self, entity_id: str) -> AspectList:
        """List the aspects of an entity, weightiest first."""
        return self.send("GET", f"{_entity(entity_id)}/aspects", AspectList)

    def constraints(self, entity_id: str, aspect_id: str) -> AttributeList:
        """List the constraints below an aspect; ``unclassified`` has those without one."""
        path = f"{_entity(entity_id)}/aspects/{quote(aspect_id, safe='')}/attributes"
        return self.send("GET", f"{path}?kind=constraint&status=active", AttributeList)

    def dependencies(self, entity_id: str) -> DependencyList:
        """List what an entity depends on, and what depends on it."""
        return self.send("GET", f"{_entity(entity_id)}/dependencies", DependencyList)

    def entity_memories(self, entity_id: str, limit: int) -> EntityMemoryList:
        """List the newest memories of an entity."""
        return self.send("GET", f"{_entity(entity_id)}/memories?limit={limit}", EntityMemoryList)

    def entity_changes(self, entity_id: str, limit: int) -> EntityChangeList:
        """List the user's changes of an entity, newest first."""
        return self.send("GET", f"{_entity(entity_id)}/changes?limit={limit}", EntityChangeList)

    def pin_entity(self, entity_id: str, reason: str | None = None) -> PinReply:
        """Pin an entity."""
        body = PinRequest(reason=reason)
        return self.send("POST", f"{_entity(entity_id)}/pin", PinReply, body=body)

    def unpin_entity(self, entity_id: str) -> PinReply:
        """Unpin an entity."""
        return self.send("DELETE", f"{_entity(entity_id)}/pin", PinReply)

    def suppress_entity(self, entity_id: str) -> SuppressReply:
        """Suppress an entity."""
        return self.send("POST", f"{_entity(entity_id)}/suppress", SuppressReply)

    def unsuppress_entity(self, entity_id: str) -> SuppressReply:
        """Let a suppressed entity count again."""
        return self.send("DELETE", f"{_entity(entity_id)}/suppress", SuppressReply)

    def change_entity(self, entity_id: str, change: EntityPatch) -> EntityChangeReply:
        """Change fields of an entity."""
        return self.send("PATCH", _entity(entity_id), EntityChangeReply, body=change)

    def merge_entity(self, entity_id: str, into: str) -> EntityChangeReply:
        """Merge an entity into another one."""
        body = MergeRequest(into=into)
        return self.send("POST", f"{_entity(entity_id)}/merge", EntityChangeReply, body=body)

    def split_entity(self, entity_id: str, request: SplitRequest) -> EntityChangeReply:
        """Split memories off an entity."""
        return self.send("POST", f"{_entity(entity_id)}/split", EntityChangeReply, body=request)

    def add_alias(self, entity_id: str, alias: str) -> EntityChangeReply:
        """Add a name to an entity."""
        body = AddAliasRequest(alias=alias)
        return self.send("POST", f"{_entity(entity_id)}/aliases", EntityChangeReply, body=body)

    def remove_alias(self, entity_id: str, alias_id: str) -> EntityChangeReply:
        """Remove a name from an entity."""
        path = f"{_entity(entity_id)}/aliases/{quote(alias_id, safe='')}"
        return self.send("DELETE", path, EntityChangeReply)

    def undo_entity_change(self, change_id: str) -> EntityChangeReply:
        """Undo a change of an entity."""
        path = f"/api/knowledge/changes/{quote(change_id, safe='')}/undo"
        return self.send("POST", path, EntityChangeReply)

    def map_state(self, of: Mapping[str, str]) -> ProjectionState:
        """Return the state of a map; ``of`` has a ``project`` or an ``agent``, or neither."""
        path = f"/api/embeddings/projection/state?{httpx.QueryParams(of)}"
        return self.send("GET", path, ProjectionState, owner=True)

    def run_map(self, request: MapRunRequest) -> ProjectionState:
        """Start computing a map."""
        path = "/api/embeddings/projection/runs"
        return self.send("POST", path, ProjectionState, body=request, owner=True)

    def cancel_map(self, of: Mapping[str, str]) -> ProjectionState:
        """Stop computing a map; ``of`` as for its state."""
        path = f"/api/embeddings/projection/runs?{httpx.QueryParams(of)}"
        return self.send("DELETE", path, ProjectionState, owner=True)

    def capture(self) -> CaptureReply:
        """Return whether capture is paused, and until when."""
        return self.send("GET", "/api/capture", CaptureReply)

    def captured(self, since: str) -> CapturedSince:
        """Count what capture saved and suggested for all agents at or after a time."""
        query = httpx.QueryParams({"since": since})
        return self.send("GET", f"/api/capture/since?{query}", CapturedSince, owner=True)

    def capture_review(
        self, limit: int, cursor: str | None, *, forgotten: bool
    ) -> CaptureReviewList:
        """List captured memories that the present judge would not keep, least sure first."""
        query = {"limit": str(limit), "forgotten": str(forgotten).lower()}
        query |= {"cursor": cursor} if cursor else {}
        path = f"/api/capture/review?{httpx.QueryParams(query)}"
        return self.send("GET", path, CaptureReviewList, owner=True)

    def keep_reviewed(self, request: CaptureReviewKeepRequest) -> CaptureReviewKept:
        """Keep memories of the review, or list them again."""
        path = "/api/capture/review/keep"
        return self.send("POST", path, CaptureReviewKept, body=request, owner=True)

    def pause(self, minutes: int | None = None, until: str | None = None) -> CaptureReply:
        """Pause capture: for minutes, until a moment or ``tomorrow``, else until resumed."""
        body = PauseRequest(minutes=minutes, until=until)
        return self.send("POST", "/api/capture/pause", CaptureReply, body=body, owner=True)

    def resume(self) -> CaptureReply:
        """Resume capture; nothing changes where it isn't paused."""
        return self.send("POST", "/api/capture/resume", CaptureReply, owner=True)

    def pipeline_stages(self) -> StageList:
        """List the stages that ask a language model: what each does, and what it costs."""
        return self.send("GET", "/api/pipeline/stages", StageList)

    def pause_stage(self, stage: str, *, paused: bool) -> StagePauseReply:
        """Pause a stage, or resume it."""
        path = f"/api/pipeline/stages/{quote(stage, safe='')}/{'pause' if paused else 'resume'}"
        return self.send("POST", path, StagePauseReply, owner=True)

    def redo_stage(self, request: RedoRequest) -> RedoReply:
        """Do again what a stage has made since a time, or only estimate that."""
        return self.send("POST", "/api/pipeline/redo", RedoReply, body=request, owner=True)

    def models(self) -> ModelsReply:
        """Return the configured language models, their states, and today's use."""
        return self.send("GET", "/api/models", ModelsReply)

    def test_model(self, role: ModelRoleName) -> ModelTestReply:
        """Ask a language model one tiny question; waits as long as the settings let it take."""
        body = ModelTestRequest(role=role)
        return self.send(
            "POST", "/api/models/test", ModelTestReply, body=body, owner=True, timeout=_MODEL_S
        )

    def model_usage(self, days: int) -> ModelUsageReply:
        """Return what calls of language models used in the last days."""
        return self.send("GET", f"/api/models/usage?days={days}", ModelUsageReply)

    def confirm_model(self, request: ModelConfirmRequest) -> ModelsReply:
        """Agree to a language model."""
        return self.send("POST", "/api/models/confirm", ModelsReply, body=request, owner=True)

    def test_harness(self, harness: str) -> HookTestReply:
        """Run a harness's own hook, and say whether it reaches the daemon."""
        path = f"/api/harnesses/{quote(harness, safe='')}/test"
        return self.send("POST", path, HookTestReply, owner=True)

    def workspace(self) -> WorkspaceState:
        """Return the workspace's files and what they are written to."""
        return self.send("GET", "/api/workspace", WorkspaceState)

    def sync_workspace(self) -> SyncResult:
        """Sync the workspace's files now."""
        return self.send("POST", "/api/workspace/sync", SyncResult, owner=True)

    def confirm_clock(self) -> Acknowledged:
        """Confirm that the clock is right after a jump."""
        return self.send("POST", "/api/clock/confirm", Acknowledged, owner=True)

    def backups(self) -> BackupList:
        """List the backups of the database."""
        return self.send("GET", "/api/backups", BackupList)

    def make_backup(self) -> BackupRow:
        """Make a backup of the database now."""
        return self.send("POST", "/api/backups", BackupRow, owner=True)

    def test_backup(self, name: str | None = None) -> BackupTestReply:
        """Restore a backup into a temporary folder; the newest one by default."""
        body = RestoreRequest(name=name)
        return self.send("POST", "/api/backups/test", BackupTestReply, body=body, owner=True)

    def restore(self, name: str | None = None) -> RestoreReply:
        """Replace the database with a backup; with the newest good one by default."""
        body = RestoreRequest(name=name)
        return self.send("POST", "/api/backups/restore", RestoreReply, body=body, owner=True)

    def create_empty_database(self) -> EmptyDatabaseReply:
        """Create an empty database in the place of a missing one."""
        return self.send("POST", "/api/backups/create-empty", EmptyDatabaseReply, owner=True)

    def sign_in_link(self) -> LinkReply:
        """Create a link that signs a browser in."""
        return self.send("POST", "/api/auth/link", LinkReply, owner=True)

    def sign_in_page(self, request: SignInPageRequest) -> SignInPageReply:
        """Create a private file that leads a browser to a sign-in link."""
        return self.send("POST", "/api/auth/page", SignInPageReply, body=request, owner=True)

    def stop(self) -> None:
        """Request that the daemon stops."""
        self.send("POST", "/api/daemon/stop", Acknowledged, owner=True)


def _entity(entity_id: str) -> str:
    return f"/api/knowledge/entities/{quote(entity_id, safe='')}"


def _commit(project: str, commit_hash: str, action: str = "") -> str:
    query = httpx.QueryParams({"project": project})
    return f"/api/commits/{quote(commit_hash, safe='')}{action}?{query}"
