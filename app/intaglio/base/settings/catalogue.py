"""Which settings there are, one for each key, and what a text of ``agent.yaml`` says of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

from intaglio.base.settings.declaration import (
    HARNESS,
    Scalar,
    SettingInfo,
    SettingsSection,
    info_of,
)
from intaglio.base.settings.loader import read_text
from intaglio.base.settings.reading import SettingsReading
from intaglio.base.settings.values import Settings, harness_key


@dataclass(frozen=True, slots=True)
class ListedSetting:
    """A setting with its own key; ``harness`` names the harness whose it is, if it is one's."""

    key: str
    info: SettingInfo
    section: SettingsSection
    field: str
    harness: str | None = None

    def value(self, settings: Settings) -> Scalar:
        """Return its value."""
        return cast("Scalar", getattr(self._own(settings), self.field))

    def replaced_in(self, settings: Settings, value: Scalar) -> Settings:
        """Return the settings with another value of this one."""
        own: Any = replace(self._own(settings), **{self.field: value})
        if self.harness is None:
            return settings.having(own)
        return settings.having_harness(self.harness, own)

    def _own(self, settings: Settings) -> Any:  # noqa: ANN401 - the section's own type
        if self.harness is None:
            return settings.of(self.section)
        return settings.harness(self.section, self.harness)


class SettingsCatalogue:
    """Lists the settings, those of harnesses once for each of them."""

    def __init__(self, sections: Sequence[SettingsSection], harnesses: Collection[str]) -> None:
        self._sections = sections
        self._harnesses = harnesses

    # Most starts list no settings before they serve.
    @cached_property
    def _all(self) -> Mapping[str, ListedSetting]:
        return {one.key: one for one in _listed(self._sections, self._harnesses)}

    @property
    def all(self) -> Collection[ListedSetting]:
        """Every setting, in the order in which they are shown."""
        return self._all.values()

    def find(self, key: str) -> ListedSetting | None:
        """Return the setting with this key."""
        return self._all.get(key)

    def read(self, text: str) -> SettingsReading:
        """Read a text; raises BrokenFileError if it isn't YAML with keys and values."""
        return read_text(text, self._sections, self._harnesses)


def _listed(
    sections: Sequence[SettingsSection], harnesses: Collection[str]
) -> Iterator[ListedSetting]:
    for section in sections:
        for entry in fields(section):
            info = info_of(entry)
            if not info.by_harness:
                yield ListedSetting(info.key, info, section, entry.name)
                continue
            for name in harnesses:
                key = info.key.replace(HARNESS, harness_key(name))
                yield ListedSetting(key, info, section, entry.name, name)
