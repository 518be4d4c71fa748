"""Lists the settings that sections declare."""

from collections.abc import Sequence

from intaglio.base.settings.declaration import (
    SettingGroup,
    SettingInfo,
    SettingsSection,
    settings_in,
)


def all_settings(sections: Sequence[SettingsSection]) -> list[SettingInfo]:
    """List every setting in the order of the sections; `HARNESS` stands for a harness's name."""
    return [info for section in sections for info in settings_in(section)]


def by_group(sections: Sequence[SettingsSection]) -> dict[SettingGroup, list[SettingInfo]]:
    """Return the settings of each group in the order in which they are shown."""
    every = all_settings(sections)
    return {group: [info for info in every if info.group is group] for group in SettingGroup}
