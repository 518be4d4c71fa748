"""Deep links (``intaglio://…``), from a browser, a second launch or the menu.

``intaglio://open/<page>``, ``intaglio://memory/<id>``, ``intaglio://search?q=…`` and
``intaglio://remember``. Anything else is an `InvalidLink` with a message for the user.
"""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from intaglio.desktop.values import (
    PAGES,
    DashboardPage,
    Destination,
    OpenAddress,
    OpenMemory,
    OpenPage,
    QuickRemember,
    QuickSearch,
)
from intaglio.domain.issues import Issue

SCHEME: Final = "intaglio"
_MAX_CHARS: Final = 4_000
_MAX_QUERY_BYTES: Final = 500
_LINK: Final = re.compile(r"intaglio://([a-z]+)(?:/([^/?#]*))?/?(?:\?([^#]*))?", re.IGNORECASE)
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATHS: Final[dict[DashboardPage, str]] = {
    "home": "/",
    "memories": "/memories",
    "constellation": "/constellation",
    "status": "/status",
    "inbox": "/inbox",
    "connect": "/connections",
    "welcome": "/welcome",
    "settings": "/settings",
    "help": "/help",
}


@dataclass(frozen=True, slots=True)
class InvalidLink:
    """A link that can't be opened; ``reason`` is a message for the user."""

    reason: str


def parse_link(text: str) -> Destination | InvalidLink:
    """Parse a deep link; any text may be given."""
    found = _LINK.fullmatch(text.strip()) if len(text) <= _MAX_CHARS else None
    if found is None:
        return InvalidLink("Not an Intaglio link. Use a link like intaglio://open/memories.")
    destination: Destination | InvalidLink = InvalidLink(
        "Unknown link. Use intaglio://open/PAGE, intaglio://memory/ID, "
        "intaglio://search?q=WORDS or intaglio://remember."
    )
    path, query = found[2] or "", found[3]
    match found[1].lower():
        case "open" if query is None:
            destination = _parse_page(path)
        case "memory" if query is None:
            destination = _parse_memory(path)
        case "search" if not path:
            destination = _parse_search(query or "")
        case "remember" if not path and query is None:
            destination = QuickRemember()
        case _:
            pass
    return destination


def _parse_page(name: str) -> Destination | InvalidLink:
    wanted = name.lower() or "home"
    page: DashboardPage | None = next((one for one in PAGES if one == wanted), None)
    if page is None:
        return InvalidLink(f"Page not found. Use one of: {', '.join(PAGES)}.")
    return OpenPage(page)


def _parse_memory(text: str) -> Destination | InvalidLink:
    name = _decode(text)
    if name is None or not _ID.fullmatch(name):
        return InvalidLink("That isn't a valid memory id.")
    return OpenMemory(name)


def _parse_search(query: str) -> Destination | InvalidLink:
    fields = [part.partition("=") for part in query.split("&") if part]
    if [name for name, _, _ in fields] not in ([], ["q"]):
        return InvalidLink("A search link takes only q, as in intaglio://search?q=WORDS.")
    search_text = _decode(fields[0][2].replace("+", " ")) if fields else ""
    if (
        search_text is None
        or len(search_text.encode()) > _MAX_QUERY_BYTES
        or not search_text.isprintable()
    ):
        return InvalidLink(f"The search text must be one line of at most {_MAX_QUERY_BYTES} bytes.")
    return QuickSearch(search_text.strip())


def _decode(text: str) -> str | None:
    if _ESCAPE.search(text):
        return None
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        return None


def link_of(destination: Destination) -> str:
    """Return the link that `parse_link` turns into this destination, or into its page."""
    match destination:
        case OpenPage(page=page):
            return f"{SCHEME}://open/{page}"
        case OpenMemory(id=name):
            return f"{SCHEME}://memory/{quote(name, safe='')}"
        case QuickSearch(query=query):
            return f"{SCHEME}://search?q={quote(query, safe='')}"
        case QuickRemember():
            return f"{SCHEME}://remember"
        case OpenAddress():
            return f"{SCHEME}://open/status"


def path_of(destination: Destination) -> str:
    """Return the path and query of the destination in the dashboard."""
    match destination:
        case OpenPage(page=page):
            return _PATHS[page]
        case OpenMemory(id=name):
            return f"/memories/{quote(name, safe='')}"
        case QuickSearch(query=query):
            return f"/quick-search?q={quote(query, safe='')}" if query else "/quick-search"
        case QuickRemember():
            return "/quick-remember"
        case OpenAddress(path=path):
            return path


def page_of(issue: Issue) -> Destination:
    """Return where the dashboard shows an issue: the page that it names, or Health."""
    is_path = issue.page.startswith("/") and not issue.page.startswith("//")
    return OpenAddress(issue.page) if is_path else OpenPage("status")
