"""Lists the settings: their sections, and what the documentation shows of each."""

from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, cast

from intaglio.base.settings.schema import HarnessSettings, Scalar, Settings


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """A setting as the documentation shows it."""

    key: str
    default: Scalar
    meaning: str
    bounds: tuple[float, float] | None
    choices: tuple[str, ...]


def sections() -> list[tuple[str, type[Any]]]:
    """List the sections with their names in `Settings`."""
    return [
        (section.name, cast("type[Any]", section.default_factory))
        for section in fields(Settings)
        if section.default_factory is not MISSING
    ]


def info_of(entry: "Field[Any]") -> SettingInfo:
    """Return the declaration of a setting from its dataclass field."""
    meta = entry.metadata
    default = cast("Scalar", entry.default)
    return SettingInfo(meta["key"], default, meta["meaning"], meta["bounds"], meta["choices"])


def all_settings() -> list[SettingInfo]:
    """List every setting in file order; ``<name>`` stands for a harness's name."""
    every = [section for _, section in sections()]
    return [info_of(entry) for section in (*every, HarnessSettings) for entry in fields(section)]
