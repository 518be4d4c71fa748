"""The keeper of shortcuts follows the settings; Windows and macOS by fakes of their libraries."""

import queue
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.paths import Paths, find_paths
from intaglio.base.shortcut import Shortcut
from intaglio.base.shortcut_record import read_shortcuts
from intaglio.desktop.hotkeys.macos import MacosGrabber
from intaglio.desktop.hotkeys.platform_grabber import linux_grabber
from intaglio.desktop.hotkeys.portal import PortalGrabber
from intaglio.desktop.hotkeys.service import HotkeyService
from intaglio.desktop.hotkeys.values import (
    TAKEN,
    GrabbedKeys,
    GrabResult,
    NoGrabber,
    Pressed,
    RefusedKeys,
)
from intaglio.desktop.hotkeys.windows import WindowsGrabber
from intaglio.desktop.hotkeys.x11 import X11Grabber
from intaglio.desktop.settings import DesktopSettings
from intaglio.desktop.values import (
    Destination,
    HotkeyName,
    HotkeyStatus,
    QuickRemember,
    QuickSearch,
)

KEYS: Mapping[HotkeyName, Shortcut] = {
    "remember": Shortcut(frozenset({"Ctrl", "Alt"}), "M"),
    "search": Shortcut(frozenset({"Ctrl", "Alt"}), "K"),
}


@dataclass
class FakeGrabber:
    """Holds all keys but those in ``refused``, and lets the test press them."""

    refused: frozenset[str] = frozenset()
    grabbed: list[list[str]] = field(default_factory=list[list[str]])
    pressed: Pressed | None = None
    closed: bool = False

    def grab(
        self, wanted: Mapping[HotkeyName, Shortcut], pressed: Pressed
    ) -> Mapping[HotkeyName, GrabResult]:
        self.pressed = pressed
        self.grabbed.append([one.text for one in wanted.values()])
        return {
            name: TAKEN if one.text in self.refused else GrabbedKeys()
            for name, one in wanted.items()
        }

    def close(self) -> None:
        self.closed = True


@dataclass
class Bench:
    """A running keeper of shortcuts with its settings."""

    paths: Paths
    grabber: FakeGrabber
    settings: DesktopSettings = field(default_factory=DesktopSettings)
    shown: list[Destination] = field(default_factory=list[Destination])
    states: "queue.Queue[tuple[HotkeyStatus, ...]]" = field(
        default_factory=queue.Queue[tuple[HotkeyStatus, ...]]
    )
    edits: int = 0

    def edit(self, **fields: str) -> tuple[HotkeyStatus, ...]:
        """Change the settings, and return the states that follow."""
        self.settings = replace(self.settings, **fields)  # type: ignore[arg-type]  # texts only
        self.edits += 1
        self.paths.settings.write_text("#" * self.edits)
        return self.states.get(timeout=PATIENCE_S)


@pytest.fixture
def bench(tmp_path: Path) -> Generator[Bench]:
    places = {"INTAGLIO_STATE_DIR": str(tmp_path), "INTAGLIO_WORKSPACE": str(tmp_path)}
    paths = find_paths({**places, "INTAGLIO_RUNTIME_DIR": str(tmp_path)})
    one = Bench(paths, FakeGrabber(refused=frozenset({"Ctrl+Alt+T"})))
    service = HotkeyService(
        paths=paths,
        grabber=one.grabber,
        read=lambda: one.settings,
        show=one.shown.append,
        changed=one.states.put,
        check_every_s=0.01,
    )
    service.start()
    # Nothing is grabbed before the user asks for it.
    assert one.states.get(timeout=PATIENCE_S) == ()
    assert one.grabber.grabbed == [[]]
    yield one
    service.close()
    assert one.grabber.closed
    assert read_shortcuts(paths) is None


def test_a_shortcut_opens_its_window_once_the_settings_name_it(bench: Bench) -> None:
    states = bench.edit(hotkey_remember="Ctrl+Alt+M", hotkey_search="Ctrl+Alt+K")
    assert states == (
        HotkeyStatus("remember", "Ctrl+Alt+M"),
        HotkeyStatus("search", "Ctrl+Alt+K"),
    )
    assert bench.grabber.pressed is not None
    bench.grabber.pressed("search")
    bench.grabber.pressed("remember")
    assert bench.shown == [QuickSearch(), QuickRemember()]
    assert bench.edit(hotkey_remember="", hotkey_search="") == ()
    assert bench.grabber.grabbed[-1] == []


