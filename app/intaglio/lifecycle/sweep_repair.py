"""The retention sweep as a repair: on request, outside of its schedule."""

from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused, RepairResult
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepRefused, SweepReport

_AGAIN_S: Final = 60.0


def sweep_repair(sweep: RetentionSweep) -> Repair:
    """Return the declaration of the repair."""

    async def count(_: RepairOptions) -> RepairResult:
        found = await sweep.count()
        return RepairResult(
            affected=found,
            message=count_of(found, "row is", "rows are") + " past the retention period",
        )

    async def run(_: RepairOptions) -> RepairResult | RepairRefused:
        match await sweep.sweep("asked"):
            case SweepRefused(reason, hint):
                return RepairRefused(reason, _AGAIN_S, hint)
            case SweepReport() as report:
                return _result(report)

    return Repair(
        action="retention-sweep",
        title="Delete what is past its retention period",
        text="Runs the retention sweep now, which deletes rows that are kept no longer.",
        budget="queue",
        count=count,
        run=run,
        is_heavy=True,
    )


def _result(report: SweepReport) -> RepairResult:
    failed = [step.name for step in report.steps if step.error]
    message = count_of(report.removed, "row or file", "rows and files") + " removed"
    if failed:
        message += f"; failed: {', '.join(failed)}"
    return RepairResult(affected=report.removed, message=message)
