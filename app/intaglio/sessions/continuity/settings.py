"""The settings of checkpoints."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class ContinuitySettings:
    """Whether and when it is noted where a session stands, and what of it is told again."""

    enabled: bool = setting(
        True,
        "memory.pipelineV2.continuity.enabled",
        label="Note where sessions stand",
        help="Tells an agent where it stood after its conversation was compacted, or lost in a "
        "crash. Nothing is noted where capture is off.",
        group=SettingGroup.TOLD,
        words="continuity checkpoint compaction recovery resume crash",
    )
    recovery_chars: int = setting(
        2_000,
        "memory.pipelineV2.continuity.recoveryBudgetChars",
        label="Characters about where a session stood",
        help="In addition to the token limit at a session's start. 0 tells nothing.",
        group=SettingGroup.TOLD,
        unit="characters",
        bounds=(0, 8_000),
        consequence=Consequence(
            "tokens", "Agents may be told more after a compaction.", change="more"
        ),
        words="continuity checkpoint compaction recovery budget",
    )
    prompt_interval: int = setting(
        10,
        "memory.pipelineV2.continuity.promptInterval",
        label="Prompts between checkpoints",
        help="A checkpoint notes where a session stands.",
        group=SettingGroup.ADVANCED,
        unit="prompts",
        bounds=(1, 1_000),
        words="continuity checkpoint",
    )
    interval_ms: int = setting(
        900_000,
        "memory.pipelineV2.continuity.timeIntervalMs",
        label="Time between checkpoints",
        help="While a session goes on. 900,000 ms are 15 minutes.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(60_000, 86_400_000),
        words="continuity checkpoint",
    )
    most_per_session: int = setting(
        50,
        "memory.pipelineV2.continuity.maxCheckpointsPerSession",
        label="Checkpoints kept per session",
        help="Older ones are deleted.",
        group=SettingGroup.ADVANCED,
        unit="checkpoints",
        bounds=(1, 1_000),
        words="continuity checkpoint",
    )
    retention_days: int = setting(
        7,
        "memory.pipelineV2.continuity.retentionDays",
        label="Keep checkpoints for",
        help="Where sessions stood: beginnings of prompts, edited files, what the agent said last.",
        group=SettingGroup.PRIVACY,
        unit="days",
        bounds=(1, 365),
        consequence=Consequence(
            "deletes", "What is older than this is deleted at the next cleanup.", change="less"
        ),
        words="continuity checkpoint retention",
    )
