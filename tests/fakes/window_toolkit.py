"""A windowing library without a screen, and a daemon, for the tests of the window process."""

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.desktop.values import Destination
from intaglio.desktop.window.commands import CloseWindows, ShowWindow, WindowCommand
from intaglio.desktop.window.definitions import WindowDefinition, WindowKind
from intaglio.desktop.window.geometry import Rectangle, WindowGeometry
from intaglio.desktop.window.process import WindowProcess
from intaglio.desktop.window.toolkit import NativeWindow, WindowEvents


@dataclass(eq=False)
class FakeWindow:
    """A window that loads its pages at once."""

    events: WindowEvents
    address: str = ""
    title: str = ""
    box: Rectangle = field(default_factory=lambda: Rectangle(0, 0, 0, 0))
    loads: list[str] = field(default_factory=list[str])
    messages: list[str] = field(default_factory=list[str])
    shown: int = 0
    is_gone: bool = False

    def become(
        self, definition: WindowDefinition, box: Rectangle, *, maximized: bool = False
    ) -> None:
        del maximized
        self.title, self.box = definition.title, box

    def load(self, url: str) -> None:
        self.loads.append(url)
        if not self.events.is_trusted(url):
            self.events.failed(self)
            return
        self.address = url
        self.events.loaded(self)

    def load_message(self, html: str) -> None:
        self.messages.append(html)
        self.events.loaded(self)

    def bring_to_front(self) -> None:
        self.shown += 1

    def close(self) -> None:
        self.is_gone = True
        self.events.closing(self, WindowGeometry(self.box))

    def destroy(self) -> None:
        self.is_gone = True


@dataclass
class FakeToolkit:
    """A main loop that does nothing; the first screen is the pointer's."""

    events: WindowEvents
    is_dark: bool = False
    windows: list[FakeWindow] = field(default_factory=list[FakeWindow])
    network: list[bool] = field(default_factory=list[bool])
    over: threading.Event = field(default_factory=threading.Event)

    def run(self, started: Callable[[], None]) -> None:
        started()

    def stop(self) -> None:
        self.over.set()

    def create(self) -> NativeWindow:
        self.windows.append(FakeWindow(self.events))
        return self.windows[-1]

    def screens(self) -> Sequence[Rectangle]:
        return [Rectangle(1920, 0, 1280, 1000), Rectangle(0, 0, 1920, 1080)]

    def allow_network(self, *, allowed: bool) -> None:
        self.network.append(allowed)


@dataclass
class FakePages:
    """A daemon that listens at ``port``, or nowhere."""

    port: int | None = 3850
    links: int = 0
    on_gone: Callable[[], None] = field(default=lambda: None)
    on_back: Callable[[], None] = field(default=lambda: None)

    def is_at(self, url: str) -> bool:
        return self.port is not None and url.startswith(f"http://127.0.0.1:{self.port}")

    def link(self, page: str) -> str | None:
        if self.port is None:
            return None
        self.links += 1
        return f"http://127.0.0.1:{self.port}/enter?key=k{self.links}&next={page}"

    def watch(
        self, is_there: Callable[[], bool], on_gone: Callable[[], None], on_back: Callable[[], None]
    ) -> None:
        del is_there
        self.on_gone, self.on_back = on_gone, on_back


@dataclass
class RunningWindows:
    """A window process with its commands, windows and daemon."""

    commands: "queue.SimpleQueue[WindowCommand]"
    pages: FakePages
    toolkit: FakeToolkit
    opened: list[Destination]

    def show(self, kind: WindowKind, page: str, *, keeps_page: bool = False) -> str:
        url = self.pages.link(page) or "http://127.0.0.1:3850/"
        self.commands.put(ShowWindow(kind, url, keeps_page))
        return url

    def visible(self, title: str) -> FakeWindow:
        """Wait for a window with this title that has been shown."""
        found: list[FakeWindow] = []

        def is_there() -> bool:
            found[:] = [
                one
                for one in self.toolkit.windows
                if one.title.startswith(title) and one.shown and not one.is_gone
            ]
            return bool(found)

        wait_for(is_there, f"the window {title}")
        return found[0]

    def ready(self) -> FakeWindow:
        """Wait for the hidden window with its page."""
        found: list[FakeWindow] = []

        def is_there() -> bool:
            found[:] = [
                one
                for one in self.toolkit.windows
                if not one.title and one.address and not one.is_gone
            ]
            return bool(found)

        wait_for(is_there, "a window that is ready")
        return found[0]


@contextmanager
def running_process(folder: Path) -> Generator[RunningWindows]:
    """Run a window process with fakes while the block runs."""
    commands: queue.SimpleQueue[WindowCommand] = queue.SimpleQueue()
    toolkits: list[FakeToolkit] = []
    pages, opened = FakePages(), list[Destination]()

    def make(events: WindowEvents) -> FakeToolkit:
        toolkits.append(FakeToolkit(events))
        return toolkits[-1]

    def read() -> Iterator[WindowCommand]:
        while True:
            yield commands.get()

    process = WindowProcess(folder, read(), pages, make, opened.append, exit_process=lambda: None)
    thread = threading.Thread(target=process.run, daemon=True)
    thread.start()
    try:
        yield RunningWindows(commands, pages, toolkits[0], opened)
    finally:
        commands.put(CloseWindows())
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
