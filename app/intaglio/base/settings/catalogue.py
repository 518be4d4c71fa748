"""Which settings there are, one for each key, and what a text of ``agent.yaml`` says of them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, cast

from intaglio.base.agent_yaml.document import load_tree
from intaglio.base.settings import listing
from intaglio.base.settings.declaration import Choice, SettingGroup, SettingInfo
from intaglio.base.settings.loader import settings_from
from intaglio.base.settings.schema import (
    HarnessSettings,
    Scalar,
    SettingProblem,
    Settings,
    harness_key,
)

_ANY_HARNESS: Final = "<name>"


@dataclass(frozen=True, slots=True)
class ListedSetting:
    """A setting with its own key; ``harness`` names the harness whose it is, if it is one's."""

    key: str
    info: SettingInfo
    section: type[Any]
    field: str
    harness: str | None = None

    def value(self, settings: Settings) -> Scalar:
        """Return its value."""
        names = {section: name for name, section in listing.sections()}
        section = (
            settings.harness[self.harness]
            if self.harness is not None
            else getattr(settings, names[self.section])
        )
        return cast("Scalar", getattr(section, self.field))


@dataclass(frozen=True, slots=True)
class GivenValue:
    """What the file says for a setting: the value as it is there, the key as spelled, its line.

    ``problem`` says why another value is in use instead; empty if none is.
    """

    value: object
    spelled: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SettingsReading:
    """What a text says."""

    settings: Settings
    problems: tuple[SettingProblem, ...] = ()
    unused: tuple[SettingProblem, ...] = ()
    given: Mapping[str, GivenValue] = field(default_factory=dict[str, GivenValue])


class SettingsCatalogue:
    """Lists the settings, those of harnesses once for each of them."""

    def __init__(self, harnesses: Collection[str]) -> None:
        self._harnesses = harnesses
        self._all = {one.key: one for one in _listed(harnesses)}

    @property
    def all(self) -> Collection[ListedSetting]:
        """Every setting, in the order in which they are shown."""
        return self._all.values()

    def find(self, key: str) -> ListedSetting | None:
        """Return the setting with this key."""
        return self._all.get(key)

    def read(self, text: str) -> SettingsReading:
        """Read a text; raises BrokenFileError if it isn't YAML with keys and values."""
        tree = load_tree(text)
        settings, problems = settings_from(tree, self._harnesses)
        told = {one.key: one.message for one in problems}
        given: dict[str, GivenValue] = {}
        for key in self._all:
            spelled = key
            found = _lookup(tree, key)
            if found is None and key.startswith("memory.pipelineV2."):
                spelled = key.removeprefix("memory.")
                found = _lookup(tree, spelled)
            if found is not None:
                given[key] = GivenValue(found, spelled, told.get(key, ""))
        unused = tuple(one for one in problems if one.key not in self._all)
        return SettingsReading(settings, problems, unused, given)


def _lookup(tree: Mapping[str, object], key: str) -> object:
    node: object = tree
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        # mypy needs the cast, pyright does not.
        node = cast("Mapping[str, object]", node).get(part)  # pyright: ignore[reportUnnecessaryCast]
    return node


def _listed(harnesses: Collection[str]) -> Iterator[ListedSetting]:
    for section in (*(each for _, each in listing.sections()), HarnessSettings):
        for entry in fields(section):
            info = _declared(listing.info_of(entry))
            if _ANY_HARNESS not in info.key:
                yield ListedSetting(info.key, info, section, entry.name)
                continue
            for name in harnesses:
                key = info.key.replace(_ANY_HARNESS, harness_key(name))
                yield ListedSetting(key, info, section, entry.name, name)


# Until the packages declare their settings.


_GROUPS: Final = {
    "capture": SettingGroup.CAPTURE,
    "hooks": SettingGroup.TOLD,
    "harness": SettingGroup.AGENTS,
    "embedding": SettingGroup.MODELS,
    "retention": SettingGroup.PRIVACY,
    "backup": SettingGroup.PRIVACY,
    "desktop": SettingGroup.DESKTOP,
}


def _declared(info: listing.SettingInfo) -> SettingInfo:
    last = info.key.split(".")[-1]
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in last)
    return SettingInfo(
        key=info.key,
        default=info.default,
        label=words.replace("_", " ").capitalize(),
        help=info.meaning,
        group=_GROUPS.get(info.key.split(".")[0], SettingGroup.ADVANCED),
        bounds=info.bounds,
        choices=tuple(Choice(one, one) for one in info.choices),
        secret=info.key == "embedding.api_key",
    )
