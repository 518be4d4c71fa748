"""Health in the daemon: what all checks find, and the repairs of what is wrong."""

from datetime import timedelta

from intaglio.health.diagnosis import Diagnosis
from intaglio.health.repair import rows
from intaglio.health.repair.gate import RepairGate
from intaglio.health.repair.migrations import REPAIR_MIGRATIONS
from intaglio.health.repair.repairs import Repairs
from intaglio.health.repair.settings import RepairSettings
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import (
    KeptData,
    Package,
    PackageChecks,
    PackageRepairs,
    Part,
    SweepStep,
    singly,
)
from intaglio.store.settings import RetentionSettings


def part(kernel: Kernel) -> Part:
    """Wire diagnosis and repairs; the declarations are known once all parts are built."""
    diagnosis = Diagnosis(
        checks=lambda: kernel.get(PackageChecks).all,
        clock=kernel.clock,
        monotonic_s=kernel.monotonic_s,
        state=lambda: kernel.database.state,
    )
    repairs = Repairs(
        db=kernel.database,
        context=kernel.change_context,
        gate=RepairGate(
            lambda: kernel.settings().of(RepairSettings), kernel.frozen, kernel.monotonic_s
        ),
        declared=lambda: kernel.get(PackageRepairs).all,
        undo_within=lambda: timedelta(days=kernel.settings().of(MemorySettings).tombstone_days),
        background=kernel.background,
        done=diagnosis.invalidate,
    )
    return Part(services=(diagnosis, repairs), close=diagnosis.close)


PACKAGE = Package(
    name="health",
    tables={
        "repair_runs": "the repairs that were run: when, by whom, why, how much each changed, and "
        "the ids that undoing it needs; no text of a memory",
    },
    migrations=REPAIR_MIGRATIONS,
    retention=(
        SweepStep(
            "repair_runs",
            lambda s: s.of(RetentionSettings).history_days,
            rows.expired,
            singly(rows.purge),
        ),
    ),
    kept=(
        KeptData(
            "`repair_runs`",
            "180 days",
            deleted_by="step `repair_runs`",
            settings=("retention.historyDays",),
        ),
    ),
    make=part,
)
