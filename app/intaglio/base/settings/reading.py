"""What reading the settings yields: the values in use, where they come from, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from intaglio.base.agent_yaml.problems import FileProblem
from intaglio.base.settings.values import Settings

Origin: TypeAlias = Literal["default", "file"]


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """A mistake in the file: its dotted key, what is wrong, and its line, if that can be told."""

    key: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class UnusedSetting:
    """A key of the file that is known but has no effect, and why."""

    key: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GivenValue:
    """What the file says for a setting: the value as it is there, the key as spelled, its line.

    ``problem`` says why another value is in use instead; empty if none is.
    """

    value: object
    spelled: str
    line: int | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SettingsReading:
    """The settings that were read, and everything that is to be said about the file.

    ``given`` maps the dotted keys of the settings that the file contains, those of harnesses with
    their names, to what it says. With ``file_problem``, the settings are the defaults.
    """

    settings: Settings = field(default_factory=Settings)
    problems: tuple[SettingProblem, ...] = ()
    unused: tuple[UnusedSetting, ...] = ()
    given: Mapping[str, GivenValue] = field(default_factory=dict[str, GivenValue])
    file_problem: FileProblem | None = None

    def origin(self, key: str) -> Origin:
        """Return where the value of a setting comes from."""
        found = self.given.get(key)
        return "default" if found is None or found.problem else "file"
