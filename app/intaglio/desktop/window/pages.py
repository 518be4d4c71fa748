"""The dashboard's pages as the windows reach them, and the page shown while the daemon is away."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, Protocol
from urllib.parse import parse_qs, quote, unquote, urlsplit

from intaglio.base.errors import IntaglioError
from intaglio.base.paths import Paths
from intaglio.client.discovery import find_daemon
from intaglio.desktop.values import Destination, OpenMemory, OpenPage
from intaglio.desktop.window.daemon_watch import watch_daemon
from intaglio.desktop.window.definitions import BACKGROUND

if TYPE_CHECKING:
    from intaglio.client.daemon_client import DaemonClient

_VERIFY_TIMEOUT_S: Final = 3.0
_LINK_TIMEOUT_S: Final = 10.0
_HOST: Final = "127.0.0.1"
_TEXT_COLOR: Final = {False: "#514d46", True: "#b9b9c1"}

_UNREACHABLE_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8">
<title>{title}</title>
<body style="margin:0;display:grid;place-items:center;height:100vh;
background:{background};color:{color};
font:15px system-ui,sans-serif;text-align:center"><p role="status">Intaglio's daemon isn't
responding.<br>This page reloads as soon as it does.</p></body></html>"""


def unreachable_page(title: str, *, dark: bool) -> str:
    """Return the page that says that the daemon isn't responding."""
    return _UNREACHABLE_PAGE.format(
        title=escape(title), background=BACKGROUND[dark], color=_TEXT_COLOR[dark]
    )


def _client(paths: Paths, timeout_s: float) -> "DaemonClient":
    # Loading it takes as long as WebKit's processes do to start, which they do meanwhile.
    from intaglio.client.daemon_client import DaemonClient  # noqa: PLC0415 - see above

    return DaemonClient(find_daemon(paths, {}), timeout_s)


def is_daemon_at(paths: Paths, url: str) -> bool:
    """Whether the daemon itself listens at an address, not a program that took its port."""
    try:
        with _client(paths, _VERIFY_TIMEOUT_S) as client:
            port = client.health().port
    except IntaglioError:
        return False
    return f"{url}/".startswith(f"http://{_HOST}:{port}/")


class PageSource(Protocol):
    """The daemon as the windows see it."""

    def is_at(self, url: str) -> bool:
        """Whether the daemon itself listens at an address, not a program that took its port."""
        ...

    def link(self, page: str) -> str | None:
        """Return a one-time sign-in link to a page; None while the daemon isn't responding."""
        ...

    def watch(
        self, is_there: Callable[[], bool], on_gone: Callable[[], None], on_back: Callable[[], None]
    ) -> None:
        """Tell for ever when the daemon is gone and when it is back, perhaps at another port."""
        ...


@dataclass(frozen=True, slots=True)
class DaemonPages:
    """The pages of an installation's daemon; implements `PageSource`."""

    paths: Paths

    def is_at(self, url: str) -> bool:
        """Whether the daemon itself listens at an address."""
        return is_daemon_at(self.paths, url)

    def link(self, page: str) -> str | None:
        """Return a one-time sign-in link to a page; None while the daemon isn't responding."""
        try:
            with _client(self.paths, _LINK_TIMEOUT_S) as client:
                return f"{client.sign_in_link().url}&next={quote(page, safe='')}"
        except IntaglioError:
            return None

    def watch(
        self, is_there: Callable[[], bool], on_gone: Callable[[], None], on_back: Callable[[], None]
    ) -> None:
        """Tell for ever when the daemon is gone and when it is back."""
        watch_daemon(self.paths, is_there, lambda: self.link("/") is not None, on_gone, on_back)


def page_path(link: str) -> str:
    """Return the dashboard page that a sign-in link leads to."""
    parts = urlsplit(link)
    if parts.path == "/enter":
        return parse_qs(parts.query).get("next", ["/"])[0]
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def destination_of(url: str) -> Destination:
    """Return what a quick window's link leads to in the dashboard."""
    page = page_path(url)
    _, _, memory = page.partition("/memories/")
    return OpenMemory(unquote(memory)) if memory else OpenPage("memories")
