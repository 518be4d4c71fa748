"""Reads the settings from ``agent.yaml`` and the environment; packages declare them."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, cast

import yaml

from intaglio.base.agent_yaml.known_keys import nest_keys, unknown_keys
from intaglio.base.agent_yaml.problems import FileProblem
from intaglio.base.agent_yaml.roster import read_roster
from intaglio.base.errors import MisconfiguredError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.settings.declaration import (
    HARNESS,
    Scalar,
    SettingsSection,
    info_of,
    settings_in,
)
from intaglio.base.settings.listing import all_settings
from intaglio.base.settings.reading import (
    GivenValue,
    SettingProblem,
    SettingsReading,
)
from intaglio.base.settings.validation import check_value, shown
from intaglio.base.settings.values import Settings, harness_key

MAX_SETTINGS_BYTES: Final = 1_000_000


def _lookup(tree: Mapping[str, object], key: str) -> object | None:
    node: object = tree
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        # mypy needs the cast, pyright doesn't.
        node = cast("Mapping[str, object]", node).get(part)  # pyright: ignore[reportUnnecessaryCast]
    return node


def settings_from(
    tree: Mapping[str, object],
    sections: Sequence[SettingsSection],
    harnesses: Collection[str] | None = None,
) -> SettingsReading:
    """Build the settings from the parsed file, reporting all problems together.

    A number out of bounds is clamped; a value of the wrong type is replaced by the default.
    ``harnesses`` names those that may have settings of their own; None accepts any name.
    """
    tree = nest_keys(tree)
    reader = _Reader(tree)
    settings = Settings()
    named = _named_harnesses(tree)
    for section in sections:
        if any(info.by_harness for info in settings_in(section)):
            for name in sorted(named):
                settings = settings.having_harness(name, reader.section(section, name))
        else:
            settings = settings.having(reader.section(section))
    roster, unclear = read_roster(_lookup(tree, "agents.roster"))
    allowed = named if harnesses is None else {harness_key(name) for name in harnesses}
    strays = unknown_keys(tree, _known_keys(sections, allowed))
    problems = (SettingProblem(key, message) for key, message in (*unclear, *strays))
    return SettingsReading(
        replace(settings, roster=roster), (*reader.problems, *problems), given=reader.given
    )


@dataclass(slots=True)
class _Reader:
    """Reads sections from the parsed file, and collects what is given and what is wrong."""

    tree: Mapping[str, object]
    problems: list[SettingProblem] = field(default_factory=list[SettingProblem])
    given: dict[str, GivenValue] = field(default_factory=dict[str, GivenValue])

    def section(self, section: SettingsSection, harness: str = "") -> Any:  # noqa: ANN401 - the section's own type
        """Read one section."""
        values: dict[str, Scalar] = {}
        for entry in fields(section):
            info = info_of(entry)
            key = info.key.replace(HARNESS, harness)
            given = _lookup(self.tree, key)
            if given is None:
                continue
            values[entry.name], complaint = check_value(info, given)
            problem = f"{complaint}, not {shown(given)}" if complaint else ""
            self.given[key] = GivenValue(given, key, problem=problem)
            if problem:
                self.problems.append(SettingProblem(key, problem))
        return section(**values)


def _named_harnesses(tree: Mapping[str, object]) -> set[str]:
    node = _lookup(tree, "harness")
    return (
        {str(key) for key in cast("Mapping[object, object]", node)}
        if isinstance(node, Mapping)
        else set()
    )


def _known_keys(sections: Sequence[SettingsSection], harnesses: Iterable[str]) -> list[str]:
    """List the keys of all settings, those of harnesses once per harness."""
    found: list[str] = []
    for info in all_settings(sections):
        if info.by_harness:
            found += [info.key.replace(HARNESS, key) for key in harnesses]
        else:
            found.append(info.key)
    return found


def read_settings(
    file: Path, sections: Sequence[SettingsSection], harnesses: Collection[str] | None = None
) -> SettingsReading:
    """Read ``agent.yaml``; if it is missing or broken (then with a problem), use the defaults.

    ``harnesses`` is as for `settings_from`.
    """
    try:
        data = read_regular(file, MAX_SETTINGS_BYTES + 1)
        if len(data) > MAX_SETTINGS_BYTES:
            return _unreadable(file, "is larger than 1 MB")
        tree: object = yaml.safe_load(data.decode())
    except FileNotFoundError:
        return SettingsReading()
    # An impossible date is a ValueError, too deep nesting a RecursionError.
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        return _unreadable(file, f"can't be read: {error}")
    if tree is None:
        return SettingsReading()
    if not isinstance(tree, dict):
        return _unreadable(file, "must contain keys and values")
    return settings_from(cast("Mapping[str, object]", tree), sections, harnesses)


def _unreadable(file: Path, message: str) -> SettingsReading:
    # Such a file says nothing about agents; they stay as they are.
    return SettingsReading(
        Settings(roster=None),
        (SettingProblem(str(file), message),),
        file_problem=FileProblem(message),
    )


def port_from(env: Mapping[str, str] = os.environ) -> int | None:
    """Read ``INTAGLIO_PORT`` (or ``SIGNET_PORT``); None if neither is set.

    Raises MisconfiguredError for an invalid port: a different one would be saved permanently.
    """
    for name in ("INTAGLIO_PORT", "SIGNET_PORT"):
        text = env.get(name, "").strip()
        if not text:
            continue
        if text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= 65_535:  # noqa: PLR2004 - the range of ports
            return int(text)
        raise MisconfiguredError(
            f"{name} is {shown(text)}, which isn't a valid port",
            hint=f"Set {name} to a whole number from 1 to 65535, or unset it.",
        )
    return None