def test_taken_and_repeated_keys_are_noted_for_settings(bench: Bench) -> None:
    (state,) = bench.edit(hotkey_remember="Ctrl+Alt+T")
    assert state.problem == "Another program uses these keys. Choose others."
    noted = read_shortcuts(bench.paths)
    assert noted is not None
    assert noted["desktop.hotkeyRemember"].problem == state.problem
    _, same = bench.edit(hotkey_remember="Ctrl+Alt+M", hotkey_search="alt+ctrl+m")
    assert same.problem == "Quick remember has these keys. Choose others."


@dataclass
class FakeUser32:
    """Windows' messages of one thread; presses come through a queue."""

    taken: frozenset[int] = frozenset()
    held: set[int] = field(default_factory=set[int])
    presses: "queue.Queue[int | None]" = field(default_factory=queue.Queue["int | None"])

    def thread(self) -> int:
        return 7

    def register(self, number: int, modifiers: int, code: int) -> bool:
        assert modifiers == 0x4003
        if code in self.taken:
            return False
        self.held.add(number)
        return True

    def unregister(self, number: int) -> None:
        self.held.discard(number)

    def next_pressed(self) -> int | None:
        return self.presses.get(timeout=PATIENCE_S)

    def quit(self, thread: int) -> None:
        assert thread == 7
        self.presses.put(None)


def test_windows_registers_keys_and_lets_them_go() -> None:
    user32, heard = FakeUser32(taken=frozenset({ord("K")})), list[HotkeyName]()
    grabber = WindowsGrabber(user32)
    assert grabber.grab(KEYS, heard.append) == {"remember": GrabbedKeys(), "search": TAKEN}
    user32.presses.put(1)
    wait_for(lambda: heard == ["remember"], "the press")
    grabber.close()
    assert user32.held == set()
    assert grabber.grab({}, heard.append) == {}


@dataclass
class FakeCarbon:
    """Carbon's shortcuts by number; all calls are on the main thread, which is the test's."""

    taken: frozenset[int] = frozenset()
    held: list[object] = field(default_factory=list[object])
    pressed: Callable[[int], None] | None = None

    def listen(self, pressed: Callable[[int], None]) -> None:
        self.pressed = pressed

    def register(self, number: int, modifiers: int, code: int) -> object | None:
        assert modifiers == 0x1800
        if code in self.taken:
            return None
        self.held.append(number)
        return number

    def unregister(self, reference: object) -> None:
        self.held.remove(reference)


def test_macos_registers_keys_on_the_main_thread_and_lets_them_go() -> None:
    carbon, heard = FakeCarbon(taken=frozenset({40})), list[HotkeyName]()
    grabber = MacosGrabber(carbon, lambda work: work())
    assert grabber.grab(KEYS, heard.append) == {"remember": GrabbedKeys(), "search": TAKEN}
    assert carbon.pressed is not None
    carbon.pressed(1)
    carbon.pressed(9)
    assert heard == ["remember"]
    grabber.close()
    assert carbon.held == []


def test_macos_without_an_event_loop_says_so() -> None:
    grabber = MacosGrabber(FakeCarbon(), lambda _: None, main_timeout_s=0.01)
    refused = RefusedKeys("Shortcuts need the tray icon on macOS.")
    assert grabber.grab(KEYS, lambda _: None) == {"remember": refused, "search": refused}


def test_wayland_sessions_use_the_portal_and_x11_sessions_the_screen() -> None:
    portal = linux_grabber({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"})
    assert isinstance(portal, PortalGrabber)
    portal.close()

    assert isinstance(linux_grabber({"DISPLAY": ":0"}), X11Grabber)
    nothing = linux_grabber({})
    assert isinstance(nothing, NoGrabber)
    (result,) = set(nothing.grab(KEYS, lambda _: None).values())
    assert result == RefusedKeys("This session has no screen.")


@pytest.mark.parametrize("address", ["", "rubbish", "unix:path=/nowhere"])
def test_without_a_session_bus_the_desktop_has_no_shortcuts(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.delenv("DISPLAY", raising=False)
    grabber = PortalGrabber()
    (result,) = grabber.grab({"remember": KEYS["remember"]}, lambda _: None).values()
    grabber.close()
    assert isinstance(result, RefusedKeys)
    assert "no shortcuts for programs" in result.reason
