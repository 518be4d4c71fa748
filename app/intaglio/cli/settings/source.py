"""Where `intaglio config` reads and changes settings: at the daemon, or in the file without one."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from intaglio.base.clock import system_clock
from intaglio.base.paths import Paths
from intaglio.base.settings.catalogue import SettingsCatalogue
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.settings_file import SettingsFile
from intaglio.cli.connection import paths
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import DaemonNotFound, find_daemon
from intaglio.client.errors import UnreachableError, UnresponsiveError
from intaglio.harness.registry import harness_names
from intaglio.models.confirmations import FILE_NAME as CONFIRMED_MODELS
from intaglio.models.confirmations import ConfirmedModels
from intaglio.redaction.shown_text import without_secrets
from intaglio.sections import SECTIONS
from intaglio.wire.settings import (
    SettingChange,
    SettingsChangeReply,
    SettingsChangeRequest,
    SettingsReply,
)
from intaglio.wire.settings_view import settings_reply


class SettingsSource(Protocol):
    """Reads and changes settings."""

    @property
    def settings(self) -> SettingsReply:
        """All settings as they were when the command began."""
        ...

    @property
    def is_running(self) -> bool:
        """Whether a daemon uses a change at once."""
        ...

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        ...


@dataclass(frozen=True, slots=True)
class DaemonSource:
    """The settings of the running daemon, which uses a change at once."""

    client: DaemonClient
    settings: SettingsReply
    is_running: bool = True

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        return self.client.change_settings(request)


@dataclass(frozen=True, slots=True)
class FileSource:
    """The settings in the file, for a daemon that starts later."""

    editor: SettingsEditor
    settings: SettingsReply
    is_running: bool = False

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        changes = [(each.key, each.value) for each in request.changes]
        undo = self.editor.change(changes, confirmed=request.confirmed)
        return SettingsChangeReply(
            settings=read_file(self.editor),
            undo=[SettingChange(key=key, value=value) for key, value in undo],
        )


def settings_editor(places: Paths) -> SettingsEditor:
    """Return what reads and changes the file without a daemon."""
    catalogue = SettingsCatalogue(SECTIONS, harness_names())
    file = SettingsFile(
        lambda: places.settings, places.state / "settings.lock", system_clock, catalogue
    )
    confirmed = ConfirmedModels(places.state / CONFIRMED_MODELS, system_clock)
    return SettingsEditor(file, catalogue, confirmed=confirmed.follow_change)


def read_file(editor: SettingsEditor) -> SettingsReply:
    """Return all settings as the file has them."""
    return settings_reply(str(editor.file.path), editor.view(), clean=without_secrets)


@contextmanager
def settings_source() -> Generator[SettingsSource]:
    """Yield the daemon's settings if it runs, else the file's.

    A daemon whose address is given must answer: the file here may not be its own.
    """
    places = paths()
    address = find_daemon(places, os.environ)
    if not isinstance(address, DaemonNotFound):
        with DaemonClient(address) as client:
            found = _ask(client)
            if found is not None:
                yield DaemonSource(client, found)
                return
    editor = settings_editor(places)
    yield FileSource(editor, read_file(editor))


def _ask(client: DaemonClient) -> SettingsReply | None:
    """Return the daemon's settings; None if it isn't running."""
    try:
        return client.settings()
    except UnreachableError as error:
        names = ("INTAGLIO_DAEMON_URL", "SIGNET_DAEMON_URL")
        is_named = any(os.environ.get(name, "").strip() for name in names)
        if is_named or isinstance(error, UnresponsiveError):
            raise
        return None
