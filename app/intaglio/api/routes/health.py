"""GET /health and GET /api/status: the daemon's health and full status."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.retention import retention_status
from intaglio.api.routes.capture import capture_status
from intaglio.api.routes.clock import clock_status
from intaglio.api.routes.models import language_model_status
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.updates import update_status
from intaglio.api.services import Services
from intaglio.api.status.database_state import cause_and_hint, state_word
from intaglio.api.status.health_report import issue_rows
from intaglio.api.status.process_stats import ProcessMeter
from intaglio.api.status.signet_fields import (
    log_places,
    pipeline_settings,
    provider_resolutions,
)
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.harness.connections import Connections
from intaglio.harness.spool import rejected_files
from intaglio.health.diagnosis import Diagnosis
from intaglio.inbox import rows as inbox
from intaglio.jobs import rows as jobs
from intaglio.memory import rows as memories
from intaglio.pauses.service import Pauses
from intaglio.redaction.shown_text import without_secrets
from intaglio.sessions import rows as sessions
from intaglio.store.tx import ReadTx
from intaglio.store.values import Ready
from intaglio.updates.updates import Updates
from intaglio.wire.capture import CaptureStatus
from intaglio.wire.status import (
    CompositeRow,
    EmbeddingStatus,
    Health,
    ProcessStatus,
    QueueStatus,
    SettingProblemRow,
    Status,
    StoreStatus,
)


def _uptime_s(services: Services) -> float:
    return round((services.clock() - services.running.started_at).total_seconds(), 3)


_ACTIVE_FOR: Final = timedelta(hours=4)
_NO_JOBS: Final = QueueStatus(pending=0, leased=0, dead=0)


@dataclass(frozen=True, slots=True)
class _Counts:
    live: int = 0
    forgotten: int = 0
    jobs: int = 0
    sessions: int = 0
    bypassed: int = 0
    inbox: int = 0
    queue: QueueStatus = _NO_JOBS


def _count(tx: ReadTx, since: str) -> _Counts:
    live, forgotten = memories.counts(tx)
    waiting = jobs.counts(tx)
    return _Counts(
        live,
        forgotten,
        waiting.pending,
        sessions.count_active(tx, since),
        sessions.count_bypassed(tx, since),
        sum(inbox.counts(tx).values()),
        QueueStatus(pending=waiting.pending, leased=waiting.leased, dead=waiting.dead),
    )


async def _counts(services: Services) -> _Counts:
    since = iso(services.clock() - _ACTIVE_FOR)
    try:
        return await services.database.read(lambda tx: _count(tx, since))
    except UnavailableError:
        # Not open yet or too damaged to count; the state says which.
        return _Counts()


@dataclass(frozen=True, slots=True)
class _OnDisk:
    bytes: int
    waiting: int
    rejected: int
    last_backup: str | None


def _on_disk(services: Services) -> _OnDisk:
    """Return the database's size, the spooled and rejected hook events, and the last backup."""
    paths = services.running.paths
    files = (paths.database, paths.database.with_name(f"{paths.database.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    waiting = sum(1 for _ in paths.spool.glob("*.json"))
    backups = services.database.list_backups()
    last = next((each.created_at for each in backups if not each.in_future), None)
    return _OnDisk(size, waiting, rejected_files(paths.spool), last)


async def _store(services: Services, counts: _Counts) -> StoreStatus:
    found = await asyncio.to_thread(_on_disk, services)
    return StoreStatus(
        bytes=found.bytes,
        schema_version=services.database.schema_version,
        memories=counts.live,
        deleted=counts.forgotten,
        jobs_pending=counts.jobs,
        waiting_writes=services.database.waiting_writes,
        spool=found.waiting,
        spool_rejected=found.rejected,
        last_backup=found.last_backup,
    )


async def _embedding(services: Services) -> EmbeddingStatus | None:
    search = services.get(SemanticSearch)
    embed = search.embed
    if not embed.is_on:
        return None
    try:
        progress = await embed.progress()
    except UnavailableError:
        return None
    # Read after awaiting the counts, so that both describe the same moment.
    identity, now = embed.embedder.identity, embed.embedder.state
    index = search.vectors.state
    return EmbeddingStatus(
        provider=identity.provider,
        model=identity.model,
        dimensions=identity.dimensions,
        available=now.phase in ("idle", "ready") and not progress.trouble,
        phase=now.phase,
        detail=now.detail or progress.trouble,
        embedded=progress.embedded,
        total=progress.live,
        pending=progress.pending,
        dead=progress.dead,
        searched_meanwhile=search.sets.fallback_model,
        late_interaction=search.questions.has_token_states,
        index_method=index.method,
        index_vectors=index.vectors,
        index_waiting=index.waiting,
        index_candidates=index.candidates,
        index_bytes=index.bytes,
        index_recall=index.recall,
    )


async def _capture(services: Services) -> CaptureStatus | None:
    try:
        return capture_status(await services.get(Pauses).state())
    except UnavailableError:
        return None


class HealthController(Controller):
    """The daemon's state."""

    tags = ("daemon",)

    @get("/health", operation_id="getHealth", opt=declare(Access.PROGRAM))
    async def health(self, services: Services) -> Health:
        """Return whether the daemon is healthy; needs neither the database nor a token."""
        running = services.running
        state, reason = state_word(services.database.state)
        cause, hint = cause_and_hint(services.database.state)
        updates = services.get(Updates)
        return Health(
            status="healthy" if state != "degraded" else "degraded",
            state=state,
            reason=reason,
            cause=cause,
            hint=hint,
            uptime=_uptime_s(services),
            pid=running.pid,
            version=running.version,
            port=running.port,
            agents_dir=str(running.paths.workspace),
            db=isinstance(services.database.state, Ready),
            update_available=updates.is_available,
            pending_restart=updates.pending_version is not None,
            install_id=running.install.install_id,
        )

    @get("/api/status", operation_id="getStatus", opt=declare(Access.PROGRAM))
    async def status(self, services: Services) -> Status:
        """Return the daemon's full status: process, database, queue, agents, and what is wrong."""
        running = services.running
        state, reason = state_word(services.database.state)
        cause, hint = cause_and_hint(services.database.state)
        used = await services.get(ProcessMeter).read()
        counts = await _counts(services)
        connections = await services.get(Connections).recent()
        answer = Status(
            status="running",
            state=state,
            reason=reason,
            cause=cause,
            hint=hint,
            version=running.version,
            pid=running.pid,
            uptime=_uptime_s(services),
            started_at=iso(running.started_at),
            port=running.port,
            host="127.0.0.1",
            bind_host="127.0.0.1",
            agents_dir=str(running.paths.workspace),
            memory_db=running.paths.database.exists(),
            log_file=str(running.paths.log_file),
            command=command(),
            active_sessions=counts.sessions,
            bypassed_sessions=counts.bypassed,
            inbox=counts.inbox,
            process=convert(
                used, ProcessStatus, rss_bytes=used.rss, disk_free_bytes=used.disk_free
            ),
            store=await _store(services, counts),
            queue=counts.queue,
            embedding=await _embedding(services),
            language_model=await language_model_status(services),
            retention=await retention_status(services),
            capture=await _capture(services),
            clock=await clock_status(services),
            setting_problems=[
                SettingProblemRow(
                    key=without_secrets(problem.key), message=without_secrets(problem.message)
                )
                for problem in services.setting_problems()
            ],
            pipeline_v2=dict(pipeline_settings(services)),
            provider_resolution=provider_resolutions(services),
            logging=log_places(services),
            agent_created_at=services.settings().agent_created_at,
            update=update_status(services.get(Updates)),
            agents=[each.label for each in connections if each.state in {"connected", "partly"}],
        )
        found = await services.get(Diagnosis).read()
        answer.issues = issue_rows(found.issues)
        answer.sentence, answer.is_well = found.sentence, found.is_well
        answer.health = CompositeRow(score=found.composite, status=found.status)
        return answer
