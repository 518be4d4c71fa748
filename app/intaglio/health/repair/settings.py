"""The settings of repairs: who may request them, how often, and the maintenance that runs them."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Choice, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class RepairSettings:
    """How often a repair may be requested, and by whom; and which duplicates one finds."""

    agents: bool = setting(
        True,
        "memory.pipelineV2.autonomous.enabled",
        label="Let agents and maintenance run repairs",
        help="Those that rebuild an index, re-embed memories or rerun failed jobs. Only you can"
        " run repairs that change memories or entities.",
        group=SettingGroup.AGENTS,
        words="autonomous maintenance",
    )
    frozen: bool = setting(
        False,
        "memory.pipelineV2.autonomous.frozen",
        label="Refuse all repairs",
        help="Yours, agents' and those of maintenance.",
        group=SettingGroup.ADVANCED,
        words="autonomous maintenance",
    )
    reembed_cooldown_ms: int = setting(
        300_000,
        "memory.pipelineV2.repair.reembedCooldownMs",
        label="Shortest time between embedding repairs",
        help="A request that comes sooner is refused.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(0, 86_400_000),
    )
    reembed_hourly: int = setting(
        10,
        "memory.pipelineV2.repair.reembedHourlyBudget",
        label="Embedding repairs per hour",
        help="Further requests are refused.",
        group=SettingGroup.ADVANCED,
        unit="per hour",
        bounds=(1, 10_000),
    )
    requeue_cooldown_ms: int = setting(
        60_000,
        "memory.pipelineV2.repair.requeueCooldownMs",
        label="Shortest time between queue repairs",
        help="A request to run failed jobs again that comes sooner is refused.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(0, 86_400_000),
    )
    requeue_hourly: int = setting(
        50,
        "memory.pipelineV2.repair.requeueHourlyBudget",
        label="Queue repairs per hour",
        help="Further requests to run failed jobs again are refused.",
        group=SettingGroup.ADVANCED,
        unit="per hour",
        bounds=(1, 10_000),
    )
    content_cooldown_ms: int = setting(
        600_000,
        "memory.pipelineV2.repair.dedupCooldownMs",
        label="Shortest time between repairs of content",
        help="A request to remove duplicates or tidy entities that comes sooner is refused.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(0, 86_400_000),
        words="deduplicate",
    )
    content_hourly: int = setting(
        3,
        "memory.pipelineV2.repair.dedupHourlyBudget",
        label="Repairs of content per hour",
        help="Further requests to remove duplicates or tidy entities are refused.",
        group=SettingGroup.ADVANCED,
        unit="per hour",
        bounds=(1, 10_000),
        words="deduplicate",
    )


@dataclass(frozen=True, slots=True)
class MaintenanceSettings:
    """How often the health is looked at, and whether what is recommended is also done."""

    mode: str = setting(
        "execute",
        "memory.pipelineV2.autonomous.maintenanceMode",
        other_keys=("memory.pipelineV2.maintenanceMode",),
        label="Maintenance",
        help="Looks at the health checks and runs the repairs that they name, except those that"
        " change memories or entities.",
        group=SettingGroup.ADVANCED,
        choices=(
            Choice("execute", "Run the repairs"),
            Choice("observe", "Only show them on the Health page"),
            Choice("off", "Off"),
        ),
        words="autonomous repair automatic",
    )
    interval_ms: int = setting(
        1_800_000,
        "memory.pipelineV2.autonomous.maintenanceIntervalMs",
        other_keys=("memory.pipelineV2.maintenanceIntervalMs",),
        label="Time between two rounds of maintenance",
        help="How often the health checks are looked at for repairs.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(60_000, 86_400_000),
    )
