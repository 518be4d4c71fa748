"""What Windows and macOS are asked, with their answers played: neither runs these tests."""

import signal
from types import SimpleNamespace
from typing import Any

import pytest

from intaglio.desktop import color_scheme
from intaglio.desktop.color_scheme import is_panel_dark, prefers_dark
from intaglio.desktop.registry import Hive, RegistryReader, read_registry
from intaglio.desktop.tray.apple_events import DIRECT_OBJECT, GET_URL, REOPEN, AppleEvents
from intaglio.desktop.tray.mac_icon import (
    forward_signals,
    run_on_main_thread,
    use_template_images,
)
from intaglio.desktop.values import Destination, OpenMemory, OpenPage
from intaglio.desktop.webview2 import has_webview2


def registry(**values: object) -> RegistryReader:
    """Return a reader of values by name, whatever their key."""

    def read(_hive: Hive, _key: str, name: str) -> object | None:
        return values.get(name)

    return read


def test_without_a_registry_no_value_is_found() -> None:
    assert read_registry("user", "Software", "x") is None


@pytest.mark.parametrize(("light", "dark"), [(0, True), (1, False), (None, False)])
def test_windows_has_a_colour_for_the_panel_and_one_for_windows(
    light: int | None, *, dark: bool
) -> None:
    assert is_panel_dark("win32", registry(SystemUsesLightTheme=light)) is dark
    assert prefers_dark("win32", registry(AppsUseLightTheme=light)) is dark


@pytest.mark.parametrize(("style", "dark"), [("Dark", True), (None, False)])
def test_macos_says_whether_windows_are_dark(
    monkeypatch: pytest.MonkeyPatch, style: str | None, *, dark: bool
) -> None:
    defaults = SimpleNamespace(stringForKey_={"AppleInterfaceStyle": style}.__getitem__)
    foundation = SimpleNamespace(
        NSUserDefaults=SimpleNamespace(standardUserDefaults=lambda: defaults)
    )
    monkeypatch.setattr(color_scheme, "mac_library", {"Foundation": foundation}.__getitem__)
    assert prefers_dark("darwin") is dark
    assert is_panel_dark("darwin") is False


def test_without_pyobjc_windows_are_light() -> None:
    assert prefers_dark("darwin") is False


@pytest.mark.parametrize(
    ("version", "there"),
    [("131.0.2903.112", True), (".".join("0000"), False), ("", False), (None, False)],
)
def test_webview2_is_known_by_its_version(version: str | None, *, there: bool) -> None:
    assert has_webview2(registry(pv=version)) is there


class FakeObject:
    """Foundation's NSObject, as far as it is used."""

    @classmethod
    def alloc(cls) -> "FakeObject":
        return cls()

    def init(self) -> "FakeObject":
        return self


class FakeEvents:
    """Foundation of macOS: keeps the handlers, and sends them events."""

    NSObject = FakeObject

    def __init__(self) -> None:
        self.handlers: dict[int, tuple[Any, str]] = {}
        self.observers: dict[str, tuple[Any, str]] = {}
        self.NSAppleEventManager = SimpleNamespace(sharedAppleEventManager=lambda: self)
        self.NSNotificationCenter = SimpleNamespace(defaultCenter=lambda: self)

    def setEventHandler_andSelector_forEventClass_andEventID_(  # noqa: N802 - Apple's name
        self, receiver: object, selector: bytes, _event_class: int, event: int
    ) -> None:
        self.handlers[event] = receiver, selector.decode().replace(":", "_")

    def addObserver_selector_name_object_(  # noqa: N802 - Apple's name
        self, receiver: object, selector: bytes, name: str, _of: object
    ) -> None:
        self.observers[name] = receiver, selector.decode().replace(":", "_")

    def send(self, event: int, text: str | None = None) -> None:
        described = None if text is None else SimpleNamespace(stringValue=lambda: text)
        sent = SimpleNamespace(
            eventID=lambda: event,
            paramDescriptorForKeyword_={DIRECT_OBJECT: described}.__getitem__,
        )
        receiver, method = self.handlers[event]
        getattr(receiver, method)(sent, None)

    def finish_launching(self) -> None:
        self.handlers.clear()
        receiver, method = self.observers["NSApplicationDidFinishLaunchingNotification"]
        getattr(receiver, method)(None)


def listening() -> tuple[FakeEvents, list[Destination]]:
    shown: list[Destination] = []
    system = FakeEvents()
    AppleEvents(shown.append, {"Foundation": system}.__getitem__).listen()
    return system, shown


def test_a_link_of_macos_is_shown() -> None:
    system, shown = listening()
    system.send(GET_URL, "intaglio://memory/abc")
    assert shown == [OpenMemory("abc")]


@pytest.mark.parametrize("text", ["https://example.org", "", None])
def test_anything_but_our_links_is_refused(text: str | None) -> None:
    system, shown = listening()
    system.send(GET_URL, text)
    assert shown == []


def test_opening_the_application_once_more_shows_the_dashboard() -> None:
    system, shown = listening()
    system.send(REOPEN)
    assert shown == [OpenPage()]


def test_events_still_arrive_after_the_application_has_launched() -> None:
    system, shown = listening()
    system.finish_launching()
    system.send(REOPEN)
    assert shown == [OpenPage()]


class FakeImage:
    """An NSImage."""

    template = False

    def setTemplate_(self, value: bool) -> None:  # noqa: N802 - Apple's name
        self.template = value


class FakeIcon:
    """pystray's icon on macOS, as far as its image goes."""

    def __init__(self) -> None:
        self._icon_image = FakeImage()

    def _assert_image(self) -> None:
        self._icon_image = FakeImage()


def test_every_image_of_the_icon_is_a_template_on_macos() -> None:
    icon: Any = FakeIcon()
    use_template_images(icon)
    for _ in range(2):
        icon._assert_image()
        assert icon._icon_image.template


def test_updates_of_the_icon_are_handed_to_the_main_thread_on_macos() -> None:
    queued: list[object] = []
    helper = SimpleNamespace(callAfter=queued.append)
    run_on_main_thread(queued.clear, {"PyObjCTools.AppHelper": helper}.__getitem__)
    assert queued == [queued.clear]


def test_signals_reach_their_handlers_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[int] = []
    handlers: dict[int, Any] = {}

    def handle(number: int, _frame: object) -> None:
        received.append(number)

    def handler_of(_number: int) -> object:
        return handle

    monkeypatch.setattr(signal, "getsignal", handler_of)
    mach = SimpleNamespace(signal=handlers.__setitem__)
    forward_signals({"PyObjCTools.MachSignals": mach}.__getitem__)
    for number, forward in handlers.items():
        forward(number)
    assert received == [signal.SIGTERM, signal.SIGHUP]
