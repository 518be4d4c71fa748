"""How settings are read, from ``agent.yaml`` and the environment; what there is: `values.py`."""

import math
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeGuard, cast

import yaml

from intaglio.base.agent_yaml.known import placed, unknown_keys
from intaglio.base.agent_yaml.roster import read_roster
from intaglio.base.errors import MisconfiguredError
from intaglio.base.settings.values import (
    Scalar,
    SettingInfo,
    SettingProblem,
    Settings,
    all_settings,
    info_of,
    sections,
)
from intaglio.base.text import clip

MAX_SETTINGS_BYTES: Final = 1_000_000
_SHOWN_CHARS: Final = 80


def _lookup(tree: Mapping[str, object], key: str) -> object | None:
    node: object = tree
    for part in key.split("."):
        if not isinstance(node, Mapping):
            return None
        # mypy needs the cast that pyright can do without.
        node = cast("Mapping[str, object]", node).get(part)  # pyright: ignore[reportUnnecessaryCast]
    return node


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _unfit_text(info: SettingInfo, value: object) -> str:
    if not isinstance(value, str):
        return "must be text"
    if info.choices and value not in info.choices:
        return f"must be one of {', '.join(info.choices)}"
    return ""


def _fit(info: SettingInfo, value: object) -> tuple[Scalar, str]:
    """Return the value to use and, when it differs from what was given, why."""
    default = info.default
    if isinstance(default, bool):
        return (value, "") if isinstance(value, bool) else (default, "must be true or false")
    if isinstance(default, str):
        complaint = _unfit_text(info, value)
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
        fitted = min(max(number, low), high)
        if fitted != number:
            return type(default)(fitted), f"must be between {low:g} and {high:g}"
    return number, ""


def _shown(value: object) -> str:
    try:
        return clip(repr(value), _SHOWN_CHARS)
    except (ValueError, RecursionError):
        return "longer than can be shown"


def settings_from(tree: Mapping[str, object]) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Build the settings; every problem is reported at once.

    A number out of bounds is clamped, a value of another type falls back to the default.
    """
    tree = placed(tree)
    problems: list[SettingProblem] = []
    read: dict[str, Any] = {}
    for name, section in sections():
        values: dict[str, Scalar] = {}
        for entry in fields(section):
            info = info_of(entry)
            given = _lookup(tree, info.key)
            if given is None:
                continue
            values[entry.name], complaint = _fit(info, given)
            if complaint:
                problems.append(SettingProblem(info.key, f"{complaint}; it is {_shown(given)}"))
        read[name] = section(**values)
    roster, unclear = read_roster(_lookup(tree, "agents.roster"))
    strays = unknown_keys(tree, [info.key for info in all_settings()])
    problems += [SettingProblem(key, message) for key, message in (*unclear, *strays)]
    return Settings(**read, roster=roster), tuple(problems)


# A file that cannot be read says nothing of agents; they stay as they are.
_UNREADABLE: Final = Settings(roster=None)


def read_settings(file: Path) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Read ``agent.yaml``; a missing file means the defaults, a broken one too, with a problem."""
    try:
        if file.stat().st_size > MAX_SETTINGS_BYTES:
            return _UNREADABLE, (SettingProblem(str(file), "is larger than 1 MB"),)
        tree: object = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings(), ()
    # A date that no calendar has is a ValueError, endless nesting a RecursionError.
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        return _UNREADABLE, (SettingProblem(str(file), f"cannot be read: {error}"),)
    if tree is None:
        return Settings(), ()
    if not isinstance(tree, dict):
        return _UNREADABLE, (SettingProblem(str(file), "must hold keys and values"),)
    return settings_from(cast("Mapping[str, object]", tree))


def port_from(env: Mapping[str, str] = os.environ) -> int | None:
    """Read ``INTAGLIO_PORT`` (or ``SIGNET_PORT``); None where neither is set.

    Raises MisconfiguredError for what is no port: another one would be kept for good.
    """
    for name in ("INTAGLIO_PORT", "SIGNET_PORT"):
        text = env.get(name, "").strip()
        if not text:
            continue
        if text.isascii() and text.isdecimal() and 1 <= int(text[:6]) <= 65_535:  # noqa: PLR2004 - the range of ports
            return int(text)
        raise MisconfiguredError(
            f"{name} is {_shown(text)}, which is no port",
            hint=f"Set {name} to a whole number from 1 to 65535, or unset it.",
        )
    return None
