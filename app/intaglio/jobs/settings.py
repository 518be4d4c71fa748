"""The settings of background jobs."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """How often and how long background jobs are tried."""

    max_attempts: int = setting(
        3,
        "memory.pipelineV2.worker.maxRetries",
        label="Attempts per background job",
        help="After these, a job is marked as failed.",
        group=SettingGroup.ADVANCED,
        unit="attempts",
        bounds=(1, 10),
        words="retries worker queue",
    )
    lease_timeout_ms: int = setting(
        300_000,
        "memory.pipelineV2.worker.leaseTimeoutMs",
        label="Time limit for a background job",
        help="A job that hasn't finished by then is run again.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(10_000, 600_000),
        other_keys=("memory.pipelineV2.leaseTimeoutMs",),
        words="lease worker queue timeout",
    )
