"""Shows and changes settings: checked against their declarations, confirmed where it matters."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.base.agent_yaml.problems import BrokenFileError, FileProblem
from intaglio.base.errors import (
    ConfirmationNeededError,
    InvalidInputError,
    NotFoundError,
)
from intaglio.base.settings.catalogue import ListedSetting, SettingsCatalogue
from intaglio.base.settings.declaration import Scalar, must_confirm
from intaglio.base.settings.reading import SettingProblem, SettingsReading, UnusedSetting
from intaglio.base.settings.settings_file import SettingsFile, SettingWrite
from intaglio.base.settings.validation import as_text, check_value
from intaglio.base.settings.values import Settings
from intaglio.base.text import clip

_SHOWN_CHARS: Final = 200
_NEAR: Final = 0.6


class UnknownSettingError(NotFoundError):
    """No setting has this key."""

    code = "unknown_setting"
    title = "There's no such setting"


class InvalidSettingError(InvalidInputError):
    """The value isn't one that the setting can have."""

    code = "invalid_setting"
    title = "Invalid value"


@dataclass(frozen=True, slots=True)
class SettingState:
    """A setting and what the file says of it; ``value`` is the one in use.

    ``given`` is what the file says if that is something else, and ``problem`` says why.
    """

    setting: ListedSetting
    value: Scalar
    is_set: bool = False
    given: str | None = None
    problem: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class UnusedEntry:
    """A key of the file that has no effect, and why."""

    key: str
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class SettingsView:
    """All settings, and the file as it is."""

    states: tuple[SettingState, ...]
    unused: tuple[UnusedEntry, ...]
    exists: bool
    is_writable: bool
    fingerprint: str
    problem: FileProblem | None


TellConfirmed: TypeAlias = Callable[[Sequence[str], Settings, Settings], None]


@dataclass(frozen=True, slots=True)
class SettingsEditor:
    """Reads and changes the settings in the file. All methods block.

    ``current`` returns the settings in use, which hold while the file can't be read; ``refresh``
    reads the file again once it is changed. ``confirmed`` is told of changes that the user has
    confirmed, before they are in use: their keys, and the settings before and after.
    """

    file: SettingsFile
    catalogue: SettingsCatalogue
    current: Callable[[], Settings] = Settings
    refresh: Callable[[], object] = bool
    confirmed: TellConfirmed | None = None

    def view(self) -> SettingsView:
        """Return all settings as they are now."""
        content = self.file.read()
        if content.problem is None:
            reading = self.catalogue.read(content.text)
        else:
            reading = SettingsReading(self.current())
        # What is wrong with a setting's value is told in its row.
        in_rows = {key: given.problem for key, given in reading.given.items()}
        states = [self._state(each, reading) for each in self.catalogue.all]
        notes: list[SettingProblem | UnusedSetting] = [
            *(one for one in reading.problems if one.message != in_rows.get(one.key)),
            *reading.unused,
        ]
        unused = [UnusedEntry(one.key, one.message, one.line) for one in notes]
        return SettingsView(
            tuple(states),
            tuple(unused),
            content.exists,
            self.file.is_writable,
            content.fingerprint,
            content.problem,
        )

    def _state(self, setting: ListedSetting, reading: SettingsReading) -> SettingState:
        value, given = setting.value(reading.settings), reading.given.get(setting.key)
        if given is None:
            return SettingState(setting, value)
        other = bool(given.problem)
        shown = as_text(given.value) if other and not setting.info.secret else None
        return SettingState(
            setting,
            value,
            is_set=True,
            given=shown,
            problem=given.problem,
            line=given.line,
        )

    def change(
        self, changes: Sequence[tuple[str, Scalar | None]], *, confirmed: bool
    ) -> tuple[tuple[str, Scalar | None], ...]:
        """Write the changes, all or none, and use them; return those that take them back.

        The change of a secret that was set can't be taken back: its value isn't told. Raises
        UnknownSettingError, InvalidSettingError, ConfirmationNeededError, and what
        `SettingsFile.apply` raises.
        """
        wanted = [(self.find(key), value) for key, value in changes]
        if len({setting.key for setting, _ in wanted}) < len(wanted):
            raise InvalidSettingError("A setting occurs twice", hint="Send each setting once.")
        checked = [
            (setting, None if value is None else valid_value(setting, value))
            for setting, value in wanted
        ]
        if not confirmed:
            self._refuse_unconfirmed(checked)
        done = self.file.apply(checked)
        before = self.catalogue.read((done.before or b"").decode("utf-8-sig"))
        if confirmed and self.confirmed is not None:
            after = self.catalogue.read(self.file.read().text).settings
            self.confirmed([setting.key for setting, _ in checked], before.settings, after)
        self.refresh()
        return tuple(
            _undo(setting, before)
            for setting, _ in checked
            if not (setting.info.secret and setting.key in before.given)
        )

    def tried(self, values: Mapping[str, Scalar | None]) -> Settings:
        """Return the settings in use with these values instead, by key; None is the default.

        Nothing is written. Raises InvalidSettingError, also for an unknown key and for a secret.
        """
        settings = self.current()
        for key, value in values.items():
            try:
                setting = self.find(key)
            except UnknownSettingError as error:
                raise InvalidSettingError(error.detail, hint=error.hint) from error
            if setting.info.secret:
                raise InvalidSettingError(
                    f"{key} is a secret and can't be sent",
                    hint="Leave it out: it changes nothing here.",
                )
            used = setting.info.default if value is None else valid_value(setting, value)
            settings = setting.replaced_in(settings, used)
        return settings

    def find(self, key: str) -> ListedSetting:
        """Return the setting with this key; raises UnknownSettingError with a suggestion."""
        found = self.catalogue.find(key)
        if found is not None:
            return found
        keys = [each.key for each in self.catalogue.all]
        near = difflib.get_close_matches(key, keys, n=1, cutoff=_NEAR)
        every = "`intaglio config list` and GET /api/settings list all."
        raise UnknownSettingError(
            f"There's no setting {clip(key, _SHOWN_CHARS)}",
            hint=f"Did you mean {near[0]}?" if near else every,
        )

    def _refuse_unconfirmed(self, changes: Sequence[SettingWrite]) -> None:
        content = self.file.read()
        if content.problem is not None:
            raise BrokenFileError(content.problem)
        settings = self.catalogue.read(content.text).settings
        found = [
            (setting.key, setting.info.consequence)
            for setting, value in changes
            if setting.info.consequence is not None
            and must_confirm(
                setting.info,
                setting.value(settings),
                setting.info.default if value is None else value,
            )
        ]
        if found:
            texts = dict.fromkeys(consequence.text for _, consequence in found)
            raise ConfirmationNeededError(
                " ".join(texts),
                hint="Send it again with confirmed: true to go on.",
                keys=[key for key, _ in found],
                kind=found[0][1].kind,
            )


def _undo(setting: ListedSetting, before: SettingsReading) -> tuple[str, Scalar | None]:
    given = before.given.get(setting.key)
    if given is None or given.problem:
        return setting.key, None
    return setting.key, setting.value(before.settings)


def valid_value(setting: ListedSetting, value: Scalar) -> Scalar:
    """Return the value as it is written; raises InvalidSettingError with what is allowed."""
    info = setting.info
    checked, complaint = check_value(info, value)
    if complaint:
        raise InvalidSettingError(
            f"{info.label} ({setting.key}) {complaint}",
            hint=info.help,
            key=setting.key,
            low=info.bounds[0] if info.bounds else None,
            high=info.bounds[1] if info.bounds else None,
            unit=info.unit,
        )
    return checked
