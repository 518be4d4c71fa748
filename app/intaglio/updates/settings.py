"""The settings of updates."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.settings.declaration import Choice, SettingGroup, setting

Channel: TypeAlias = Literal["latest", "preview"]
MIN_INTERVAL_S: Final = 300
MAX_INTERVAL_S: Final = 604_800


@dataclass(frozen=True, slots=True)
class UpdateSettings:
    """Whether Intaglio looks for updates by itself, how often, and for which versions."""

    check: bool = setting(
        False,
        "updates.check",
        label="Check for updates",
        help="Asks the package manager that installed Intaglio whether there is a newer version. "
        "Nothing is installed, and nothing of yours is sent.",
        group=SettingGroup.UPDATES,
        words="version upgrade new release automatic",
    )
    check_interval: int = setting(
        21_600,
        "updates.checkInterval",
        label="Time between checks",
        help="How long Intaglio waits before it checks again, if it checks for updates.",
        group=SettingGroup.UPDATES,
        unit="seconds",
        bounds=(MIN_INTERVAL_S, MAX_INTERVAL_S),
        words="update interval how often",
    )
    channel: str = setting(
        "latest",
        "updates.channel",
        label="Versions",
        help="Previews are versions that aren't finished. apt offers what its sources have, "
        "whatever is chosen here.",
        group=SettingGroup.UPDATES,
        choices=(Choice("latest", "Finished versions"), Choice("preview", "Previews too")),
        other_values=(("stable", "latest"), ("nightly", "preview")),
        words="update channel beta prerelease",
    )
    feed: str = setting(
        "",
        "updates.feed",
        label="Release feed",
        help="An https address of a list of releases, for copies that no package manager knows: "
        "the folder build and the installers of Windows and macOS. If it's empty, that of the "
        "package is used, if it names one.",
        group=SettingGroup.UPDATES,
        words="update url address json",
    )
