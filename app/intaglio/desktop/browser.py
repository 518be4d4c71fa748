"""Opens the dashboard in the user's browser, where the app can't open windows."""

import webbrowser

from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.desktop.values import Destination


class Browser:
    """Opens pages in the default browser; implements `Windows`."""

    def show(self, destination: Destination, url: str) -> None:
        """Open the page; raises UnavailableError if there is no browser."""
        del destination
        if not webbrowser.open(url):
            raise UnavailableError(
                "Couldn't open a browser.",
                hint=f"Run `{command('dashboard')}` to get the dashboard's address.",
            )

    def close(self) -> None:
        """Do nothing: the browser belongs to the user."""
