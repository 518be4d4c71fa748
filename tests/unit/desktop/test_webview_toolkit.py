"""The windows of Windows and macOS, with a pywebview that does nothing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from intaglio.desktop.window.definitions import DEFINITIONS
from intaglio.desktop.window.geometry import Rectangle, WindowGeometry
from intaglio.desktop.window.toolkit import NativeWindow, WindowEvents
from intaglio.desktop.window.webview_toolkit import WebviewToolkit

URL = "http://127.0.0.1:3850/enter?key=k"


@dataclass
class FakeEvent:
    """An event of pywebview: handlers are added and removed by operators."""

    handlers: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])

    def __iadd__(self, handler: Callable[[], None]) -> Self:
        self.handlers.append(handler)
        return self

    def __isub__(self, handler: Callable[[], None]) -> Self:
        self.handlers.remove(handler)
        return self

    def happen(self) -> None:
        for handler in list(self.handlers):
            handler()


@dataclass
class FakeEvents:
    """The events that are used."""

    loaded: FakeEvent = field(default_factory=FakeEvent)
    closing: FakeEvent = field(default_factory=FakeEvent)


@dataclass
class FakeWindow:
    """Writes down what is asked of it."""

    options: dict[str, Any]
    events: FakeEvents = field(default_factory=FakeEvents)
    asked: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    x: int = 30
    y: int = 40
    width: int = 900
    height: int = 700

    def __getattr__(self, name: str) -> Callable[..., None]:
        def ask(*values: Any) -> None:  # noqa: ANN401 - any method of pywebview's
            self.asked.append((name, *values))
            if name == "destroy":
                self.events.closing.happen()

        return ask

    def names(self) -> list[str]:
        return [asked[0] for asked in self.asked]


@dataclass
class FakeWebview:
    """The module, with two screens."""

    settings: dict[str, bool] = field(default_factory=dict[str, bool])
    windows: list[FakeWindow] = field(default_factory=list[FakeWindow])
    screens: tuple[Rectangle, ...] = (
        Rectangle(0, 0, 1920, 1080),
        Rectangle(1920, 0, 1280, 1000),
    )

    def create_window(self, title: str, **options: Any) -> FakeWindow:  # noqa: ANN401 - as pywebview
        del title
        self.windows.append(FakeWindow(options))
        return self.windows[-1]


@dataclass
class Setting:
    """A toolkit and what its windows reported."""

    folder: Path
    is_daemon: bool = True
    webview: FakeWebview = field(default_factory=FakeWebview)
    told: list[tuple[str, object]] = field(default_factory=list[tuple[str, object]])
    toolkit: WebviewToolkit = field(init=False)

    def __post_init__(self) -> None:
        def tell(name: str) -> Callable[[NativeWindow], None]:
            return lambda window: self.told.append((name, window))

        events = WindowEvents(
            is_trusted=lambda _: self.is_daemon,
            loaded=tell("loaded"),
            failed=tell("failed"),
            crashed=tell("crashed"),
            closing=lambda _, where: self.told.append(("closing", where)),
            opened=lambda _, url: self.told.append(("opened", url)),
        )
        self.toolkit = WebviewToolkit(
            self.folder / "browser",
            events,
            self.webview,
            dark=False,
            pointer=lambda: (2000, 500),
        )


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


def test_the_window_that_the_main_loop_needs_is_the_first_to_be_used(setting: Setting) -> None:
    setting.toolkit.create()
    assert len(setting.webview.windows) == 1
    assert setting.webview.windows[0].options["hidden"]
    setting.toolkit.create()
    assert len(setting.webview.windows) == 2


def test_a_hidden_window_moves_only_when_it_is_shown(setting: Setting) -> None:
    window, native = setting.toolkit.create(), setting.webview.windows[0]
    window.become(DEFINITIONS["search"], Rectangle(100, 200, 640, 440))
    assert native.names() == ["expose", "set_title"]
    window.bring_to_front()
    assert native.asked[2:] == [
        ("resize", 640, 440),
        ("move", 100, 200),
        ("show",),
        ("restore",),
    ]


def test_a_window_that_comes_forward_again_stays_where_it_is(setting: Setting) -> None:
    window, native = setting.toolkit.create(), setting.webview.windows[0]
    window.become(DEFINITIONS["search"], Rectangle(100, 200, 640, 440))
    window.bring_to_front()
    window.bring_to_front()
    assert native.names().count("move") == 1


def test_a_link_is_loaded_only_from_the_daemon(setting: Setting) -> None:
    window, native = setting.toolkit.create(), setting.webview.windows[0]
    setting.is_daemon = False
    window.load(URL)
    assert setting.told == [("failed", window)]
    assert "load_url" not in native.names()
    setting.is_daemon = True
    window.load(URL)
    assert native.asked[-1] == ("load_url", URL)


def test_an_empty_window_has_loaded_nothing(setting: Setting) -> None:
    window, native = setting.toolkit.create(), setting.webview.windows[0]
    native.events.loaded.happen()
    assert setting.told == []
    window.load(URL)
    native.events.loaded.happen()
    assert setting.told == [("loaded", window)]


def test_a_closed_window_says_where_it_was_and_a_removed_one_nothing(setting: Setting) -> None:
    window = setting.toolkit.create()
    window.close()
    assert setting.told == [("closing", WindowGeometry(Rectangle(30, 40, 900, 700)))]
    other = setting.toolkit.create()
    other.destroy()
    assert len(setting.told) == 1


def test_the_pointers_screen_is_the_first(setting: Setting) -> None:
    assert setting.toolkit.screens()[0] == Rectangle(1920, 0, 1280, 1000)
