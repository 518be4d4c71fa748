"""Reads the settings from ``agent.yaml`` and the environment; `schema.py` defines them."""

import math
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeGuard, cast

import yaml

from intaglio.base.agent_yaml.known_keys import nest_keys, unknown_keys
from intaglio.base.agent_yaml.roster import read_roster
from intaglio.base.errors import MisconfiguredError
from intaglio.base.files.regular_file import read_regular
from intaglio.base.settings.listing import SettingInfo, all_settings, info_of, sections
from intaglio.base.settings.schema import (
    HarnessSettings,
    Scalar,
    SettingProblem,
    Settings,
    SettingsByHarness,
    harness_key,
)
from intaglio.base.text import clip

MAX_SETTINGS_BYTES: Final = 1_000_000
_SHOWN_CHARS: Final = 80
_ANY_HARNESS: Final = "<name>"


def _lookup(tree: Mapping[str, object], key: str) -> object | None:
    node: object = tree
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        # mypy needs the cast, pyright doesn't.
        node = cast("Mapping[str, object]", node).get(part)  # pyright: ignore[reportUnnecessaryCast]
    return node


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _text_problem(info: SettingInfo, value: object) -> str:
    if not isinstance(value, str):
        return "must be text"
    if info.choices and value not in info.choices:
        return f"must be one of {', '.join(info.choices)}"
    return ""


def checked_value(info: SettingInfo, value: object) -> tuple[Scalar, str]:
    """Return the value to use and, if it differs from the given one, the reason."""
    default = info.default
    if isinstance(default, bool):
        return (value, "") if isinstance(value, bool) else (default, "must be true or false")
    if isinstance(default, str):
        # YAML reads a bare ``off`` as false.
        value = "off" if value is False and "off" in info.choices else value
        complaint = _text_problem(info, value)
        return (default if complaint else str(value)), complaint
    if not _is_number(value):
        return default, "must be a number"
    number: Scalar = value
    if isinstance(default, int):
        if value != int(value):
            return default, "must be a whole number"
        number = int(value)
    if info.bounds:
        low, high = info.bounds
        clamped = min(max(number, low), high)
        if clamped != number:
            return type(default)(clamped), f"must be between {low:g} and {high:g}"
    return number, ""


def _shown(value: object) -> str:
    try:
        return clip(repr(value), _SHOWN_CHARS)
    except (ValueError, RecursionError):
        return "too long to show"


def settings_from(
    tree: Mapping[str, object], harnesses: Collection[str] | None = None
) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Build the settings from the parsed file, reporting all problems together.

    A number out of bounds is clamped; a value of the wrong type is replaced by the default.
    ``harnesses`` names those that may have settings of their own; None accepts any name.
    """
    tree = nest_keys(tree)
    problems: list[SettingProblem] = []
    read: dict[str, Any] = {name: _section(tree, section, problems) for name, section in sections()}
    named = _named_harnesses(tree)
    by_harness = tuple(
        (key, _section(tree, HarnessSettings, problems, key)) for key in sorted(named)
    )
    roster, unclear = read_roster(_lookup(tree, "agents.roster"))
    allowed = named if harnesses is None else {harness_key(name) for name in harnesses}
    strays = unknown_keys(tree, _known_keys(allowed))
    problems += [SettingProblem(key, message) for key, message in (*unclear, *strays)]
    return Settings(**read, harness=SettingsByHarness(by_harness), roster=roster), tuple(problems)


def _section(
    tree: Mapping[str, object],
    section: type[Any],
    problems: list[SettingProblem],
    harness: str = "",
) -> Any:  # noqa: ANN401 - the section's own type
    """Read one section; invalid values are added to ``problems``."""
    values: dict[str, Scalar] = {}
    for entry in fields(section):
        info = info_of(entry)
        key = info.key.replace(_ANY_HARNESS, harness)
        given = _lookup(tree, key)
        if given is None:
            continue
        values[entry.name], complaint = checked_value(info, given)
        if complaint:
            problems.append(SettingProblem(key, f"{complaint}, not {_shown(given)}"))
    return section(**values)


def _named_harnesses(tree: Mapping[str, object]) -> set[str]:
    node = _lookup(tree, "harness")
    return (
        {str(key) for key in cast("Mapping[object, object]", node)}
        if isinstance(node, Mapping)
        else set()
    )


def _known_keys(harnesses: Iterable[str]) -> list[str]:
    """List the keys of all settings, those of harnesses once per harness."""
    found: list[str] = []
    for info in all_settings():
        if _ANY_HARNESS in info.key:
            found += [info.key.replace(_ANY_HARNESS, key) for key in harnesses]
        else:
            found.append(info.key)
    return found


# A file that can't be read says nothing about agents; they stay as they are.
_UNREADABLE: Final = Settings(roster=None)


def read_settings(
    file: Path, harnesses: Collection[str] | None = None
) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Read ``agent.yaml``; if it is missing or broken (then with a problem), use the defaults.

    ``harnesses`` is as for `settings_from`.
    """
    try:
        data = read_regular(file, MAX_SETTINGS_BYTES + 1)
        if len(data) > MAX_SETTINGS_BYTES:
            return _UNREADABLE, (SettingProblem(str(file), "is larger than 1 MB"),)
        tree: object = yaml.safe_load(data.decode())
    except FileNotFoundError:
        return Settings(), ()
    # An impossible date is a ValueError, too deep nesting a RecursionError.
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        return _UNREADABLE, (SettingProblem(str(file), f"can't be read: {error}"),)
    if tree is None:
        return Settings(), ()
    if not isinstance(tree, dict):
        return _UNREADABLE, (SettingProblem(str(file), "must contain keys and values"),)
    return settings_from(cast("Mapping[str, object]", tree), harnesses)


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
            f"{name} is {_shown(text)}, which isn't a valid port",
            hint=f"Set {name} to a whole number from 1 to 65535, or unset it.",
        )
    return None
