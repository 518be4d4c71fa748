"""The report of the Health page."""

from collections.abc import Sequence

from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.api.status.agent_health import agent_rows
from intaglio.api.status.backup_health import backup_health
from intaglio.domain.health import WEIGHTS, HealthDomain
from intaglio.domain.issues import Issue
from intaglio.health.diagnosis import Diagnosis, worst_first
from intaglio.health.titles import TITLES
from intaglio.health.trend import HealthTrend, no_trend
from intaglio.health.values import CheckOutcome, DomainHealth
from intaglio.wire.health import CheckRow, DomainRow, FigureRow, HealthReport
from intaglio.wire.status import CompositeRow, IssueRow


async def health_report(services: Services) -> HealthReport:
    """Return how the installation is; domains that nothing checks are left out."""
    found = await services.get(Diagnosis).read()
    trend = await services.get(HealthTrend).read()
    return HealthReport(
        at=found.at,
        sentence=found.sentence,
        is_well=found.is_well,
        composite=CompositeRow(score=found.composite, status=found.status),
        issues=issue_rows(found.issues),
        domains=[
            _domain(name, domain, trend.get(name, no_trend()))
            for name, domain in found.domains.items()
            if domain.checks
        ],
        agents=await agent_rows(services),
        backups=await backup_health(services),
    )


def issue_rows(issues: Sequence[Issue]) -> list[IssueRow]:
    """Return issues as the API shows them."""
    return [convert(issue, IssueRow) for issue in issues]


def _domain(name: HealthDomain, domain: DomainHealth, trend: Sequence[float | None]) -> DomainRow:
    return DomainRow(
        name=name,
        title=TITLES[name],
        weight=WEIGHTS.get(name, 0.0),
        score=domain.score,
        status=domain.status,
        line=_line(domain.checks),
        figures=[convert(figure, FigureRow) for figure in domain.figures],
        checks=[_check(each) for each in domain.checks],
        trend=list(trend),
    )


def _line(checks: Sequence[CheckOutcome]) -> str:
    """Say the worst that was found, or how it is."""
    known = [each.checked for each in checks if each.checked is not None]
    if issues := worst_first(issue for each in known for issue in each.issues):
        return issues[0].title
    if len(known) < len(checks):
        return "Not checked"
    return "; ".join(each.line for each in known if each.line) or "Nothing is wrong"


def _check(outcome: CheckOutcome) -> CheckRow:
    checked, check = outcome.checked, outcome.check
    if checked is None:
        result = "unknown"
    else:
        worst = next(iter(worst_first(checked.issues)), None)
        result = worst.level if worst else "ok"
    return CheckRow(
        name=check.name,
        title=check.title,
        reads=check.reads,
        result=result,
        checked_at=outcome.at,
    )
