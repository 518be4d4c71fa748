"""The retention status: retention periods, the last sweep, and when the next one is due."""

from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepReport
from intaglio.store.vacuum import file_pages
from intaglio.wire.status import RetentionStatus, SweepRow


async def retention_status(services: Services) -> RetentionStatus | None:
    """Return the retention status, or None while the database can't be read."""
    retention = services.get(RetentionSweep)
    try:
        last = await retention.last()
        free = await services.database.read(file_pages)
    except UnavailableError:
        return None
    due = retention.due_at(last)
    return RetentionStatus(
        running=retention.running,
        next_at=iso(due) if due else None,
        free_bytes=free.free * free.page_bytes,
        windows=retention.windows(),
        last=_row(last) if last else None,
    )


def _row(report: SweepReport) -> SweepRow:
    return convert(
        report,
        SweepRow,
        removed={step.name: step.removed for step in report.steps},
        failed={step.name: step.error for step in report.steps if step.error},
    )
