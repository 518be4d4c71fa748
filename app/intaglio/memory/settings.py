"""The settings of memories."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """How memories age, and whether they can be changed."""

    agent_changes: int = setting(
        20,
        "memory.agentChanges",
        label="Changes an agent may make per session",
        help="How many memories of its own an agent may change or forget; after that, only you "
        "can.",
        group=SettingGroup.AGENTS,
        unit="memories",
        bounds=(0, 100),
        words="limit edit forget",
    )
    frozen: bool = setting(
        False,
        "memory.pipelineV2.mutationsFrozen",
        label="Read-only",
        help="Refuses all changes to memories; nothing is captured or deleted. Reading and "
        "searching still work.",
        group=SettingGroup.PRIVACY,
        words="freeze lock stop mutations kill switch",
    )
    tombstone_days: int = setting(
        30,
        "retention.tombstoneDays",
        label="Forgotten memories can be restored for",
        help="After that, the next cleanup erases them.",
        group=SettingGroup.PRIVACY,
        unit="days",
        bounds=(1, 3_650),
        consequence=Consequence(
            "deletes",
            "Memories that were forgotten longer ago than this are erased at the next cleanup.",
            change="less",
        ),
        words="undo trash recover tombstone",
    )
    decay_rate: float = setting(
        0.95,
        "memory.decay_rate",
        label="Importance left after a day without use",
        help="A memory's importance is multiplied by this for each such day.",
        group=SettingGroup.ADVANCED,
        bounds=(0.5, 1),
        words="aging decay forget",
    )
