"""The dashboard in the user's browser, where it has no window of its own."""

import webbrowser

from intaglio.base.errors import UnavailableError
from intaglio.base.installation import command
from intaglio.desktop.values import Destination


class Browser:
    """Opens pages in the default browser; `Windows` without a window."""

    def show(self, destination: Destination, url: str) -> None:
        """Open the page; raises UnavailableError where there is no browser."""
        del destination
        if not webbrowser.open(url):
            raise UnavailableError(
                "Couldn't open a browser.",
                hint=f"Run `{command('dashboard')}` to get the dashboard's address.",
            )

    def close(self) -> None:
        """Leave the browser alone: it is the user's."""
