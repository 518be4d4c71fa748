"""Checks values of settings against their declarations."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeGuard, cast

from intaglio.base.settings.declaration import (
    HARNESS,
    Scalar,
    SettingInfo,
    SettingsSection,
    info_of,
)
from intaglio.base.settings.reading import SettingProblem
from intaglio.base.settings.values import Settings
from intaglio.base.text import clip

_SHOWN_CHARS: Final = 80


def _is_number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _text_problem(info: SettingInfo, value: object) -> str:
    if not isinstance(value, str):
        return "must be text"
    if info.choices and value not in (values := [one.value for one in info.choices]):
        return f"must be one of {', '.join(values)}"
    return ""


def check_value(info: SettingInfo, value: object) -> tuple[Scalar, str]:
    """Return the value to use and, if it isn't the given one, what is wrong with that.

    A number out of bounds is clamped; for a value of the wrong type, the default is used.
    """
    default = info.default
    if isinstance(default, bool):
        return (value, "") if isinstance(value, bool) else (default, "must be true or false")
    if isinstance(default, str):
        # YAML reads a bare ``off`` as false.
        value = (
            "off" if value is False and any(one.value == "off" for one in info.choices) else value
        )
        value = next((choice for other, choice in info.other_values if other == value), value)
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


def shown(value: object) -> str:
    """Return a value for a message: text is quoted, and anything long is shortened."""
    return repr(as_text(value)) if isinstance(value, str) else as_text(value)


def as_text(value: object) -> str:
    """Return a value as text, shortened; of a list or of keys, only that it is one."""
    match value:
        case str():
            return clip(value, _SHOWN_CHARS)
        # They may hold themselves, or each other many times.
        case Mapping():
            return "keys and values"
        case list() | tuple() | set():
            return "a list"
        case bool():
            return "true" if value else "false"
        case _:
            try:
                return clip(str(value), _SHOWN_CHARS)
            except ValueError:
                return "too long to show"


@dataclass(frozen=True, slots=True)
class FoundSetting:
    """A setting that a key names: its section and field there, its declaration, its harness.

    ``harness`` is the name in the key, as the file spells it; empty if it has none.
    """

    section: SettingsSection
    field: str
    info: SettingInfo
    harness: str

    def value_in(self, settings: Settings) -> Scalar:
        """Return the value of the setting."""
        return cast("Scalar", getattr(self._own(settings), self.field))

    def replaced_in(self, settings: Settings, value: Scalar) -> Settings:
        """Return the settings with another value of this one."""
        own: Any = replace(self._own(settings), **{self.field: value})
        if self.harness:
            return settings.having_harness(self.harness, own)
        return settings.having(own)

    def _own(self, settings: Settings) -> Any:  # noqa: ANN401 - the section's own type
        if self.harness:
            return settings.harness(self.section, self.harness)
        return settings.of(self.section)


def find_setting(key: str, sections: Sequence[SettingsSection]) -> FoundSetting | None:
    """Find the setting that has this dotted key; None if there is none."""
    for section in sections:
        for entry in fields(section):
            info = info_of(entry)
            harness = _harness_in(info.key, key)
            if harness or (info.key == key and not info.by_harness):
                return FoundSetting(section, entry.name, info, harness)
    return None


def _harness_in(declared: str, key: str) -> str:
    """Return the harness that a key names, given the declared key; empty if they don't fit."""
    before, stands, after = declared.partition(HARNESS)
    name = key.removeprefix(before).removesuffix(after)
    fits = stands and key == f"{before}{name}{after}" and not set(name) & set(".<>")
    return name if fits else ""


def settings_with(
    settings: Settings,
    values: Mapping[str, Scalar | None],
    sections: Sequence[SettingsSection],
) -> tuple[Settings, tuple[SettingProblem, ...]]:
    """Return these settings with some values replaced, by dotted key, and what is wrong with them.

    None is the default; an invalid value isn't used. The key of a harness's setting contains its
    name in camelCase.
    """
    problems: list[SettingProblem] = []
    for key, value in values.items():
        found = find_setting(key, sections)
        if found is None:
            problems.append(SettingProblem(key, "is not a setting"))
            continue
        checked, complaint = (
            (found.info.default, "") if value is None else check_value(found.info, value)
        )
        if complaint:
            problems.append(SettingProblem(key, f"{complaint}, not {shown(value)}"))
        else:
            settings = found.replaced_in(settings, checked)
    return settings, tuple(problems)
