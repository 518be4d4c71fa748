"""The kinds of windows: what each is called, how large it begins, and what is shown in which."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.desktop.values import Destination, OpenMemory, OpenPage, QuickRemember, QuickSearch

WindowKind: TypeAlias = Literal["dashboard", "remember", "search"]


@dataclass(frozen=True, slots=True)
class WindowDefinition:
    """A window's title and its sizes in pixels; a small window keeps its place in the middle."""

    title: str
    size: tuple[int, int]
    least: tuple[int, int]
    keeps_place: bool


FRAMES: Final[dict[WindowKind, WindowDefinition]] = {
    "dashboard": WindowDefinition("Intaglio", (1280, 800), (640, 480), keeps_place=True),
    "remember": WindowDefinition("Remember · Intaglio", (520, 340), (400, 280), keeps_place=False),
    "search": WindowDefinition("Search · Intaglio", (640, 440), (400, 280), keeps_place=False),
}


def kind_of(destination: Destination) -> WindowKind:
    """Name the window in which something is shown."""
    match destination:
        case OpenPage() | OpenMemory():
            return "dashboard"
        case QuickRemember():
            return "remember"
        case QuickSearch():
            return "search"


def keeps_page(destination: Destination) -> bool:
    """Tell whether an open window is brought forward as it stands, rather than led elsewhere."""
    match destination:
        case OpenPage(page=page):
            return page == "home"
        case QuickRemember():
            return True
        case QuickSearch(query=query):
            return not query
        case OpenMemory():
            return False
