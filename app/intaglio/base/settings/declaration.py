"""How a package declares its settings: fields of a frozen dataclass, each made by `setting`."""

import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from enum import Enum
from typing import Any, Final, Literal, TypeAlias, cast

Scalar: TypeAlias = bool | int | float | str

SettingsSection: TypeAlias = type[Any]
"""A frozen dataclass whose fields were made by `setting`."""

HARNESS: Final = "<name>"
"""Stands in a key for the name of a harness, in camelCase."""


class SettingGroup(Enum):
    """What a setting is about; groups are shown in this order."""

    CAPTURE = "Capture"
    TOLD = "What agents are told"
    AGENTS = "Agents"
    MODELS = "Models"
    PRIVACY = "Privacy and retention"
    DESKTOP = "Notifications and tray"
    UPDATES = "Updates"
    ADVANCED = "Advanced"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that a setting can have, and what people call it."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class SettingForm:
    """What a text must look like.

    ``name`` chooses the dashboard's control for it. ``problem`` returns what would be allowed, as
    in "must be a colour", or nothing if a text is valid. ``example`` is valid.
    """

    name: Literal["shortcut"]
    problem: Callable[[str], str]
    example: str


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a change leads to that the user must confirm; ``values`` are those that do (empty: all).

    ``kind`` says whether it costs tokens, sends something to another program, or deletes data;
    ``text`` is one sentence for the confirmation. Of numbers, ``change`` says whether only a
    higher or only a lower one does; for a period in days, 0 is the longest.
    """

    kind: Literal["tokens", "sends", "deletes"]
    text: str
    values: tuple[Scalar, ...] = ()
    change: Literal["any", "more", "less"] = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingInfo:
    """The declaration of a setting.

    ``key`` is its dotted key in ``agent.yaml``; ``other_keys`` are accepted for it too. ``label``
    names it, ``help`` explains it in a sentence or two. ``unit`` is written behind a number, such
    as "days". ``bounds`` are inclusive. ``form`` limits a text. A ``secret`` is never shown.
    ``other_values`` maps what a file may say instead of a choice to that choice.
    """

    key: str
    default: Scalar
    label: str
    help: str
    group: SettingGroup
    unit: str = ""
    bounds: tuple[float, float] | None = None
    choices: tuple[Choice, ...] = ()
    form: SettingForm | None = None
    other_values: tuple[tuple[str, str], ...] = ()
    needs_restart: bool = False
    consequence: Consequence | None = None
    secret: bool = False
    other_keys: tuple[str, ...] = ()
    words: str = ""
    """More words by which a search finds it."""

    @property
    def by_harness(self) -> bool:
        """Whether each harness has its own value."""
        return HARNESS in self.key


def setting(default: Scalar, key: str, **declared: Any) -> Any:  # noqa: ANN401 - dataclasses.field types its result as the field's own type
    """Declare a setting; the keywords are the fields of `SettingInfo`."""
    return field(
        default=default, metadata={"setting": SettingInfo(key=key, default=default, **declared)}
    )


def must_confirm(info: SettingInfo, before: Scalar, after: Scalar) -> bool:
    """Whether the change of a setting from one value to another has its consequence."""
    found = info.consequence
    if found is None or before == after or (found.values and after not in found.values):
        return False
    if found.change == "any" or isinstance(before, str) or isinstance(after, str):
        return True
    # A period of 0 days never ends.
    endless = info.unit == "days"
    old, new = (math.inf if endless and not value else value for value in (before, after))
    return new > old if found.change == "more" else new < old


def info_of(entry: "Field[Any]") -> SettingInfo:
    """Return the declaration of a field that `setting` made."""
    return cast("SettingInfo", entry.metadata["setting"])


def settings_in(section: SettingsSection) -> Sequence[SettingInfo]:
    """List the settings of a section in the order of its fields."""
    return [info_of(entry) for entry in fields(section) if entry.default is not MISSING]
