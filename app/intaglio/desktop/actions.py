"""Actions that the desktop app carries out for the user; each may take a while."""

from typing import Final, Protocol
from urllib.parse import quote

from intaglio.base.paths import Paths
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.desktop.autostart.switch import Autostart
from intaglio.desktop.deep_links import path_of
from intaglio.desktop.values import Destination, PauseDuration, UndoSaved

_TIMEOUT_S: Final = 10.0
_MINUTES: Final[dict[PauseDuration, int]] = {"15m": 15, "1h": 60}


class DesktopActions(Protocol):
    """The actions; each raises IntaglioError or OSError when it fails."""

    def link(self, destination: Destination) -> str:
        """Return a one-time sign-in link that leads to the destination."""
        ...

    def undo_saved(self, saved: UndoSaved) -> int:
        """Forget memories that capture saved; returns how many were forgotten."""
        ...

    def pause(self, duration: PauseDuration) -> None:
        """Pause capture."""
        ...

    def resume(self) -> None:
        """Resume capture."""
        ...

    def is_autostart_on(self) -> bool | None:
        """Return whether the app starts at login; None where that isn't supported."""
        ...

    def set_autostart(self, *, on: bool) -> bool | None:
        """Turn start at login on or off and return the resulting state."""
        ...


class DaemonActions:
    """The actions of one installation, run through its daemon."""

    def __init__(self, paths: Paths, autostart: Autostart | None) -> None:
        self._paths = paths
        self._autostart = autostart

    def _client(self) -> DaemonClient:
        return DaemonClient(find_daemon(self._paths, {}), _TIMEOUT_S)

    def link(self, destination: Destination) -> str:
        """Return a one-time sign-in link that leads to the destination."""
        with self._client() as client:
            return f"{client.sign_in_link().url}&next={quote(path_of(destination), safe='')}"

    def undo_saved(self, saved: UndoSaved) -> int:
        """Forget memories that capture saved; returns how many were forgotten."""
        with self._client() as client:
            return client.forget_all(saved.ids, "undone in the tray", "tray").deleted

    def pause(self, duration: PauseDuration) -> None:
        """Pause capture."""
        with self._client() as client:
            if duration == "tomorrow":
                client.pause(until="tomorrow")
            else:
                client.pause(minutes=_MINUTES[duration])

    def resume(self) -> None:
        """Resume capture."""
        with self._client() as client:
            client.resume()

    def is_autostart_on(self) -> bool | None:
        """Return whether the app starts at login; None where that isn't supported."""
        return None if self._autostart is None else self._autostart.is_on()

    def set_autostart(self, *, on: bool) -> bool | None:
        """Turn start at login on or off and return the resulting state."""
        if self._autostart is not None:
            self._autostart.switch(on=on)
        return self.is_autostart_on()
