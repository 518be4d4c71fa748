"""The settings of duplicates: which memories count as such, and how many go at a time."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class DuplicateSettings:
    """Which memories are duplicates."""

    threshold: float = setting(
        0.92,
        "memory.pipelineV2.repair.dedupSemanticThreshold",
        label="Least similarity of duplicates",
        help="Removing duplicates compares memories whose embeddings are at least as similar."
        " Their words must say the same, too.",
        group=SettingGroup.ADVANCED,
        bounds=(0.8, 1),
        words="deduplicate semantic cosine",
    )
    batch: int = setting(
        100,
        "memory.pipelineV2.repair.dedupBatchSize",
        label="Duplicates removed at a time",
        help="The most memories that one run of the repair forgets.",
        group=SettingGroup.ADVANCED,
        unit="memories",
        bounds=(1, 10_000),
        words="deduplicate",
    )
