"""The settings of maps of memories."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class ProjectionSettings:
    """Whether maps are computed, and how much a run may use."""

    enabled: bool = setting(
        True,
        "projection.enabled",
        label="Compute maps of memories",
        help="Lays your memories out for the constellation when it is opened, in a process of "
        "low priority. Maps that were computed before stay visible.",
        group=SettingGroup.ADVANCED,
        words="constellation umap",
    )
    memory_mb: int = setting(
        2_048,
        "projection.memoryMb",
        label="Memory limit for a map",
        help="A run that needs more is stopped, and the former map stays.",
        group=SettingGroup.ADVANCED,
        unit="MB",
        bounds=(256, 65_536),
        words="constellation umap ram",
    )
    minutes: int = setting(
        15,
        "projection.minutes",
        label="Time limit for a map",
        help="A run that takes longer is stopped, and the former map stays.",
        group=SettingGroup.ADVANCED,
        unit="minutes",
        bounds=(1, 120),
        words="constellation umap timeout",
    )
