"""Settings with some values replaced, as if the file said so; nothing is written."""

from collections.abc import Collection, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from intaglio.base.errors import InvalidInputError
from intaglio.base.settings.listing import SettingInfo, info_of, sections
from intaglio.base.settings.loader import checked_value
from intaglio.base.settings.schema import (
    HarnessSettings,
    Scalar,
    Settings,
    SettingsByHarness,
    harness_key,
)

_ANY_HARNESS: Final = "<name>"
_SECRET: Final = frozenset({"embedding.api_key"})


def settings_with(
    settings: Settings, values: Mapping[str, Scalar | None], harnesses: Collection[str]
) -> Settings:
    """Return the settings with these values, by dotted key; None is the default.

    ``harnesses`` are the known names. Raises InvalidInputError that names the first key that is
    unknown or secret, or whose value isn't valid.
    """
    for key, value in values.items():
        settings = _with(settings, key, value, harnesses)
    return settings


def _with(
    settings: Settings, key: str, value: Scalar | None, harnesses: Collection[str]
) -> Settings:
    if key in _SECRET:
        raise InvalidInputError(
            f"{key} is a secret and can't be sent", hint="Leave it out: it changes nothing here."
        )
    for name, section in sections():
        for entry in fields(section):
            info = info_of(entry)
            if info.key == key:
                changed = replace(
                    getattr(settings, name), **{entry.name: _checked(info, key, value)}
                )
                changes: dict[str, Any] = {name: changed}
                return replace(settings, **changes)
    for harness in harnesses:
        spelled = harness_key(harness)
        for entry in fields(HarnessSettings):
            info = info_of(entry)
            if info.key.replace(_ANY_HARNESS, spelled) == key:
                own: dict[str, Any] = {entry.name: _checked(info, key, value)}
                given = dict(settings.harness.given)
                given[spelled] = replace(settings.harness[harness], **own)
                return replace(settings, harness=SettingsByHarness(tuple(given.items())))
    raise InvalidInputError(
        f"There is no setting {key!r}", hint="`intaglio help settings` lists all keys."
    )


def _checked(info: SettingInfo, key: str, value: Scalar | None) -> Scalar:
    if value is None:
        return info.default
    checked, problem = checked_value(info, value)
    if problem:
        raise InvalidInputError(
            f"{key} {problem}", hint=f"{info.meaning} The default is {info.default}."
        )
    return checked
