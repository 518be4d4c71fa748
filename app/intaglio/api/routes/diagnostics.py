"""GET /api/health: how the installation is."""

from litestar import Controller, get

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.status.health_report import health_report
from intaglio.wire.health import HealthReport


class DiagnosticsController(Controller):
    """What the health checks found."""

    tags = ("health",)

    @get("/api/health", operation_id="getHealthReport", opt=declare(Access.PROGRAM))
    async def report(self, services: Services) -> HealthReport:
        """Return how the installation is: a sentence, issues, domains, agents and backups.

        The checks run at most every two seconds; those that read much run less often.
        """
        return await health_report(services)
