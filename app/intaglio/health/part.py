"""Health in the daemon: what all checks find, and the repairs of what is wrong."""

from datetime import timedelta
from typing import Final

from intaglio.health.diagnosis import Diagnosis
from intaglio.health.migrations import HEALTH_MIGRATIONS
from intaglio.health.repair import rows
from intaglio.health.repair.conditions import reason_to_wait
from intaglio.health.repair.gate import RepairGate
from intaglio.health.repair.maintenance import Maintenance, mode_of
from intaglio.health.repair.migrations import REPAIR_MIGRATIONS
from intaglio.health.repair.repairs import Repairs
from intaglio.health.repair.settings import RepairSettings
from intaglio.health.trend import SAMPLE_EVERY_S, HealthTrend
from intaglio.kernel import Kernel
from intaglio.memory.settings import MemorySettings
from intaglio.package import (
    KeptData,
    Loop,
    Package,
    PackageChecks,
    PackageRepairs,
    Part,
    SweepStep,
    singly,
)
from intaglio.store.settings import RetentionSettings

# Startup belongs to new sessions, and a state that passes is no sample.
_FIRST_SAMPLE_S: Final = 120.0


def part(kernel: Kernel) -> Part:
    """Wire diagnosis and repairs; the declarations are known once all parts are built."""
    diagnosis = Diagnosis(
        checks=lambda: kernel.get(PackageChecks).all,
        clock=kernel.clock,
        monotonic_s=kernel.monotonic_s,
        state=lambda: kernel.database.state,
    )
    trend = HealthTrend(
        db=kernel.database, diagnosis=diagnosis, clock=kernel.clock, local=kernel.local
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
    maintenance = Maintenance(
        diagnosis=diagnosis,
        repairs=repairs,
        settings=kernel.settings,
        clock=kernel.clock,
        monotonic_s=kernel.monotonic_s,
        reason_to_wait=reason_to_wait,
    )
    return Part(
        services=(diagnosis, trend, repairs, maintenance),
        loops=(
            Loop("maintenance", maintenance.run, when=lambda s: mode_of(s) != "off"),
            Loop.repeating(
                "health samples",
                kernel.database,
                trend.sample,
                SAMPLE_EVERY_S,
                first_s=_FIRST_SAMPLE_S,
            ),
        ),
        close=diagnosis.close,
    )


PACKAGE = Package(
    name="health",
    tables={
        "health_samples": "per hour and domain of Health the lowest score; no text",
        "repair_runs": "the repairs that were run: when, by whom, why, how much each changed, and "
        "the ids that undoing it needs; no text of a memory",
    },
    migrations=(*REPAIR_MIGRATIONS, *HEALTH_MIGRATIONS),
    retention=(
        SweepStep(
            "repair_runs",
            lambda s: s.of(RetentionSettings).history_days,
            rows.expired,
            singly(rows.purge),
        ),
    ),
    kept=(
        KeptData("`health_samples`", "30 days", deleted_by="each new one"),
        KeptData(
            "`repair_runs`",
            "180 days",
            deleted_by="step `repair_runs`",
            settings=("retention.historyDays",),
        ),
    ),
    make=part,
)
