"""GET /health and /api/status: how the daemon is."""

from litestar import Controller, get

from intaglio.api.answers import REFUSALS
from intaglio.api.services import Needs
from intaglio.api.state import state_word
from intaglio.base.clock import iso
from intaglio.store.values import Ready
from intaglio.wire.status import Health, ProcessStatus, SettingProblemRow, Status, StoreStatus


def _uptime_s(services: Needs) -> float:
    return round((services.clock() - services.running.started_at).total_seconds(), 3)


class HealthController(Controller):
    """The daemon's own state."""

    tags = ("daemon",)

    @get("/health", operation_id="getHealth", responses=REFUSALS)
    async def health(self, services: Needs) -> Health:
        """Say whether the daemon is well; needs neither database nor token."""
        running = services.running
        state, reason = state_word(services.database.state)
        return Health(
            status="healthy" if state != "degraded" else "degraded",
            state=state,
            reason=reason,
            uptime=_uptime_s(services),
            pid=running.pid,
            version=running.version,
            port=running.port,
            agents_dir=str(running.paths.workspace),
            db=isinstance(services.database.state, Ready),
            update_available=False,
            pending_restart=False,
            install_id=running.install.install_id,
        )

    @get("/api/status", operation_id="getStatus", responses=REFUSALS)
    async def status(self, services: Needs) -> Status:
        """Describe the daemon in full: process, database, settings that could not be taken."""
        running = services.running
        state, reason = state_word(services.database.state)
        used = await services.meter.read()
        return Status(
            status="running",
            state=state,
            reason=reason,
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
            active_sessions=0,
            process=ProcessStatus(
                rss_bytes=used.rss,
                threads=used.threads,
                handles=used.handles,
                children=used.children,
                cpu_s=used.cpu_s,
                disk_free_bytes=used.disk_free,
            ),
            store=StoreStatus(
                bytes=0,
                schema_version=0,
                memories=0,
                deleted=0,
                jobs_pending=0,
                waiting_writes=0,
                spool=0,
                last_backup=None,
            ),
            setting_problems=[
                SettingProblemRow(key=problem.key, message=problem.message)
                for problem in services.setting_problems()
            ],
        )
