"""Where `intaglio config` reads and changes settings: at the daemon, or in the file without one."""

import os
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
    def is_running(self) -> bool:
        """Whether a daemon uses a change at once."""
        ...

    def read(self) -> SettingsReply:
        """Return all settings."""
        ...

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        ...


@dataclass(frozen=True, slots=True)
class DaemonSource:
    """The settings of the running daemon, which uses a change at once."""

    client: DaemonClient
    is_running: bool = True

    def read(self) -> SettingsReply:
        """Return all settings."""
        return self.client.settings()

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        return self.client.change_settings(request)


@dataclass(frozen=True, slots=True)
class FileSource:
    """The settings in the file, for a daemon that starts later."""

    editor: SettingsEditor
    is_running: bool = False

    def read(self) -> SettingsReply:
        """Return all settings."""
        return settings_reply(str(self.editor.file.path), self.editor.view())

    def change(self, request: SettingsChangeRequest) -> SettingsChangeReply:
        """Change settings, all or none of them."""
        changes = [(each.key, each.value) for each in request.changes]
        undo = self.editor.change(changes, confirmed=request.confirmed)
        return SettingsChangeReply(
            settings=self.read(), undo=[SettingChange(key=key, value=value) for key, value in undo]
        )


def settings_editor(places: Paths) -> SettingsEditor:
    """Return what reads and changes the file without a daemon."""
    catalogue = SettingsCatalogue(SECTIONS, harness_names())
    file = SettingsFile(places.settings, places.state / "settings.lock", system_clock, catalogue)
    return SettingsEditor(file, catalogue)


def settings_source() -> SettingsSource:
    """Return the daemon's settings if it runs, else the file's.

    A daemon whose address is given must answer: the file here may not be its own.
    """
    places = paths()
    address = find_daemon(places, os.environ)
    if isinstance(address, DaemonNotFound):
        return FileSource(settings_editor(places))
    client = DaemonClient(address)
    try:
        client.settings()
    except UnreachableError as error:
        named = any(
            os.environ.get(f"{name}_DAEMON_URL", "").strip() for name in ("INTAGLIO", "SIGNET")
        )
        if named or isinstance(error, UnresponsiveError):
            raise
        return FileSource(settings_editor(places))
    return DaemonSource(client)
