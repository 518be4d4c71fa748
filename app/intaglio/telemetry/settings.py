"""The settings of telemetry."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class TelemetrySettings:
    """Whether the daemon's work is recorded as events, and for how long."""

    enabled: bool = setting(
        False,
        "memory.pipelineV2.telemetryEnabled",
        label="Record telemetry on this machine",
        help="Counts and times of calls of models, errors and sessions, without any text. Nothing "
        "is ever sent anywhere. Switched off, all of it is deleted at the next cleanup.",
        group=SettingGroup.PRIVACY,
        consequence=Consequence(
            "deletes", "What was recorded is deleted at the next cleanup.", (False,)
        ),
        words="telemetry events statistics diagnostics",
    )
    retention_days: int = setting(
        90,
        "memory.pipelineV2.telemetry.retentionDays",
        label="Keep telemetry for",
        help="Events without any text; they stay on this machine. 0 keeps them forever.",
        group=SettingGroup.PRIVACY,
        unit="days",
        bounds=(0, 36_500),
        consequence=Consequence(
            "deletes", "What is older than this is deleted at the next cleanup.", change="less"
        ),
        words="telemetry retention",
    )
    flush_interval_ms: int = setting(
        60_000,
        "memory.pipelineV2.telemetry.flushIntervalMs",
        label="Time between writes of telemetry",
        help="Events wait in memory until then; those of a crash are lost.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(5_000, 600_000),
        words="telemetry flush",
    )
    flush_batch: int = setting(
        50,
        "memory.pipelineV2.telemetry.flushBatchSize",
        label="Telemetry events per write",
        help="As soon as so many wait, they are written.",
        group=SettingGroup.ADVANCED,
        unit="events",
        bounds=(1, 500),
        words="telemetry flush batch",
    )
