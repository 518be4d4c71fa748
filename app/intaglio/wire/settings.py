"""Requests and replies of the settings endpoints."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

SettingValue: TypeAlias = bool | int | float | str
SettingOrigin = Literal["default", "file"]
SettingKind = Literal["switch", "choice", "number", "text", "shortcut"]
SettingKey = Annotated[str, Meta(min_length=1, max_length=300)]


class SettingChoice(Struct, kw_only=True):
    """A value that a setting can have, and its label."""

    value: str
    label: str


class SettingConsequence(Struct, kw_only=True):
    """What a change to one of `values` (empty: to any value) leads to; it must be confirmed.

    Of numbers, `change` says whether only a higher or only a lower one does; of a setting in days,
    0 is the highest.
    """

    kind: Literal["tokens", "sends", "deletes"]
    text: str
    values: list[SettingValue]
    change: Literal["any", "more", "less"]


class SettingRow(Struct, kw_only=True, rename="camel"):
    """A setting: its declaration, its value now, and where that comes from.

    `key` is the dotted key in `agent.yaml`. `value` is what is in use; `given` is what the file
    says if that is something else, as text, and `problem` says why. `low` and `high` are inclusive.
    `whole` numbers have no decimals. Of a `secret`, `value` is empty; `isSet` says whether there
    is one. `line` is its line in the file. `harness` is the harness that has this value. `notice`
    says why the value doesn't work at the moment, such as keys that another program has.
    """

    key: str
    label: str
    help: str
    group: str
    kind: SettingKind
    unit: str
    default: SettingValue
    value: SettingValue
    origin: SettingOrigin
    is_set: bool
    given: str | None
    problem: str
    whole: bool
    low: float | None
    high: float | None
    choices: list[SettingChoice]
    needs_restart: bool
    consequence: SettingConsequence | None
    secret: bool
    line: int | None
    harness: str | None
    words: str
    notice: str


class SettingFact(Struct, kw_only=True):
    """Something that is shown beside a group's settings but isn't changed here, such as a path."""

    id: str
    group: str
    label: str
    value: str
    help: str


class UnusedKey(Struct, kw_only=True):
    """A key of the file that has no effect, and why; `line` is null if it can't be told."""

    key: str
    message: str
    line: int | None


class SettingsFileProblem(Struct, kw_only=True):
    """Why the file can't be read; `excerpt` is the line as it is."""

    message: str
    line: int | None
    column: int | None
    excerpt: str | None


class SettingsFileState(Struct, kw_only=True, rename="camel"):
    """The settings file. While it has a `problem`, the last readable settings are in use.

    `fingerprint` changes with its content; empty if there is no file.
    """

    path: str
    exists: bool
    writable: bool
    fingerprint: str
    problem: SettingsFileProblem | None


class SettingsReply(Struct, kw_only=True):
    """All settings, by group in the order in which they are shown."""

    groups: list[str]
    settings: list[SettingRow]
    facts: list[SettingFact]
    unused: list[UnusedKey]
    file: SettingsFileState


class SettingChange(Struct, kw_only=True):
    """The new value of a setting; null removes it from the file, so that its default holds."""

    key: SettingKey
    value: SettingValue | None


class SettingsChangeRequest(Struct, kw_only=True):
    """Changes of settings that are written together, or none of them.

    Those with a consequence are refused (409) unless `confirmed`.
    """

    changes: Annotated[list[SettingChange], Meta(min_length=1, max_length=100)]
    confirmed: bool = False


class SettingsChangeReply(Struct, kw_only=True):
    """The settings after the change; `undo` are the changes that take it back."""

    settings: SettingsReply
    undo: list[SettingChange]


class ProjectSettingRow(Struct, kw_only=True, rename="camel"):
    """A setting of one project; without its own value (`isSet` false), `value` is the general one.

    `general` is the general value, and `generalKey` the setting that has it, if there is one.
    """

    key: str
    label: str
    help: str
    kind: SettingKind
    unit: str
    value: SettingValue
    general: SettingValue
    general_key: str | None
    is_set: bool
    low: float | None
    high: float | None
    choices: list[SettingChoice]
    consequence: SettingConsequence | None


class ProjectSettingsReply(Struct, kw_only=True):
    """The settings of a project."""

    project: str
    settings: list[ProjectSettingRow]


class ProjectSettingsRequest(Struct, kw_only=True):
    """Changes of one project's settings; a null value takes the general one again."""

    project: Annotated[str, Meta(min_length=1, max_length=4_096)]
    changes: Annotated[list[SettingChange], Meta(min_length=1, max_length=20)]
    confirmed: bool = False


class ProjectSettingsChange(Struct, kw_only=True):
    """A project's settings after a change; `undo` are the changes that take it back."""

    settings: ProjectSettingsReply
    undo: list[SettingChange] = msgspec.field(default_factory=list[SettingChange])
