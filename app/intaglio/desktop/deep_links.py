"""Deep links, ``intaglio://…``: the same text from a browser, a second launch and the menu.

``intaglio://open/<page>``, ``intaglio://memory/<id>``, ``intaglio://search?q=…`` and
``intaglio://remember``; anything else is refused, in words that can be shown.
"""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from intaglio.desktop.values import (
    PAGES,
    DashboardPage,
    Destination,
    OpenMemory,
    OpenPage,
    QuickRemember,
    QuickSearch,
)

SCHEME: Final = "intaglio"
_MOST_CHARS: Final = 4_000
_MOST_QUERY_BYTES: Final = 500
_LINK: Final = re.compile(r"intaglio://([a-z]+)(?:/([^/?#]*))?/?(?:\?([^#]*))?", re.IGNORECASE)
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATHS: Final[dict[DashboardPage, str]] = {
    "home": "/",
    "memories": "/memories",
    "status": "/status",
    "connect": "/status#connect",
    "help": "/help",
}


@dataclass(frozen=True, slots=True)
class BadLink:
    """A link that means nothing here, and why."""

    why: str


def parse_link(text: str) -> Destination | BadLink:
    """Read a deep link; any text may be given."""
    found = _LINK.fullmatch(text.strip()) if len(text) <= _MOST_CHARS else None
    if found is None:
        return BadLink("This is no link of Intaglio: it has to look like intaglio://open/memories.")
    what: Destination | BadLink = BadLink(
        "Intaglio knows these links: intaglio://open/PAGE, intaglio://memory/ID, "
        "intaglio://search?q=WORDS and intaglio://remember."
    )
    rest, query = found[2] or "", found[3]
    match found[1].lower():
        case "open" if query is None:
            what = _page(rest)
        case "memory" if query is None:
            what = _memory(rest)
        case "search" if not rest:
            what = _search(query or "")
        case "remember" if not rest and query is None:
            what = QuickRemember()
        case _:
            pass
    return what


def _page(name: str) -> Destination | BadLink:
    wanted = name.lower() or "home"
    page: DashboardPage | None = next((one for one in PAGES if one == wanted), None)
    if page is None:
        return BadLink(f"There is no such page; there are: {', '.join(PAGES)}.")
    return OpenPage(page)


def _memory(text: str) -> Destination | BadLink:
    name = _decoded(text)
    if name is None or not _ID.fullmatch(name):
        return BadLink("That is no id of a memory.")
    return OpenMemory(name)


def _search(query: str) -> Destination | BadLink:
    fields = [part.partition("=") for part in query.split("&") if part]
    if [name for name, _, _ in fields] not in ([], ["q"]):
        return BadLink("A search has one field, q.")
    words = _decoded(fields[0][2].replace("+", " ")) if fields else ""
    if words is None or len(words.encode()) > _MOST_QUERY_BYTES or not words.isprintable():
        return BadLink(
            f"What to search for has to be one line of at most {_MOST_QUERY_BYTES} bytes."
        )
    return QuickSearch(words.strip())


def _decoded(text: str) -> str | None:
    if _ESCAPE.search(text):
        return None
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        return None


def link_of(destination: Destination) -> str:
    """Write the link that `parse_link` reads as this."""
    match destination:
        case OpenPage(page=page):
            return f"{SCHEME}://open/{page}"
        case OpenMemory(id=name):
            return f"{SCHEME}://memory/{quote(name, safe='')}"
        case QuickSearch(query=query):
            return f"{SCHEME}://search?q={quote(query, safe='')}"
        case QuickRemember():
            return f"{SCHEME}://remember"


def path_of(destination: Destination) -> str:
    """Return the dashboard's own address, from the slash on."""
    match destination:
        case OpenPage(page=page):
            return _PATHS[page]
        case OpenMemory(id=name):
            return f"/memories/{quote(name, safe='')}"
        case QuickSearch(query=query):
            return f"/quick-search?q={quote(query, safe='')}" if query else "/quick-search"
        case QuickRemember():
            return "/quick-remember"
