"""The kinds of windows: titles, sizes, and which window shows which destination."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import (
    Destination,
    OpenAddress,
    OpenMemory,
    OpenPage,
    QuickRemember,
    QuickSearch,
)

WindowKind: TypeAlias = Literal["dashboard", "remember", "search"]

# The dashboard's colours (ui/src/styles/tokens.css), so that nothing flashes before it has loaded.
BACKGROUND: Final = {False: "#f6f4f0", True: "#101012"}


@dataclass(frozen=True, slots=True)
class WindowDefinition:
    """A window's title and sizes in pixels; without ``remembers_geometry`` it opens centred."""

    title: str
    size: tuple[int, int]
    min_size: tuple[int, int]
    remembers_geometry: bool


DEFINITIONS: Final[dict[WindowKind, WindowDefinition]] = {
    "dashboard": WindowDefinition("Intaglio", (1280, 800), (640, 480), remembers_geometry=True),
    "remember": WindowDefinition(
        "Remember · Intaglio", (520, 384), (400, 280), remembers_geometry=False
    ),
    "search": WindowDefinition(
        "Search · Intaglio", (640, 440), (400, 280), remembers_geometry=False
    ),
}


def kind_of(destination: Destination) -> WindowKind:
    """Return the kind of window that shows a destination."""
    match destination:
        case OpenPage() | OpenMemory() | OpenAddress():
            return "dashboard"
        case QuickRemember():
            return "remember"
        case QuickSearch():
            return "search"


def keeps_current_page(destination: Destination) -> bool:
    """Return whether an open window only comes to the front, without loading another page."""
    match destination:
        case OpenPage(page=page, navigates=navigates):
            return page == "home" and not navigates
        case QuickRemember():
            return True
        case QuickSearch(query=query):
            return not query
        case OpenMemory() | OpenAddress():
            return False
