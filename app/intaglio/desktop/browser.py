"""Opens the dashboard in the user's browser, where the app can't open windows."""

from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.base.paths import Paths
from intaglio.client.browser import open_dashboard
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.desktop.deep_links import path_of
from intaglio.desktop.values import Destination


class Browser:
    """Opens pages in the default browser; implements `Windows`."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    def show(self, destination: Destination, url: str) -> None:
        """Open the page; raises UnavailableError if there is no browser."""
        # The link would stand in the browser's arguments; it gets a file of its own.
        del url
        with DaemonClient(find_daemon(self._paths, {})) as client:
            is_open = open_dashboard(client, path_of(destination))
        if not is_open:
            raise UnavailableError(
                "Couldn't open a browser.",
                hint=f"Run `{command('dashboard')}` to get the dashboard's address.",
            )

    def prepare(self) -> None:
        """Do nothing: the browser belongs to the user."""

    def maintain(self) -> None:
        """Do nothing, likewise."""

    def close(self) -> None:
        """Do nothing, likewise."""
