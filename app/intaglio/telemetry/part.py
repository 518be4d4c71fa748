"""Telemetry in the daemon."""

from typing import Final

from intaglio.kernel import Kernel
from intaglio.package import KeptData, Loop, Package, Part, SweepStep, singly
from intaglio.pauses.service import Pauses
from intaglio.telemetry import rows
from intaglio.telemetry.migrations import MIGRATIONS
from intaglio.telemetry.settings import TelemetrySettings
from intaglio.telemetry.telemetry import Telemetry

# Rows of the future are older than tomorrow, too.
_ALL: Final = -36_500


def part(kernel: Kernel) -> Part:
    """Listen to what is measured; it is written only while telemetry is on."""

    async def paused() -> bool:
        return (await kernel.get(Pauses).state()).paused

    telemetry = Telemetry(
        db=kernel.database,
        clock=kernel.clock,
        monotonic_s=kernel.monotonic_s,
        settings=lambda: kernel.settings().of(TelemetrySettings),
        paused=paused,
    )
    kernel.metrics.listeners.append(telemetry.note)
    return Part(
        services=(telemetry,),
        loops=(Loop("telemetry", telemetry.run, when=lambda s: s.of(TelemetrySettings).enabled),),
        close=telemetry.close,
    )


PACKAGE = Package(
    name="telemetry",
    tables={
        "telemetry_events": "events of the daemon's work while telemetry is on: name, time, and "
        "properties as JSON, which are names and numbers; no ids, no text; never sent anywhere",
    },
    migrations=MIGRATIONS,
    retention=(
        SweepStep(
            "telemetry_events",
            lambda s: s.of(TelemetrySettings).retention_days,
            rows.expired,
            singly(rows.purge),
        ),
        SweepStep(
            "telemetry_off",
            lambda s: 0 if s.of(TelemetrySettings).enabled else _ALL,
            rows.expired,
            singly(rows.purge),
            has_period=False,
        ),
    ),
    kept=(
        KeptData(
            "`telemetry_events`",
            "90 days; until the next cleanup once telemetry is switched off",
            deleted_by="steps `telemetry_events`, `telemetry_off`",
            settings=(
                "memory.pipelineV2.telemetry.retentionDays",
                "memory.pipelineV2.telemetryEnabled",
            ),
        ),
    ),
    make=part,
)
