"""The settings in use: sections that packages declare, found by their type."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias, TypeVar, cast

from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.settings.declaration import SettingsSection

S = TypeVar("S")

_Place: TypeAlias = tuple[SettingsSection, str]
"""A section and the harness whose settings it holds, as the file spells it; else empty."""


def harness_key(name: str) -> str:
    """Spell a harness's name as ``agent.yaml`` does: ``some-agent`` becomes ``someAgent``."""
    first, *others = name.split("-")
    return first + "".join(word.capitalize() for word in others)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a daemon, replaced as a whole when the file changes.

    ``sections`` holds those that differ from their defaults. ``roster`` lists the agents of the
    file; None if they can't be read. ``agent_created_at`` is the file's `agent.created` in stored
    form; None if there is none, or it isn't a time.
    """

    sections: Mapping[_Place, object] = field(default_factory=dict[_Place, object], hash=False)
    roster: Roster = ()
    agent_created_at: str | None = None

    def of(self, section: type[S]) -> S:
        """Return the settings of a section."""
        return cast("S", self.sections.get((section, "")) or section())

    def harness(self, section: type[S], name: str) -> S:
        """Return the settings of a section that each harness has, for the one of this name."""
        return cast("S", self.sections.get((section, harness_key(name))) or section())

    def having(self, *sections: object) -> Self:
        """Return these settings with other sections in place of their own."""
        return self._with({(type(each), ""): each for each in sections})

    def having_harness(self, name: str, *sections: object) -> Self:
        """Return these settings with other sections for one harness."""
        return self._with({(type(each), harness_key(name)): each for each in sections})

    def _with(self, placed: Mapping[_Place, object]) -> Self:
        every = {**self.sections, **placed}
        changed = {place: one for place, one in every.items() if one != place[0]()}
        return replace(self, sections=changed)
