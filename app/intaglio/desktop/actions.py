"""What the desk asks of daemon and system on the user's behalf; each may take a while."""

from typing import Final, Protocol
from urllib.parse import quote

from intaglio.base.paths import Paths
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.desktop.autostart.switch import Autostart
from intaglio.desktop.deep_links import path_of
from intaglio.desktop.values import Destination, PauseFor

_WITHIN_S: Final = 10.0
_MINUTES: Final[dict[PauseFor, int]] = {"15m": 15, "1h": 60}


class DesktopActions(Protocol):
    """The errands; every one raises IntaglioError or OSError when it cannot be done."""

    def link(self, destination: Destination) -> str:
        """Return an address that signs in, once, and leads to what is to be shown."""
        ...

    def pause(self, how_long: PauseFor) -> None:
        """Pause capture."""
        ...

    def resume(self) -> None:
        """End the pause."""
        ...

    def autostarts(self) -> bool | None:
        """Tell whether the desk starts at login; None where that cannot be."""
        ...

    def autostart(self, *, on: bool) -> bool | None:
        """Start at login, or no longer; returns what is so then."""
        ...


class DaemonActions:
    """The errands of one installation, run through its daemon."""

    def __init__(self, paths: Paths, autostart: Autostart | None) -> None:
        self._paths = paths
        self._autostart = autostart

    def _client(self) -> DaemonClient:
        return DaemonClient(find_daemon(self._paths, {}), _WITHIN_S)

    def link(self, destination: Destination) -> str:
        """Return an address that signs in, once, and leads to what is to be shown."""
        with self._client() as client:
            return f"{client.sign_in_link().url}&next={quote(path_of(destination), safe='')}"

    def pause(self, how_long: PauseFor) -> None:
        """Pause capture."""
        with self._client() as client:
            if how_long == "tomorrow":
                client.pause(until="tomorrow")
            else:
                client.pause(minutes=_MINUTES[how_long])

    def resume(self) -> None:
        """End the pause."""
        with self._client() as client:
            client.resume()

    def autostarts(self) -> bool | None:
        """Tell whether the desk starts at login; None where that cannot be."""
        return None if self._autostart is None else self._autostart.is_on()

    def autostart(self, *, on: bool) -> bool | None:
        """Start at login, or no longer; returns what is so then."""
        if self._autostart is not None:
            self._autostart.switch(on=on)
        return self.autostarts()
