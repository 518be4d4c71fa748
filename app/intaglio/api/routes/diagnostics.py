"""GET /api/health and /api/diagnostics: how the installation is."""

from collections.abc import Mapping
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import PathParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.services import Services
from intaglio.api.status.diagnostics import diagnostics_of, domain_diagnostics
from intaglio.api.status.health_report import health_report
from intaglio.base.errors import InvalidInputError
from intaglio.domain.health import HealthDomain
from intaglio.health.diagnosis import DOMAINS, Diagnosis
from intaglio.wire.diagnostics import Diagnostics, DomainDiagnostics
from intaglio.wire.health import HealthReport

_BY_NAME: Final[Mapping[str, HealthDomain]] = {name: name for name in DOMAINS}


class DiagnosticsController(Controller):
    """What the health checks found."""

    tags = ("health",)

    @get("/api/health", operation_id="getHealthReport", opt=declare(Access.PROGRAM))
    async def report(self, services: Services) -> HealthReport:
        """Return how the installation is: a sentence, issues, domains, agents and backups.

        The checks run at most every two seconds; those that read much run less often.
        """
        return await health_report(services)

    @get("/api/diagnostics", operation_id="getDiagnostics", opt=declare(Access.PROGRAM))
    async def diagnostics(self, services: Services) -> Diagnostics:
        """Return all domains with their scores, as Signet's clients read them.

        What is checked, and what to do about it, is in GET /api/health.
        """
        return diagnostics_of(await services.get(Diagnosis).read())

    @get(
        "/api/diagnostics/{domain:str}",
        operation_id="getDomainDiagnostics",
        opt=declare(Access.PROGRAM),
    )
    async def domain(
        self, services: Services, domain: Annotated[str, PathParameter(max_length=100)]
    ) -> DomainDiagnostics:
        """Return one domain with its score."""
        name = _BY_NAME.get(domain)
        if name is None:
            raise InvalidInputError(
                f"Unknown domain: {domain}", hint=f"The domains are {', '.join(DOMAINS)}."
            )
        return domain_diagnostics(await services.get(Diagnosis).read(), name)
