"""Checks values of settings against their declarations."""

import math
from collections.abc import Mapping
from typing import Final, TypeGuard

from intaglio.base.settings.declaration import Scalar, SettingInfo
from intaglio.base.text import clip

MAX_TEXT_CHARS: Final = 2_000
_SHOWN_CHARS: Final = 80


def _is_number(value: object) -> TypeGuard[int | float]:
    # Only a float can be infinite, and a whole number may be too large to become one.
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _text_problem(info: SettingInfo, value: object) -> str:
    if info.choices:
        choices = [one.value for one in info.choices]
        return "" if value in choices else f"must be one of {', '.join(choices)}"
    if not isinstance(value, str):
        return "must be text"
    if len(value) > MAX_TEXT_CHARS:
        return f"must have at most {MAX_TEXT_CHARS:,} characters"
    if not value.isprintable():
        return "must be one line of text"
    return info.form.problem(value) if info.form else ""


def _choice_meant(info: SettingInfo, value: object) -> object:
    # YAML reads a bare ``off`` as false.
    if value is False and any(one.value == "off" for one in info.choices):
        return "off"
    return next((choice for other, choice in info.other_values if other == value), value)


def check_value(info: SettingInfo, value: object) -> tuple[Scalar, str]:
    """Return the value to use and, if it isn't the given one, what would be allowed.

    A number out of bounds is clamped; for a value of the wrong type, the default is used.
    """
    default = info.default
    if isinstance(default, bool):
        return (value, "") if isinstance(value, bool) else (default, "must be true or false")
    if isinstance(default, str):
        value = _choice_meant(info, value)
        complaint = _text_problem(info, value)
        return (default if complaint else str(value)), complaint
    is_whole = isinstance(default, int)
    if not _is_number(value) or (is_whole and value != int(value)):
        return default, _allowed_numbers(info)
    number: Scalar = int(value) if is_whole else value
    if info.bounds:
        low, high = info.bounds
        clamped = min(max(number, low), high)
        if clamped != number:
            return type(default)(clamped), _allowed_numbers(info)
    return number, ""


def _allowed_numbers(info: SettingInfo) -> str:
    kind = "a whole number" if isinstance(info.default, int) else "a number"
    if info.bounds is None:
        return f"must be {kind}"
    low, high = info.bounds
    unit = f" {info.unit}" if info.unit else ""
    return f"must be {kind} from {low:,.12g} to {high:,.12g}{unit}"


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
