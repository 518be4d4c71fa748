"""The icon and its menu as panels of both kinds show them, over a stub app."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from fakes import stub_desktop
from fakes.screen import SIZE, Screen, running_screen
from fakes.shortcuts_portal import running_portal
from fakes.tray_host import TrayHost
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.desktop.tray.icons import Theme, icon_file
from intaglio.desktop.values import IconState

pytestmark = pytest.mark.desktop

Panel = tuple[Screen, TrayHost]


@dataclass(slots=True)
class Tray:
    """A running tray and the commands that its stub app printed."""

    process: "subprocess.Popen[str]"
    output: Path
    errors: Path
    read: int = field(default=0)

    def wait_for(self, what: Callable[[], object], why: str) -> None:
        """Wait until something is true while the process runs; fails with what it wrote."""
        try:
            wait_for(lambda: self.process.poll() is not None or what(), why)
            assert self.process.poll() is None, f"it ended instead of {why}"
        except AssertionError as error:
            error.add_note(f"The tray wrote: {self.errors.read_text()}")
            raise

    def change(self, **fields: object) -> None:
        """Change the stub app's snapshot."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(fields) + "\n")
        self.process.stdin.flush()

    def hears(self, *lines: str) -> None:
        """Wait until exactly these lines were printed since the last call."""
        wanted = list(lines)

        def heard() -> list[str]:
            return self.output.read_text().splitlines()[self.read :]

        wait_for(lambda: len(heard()) >= len(wanted), f"{wanted}, only {heard()}")
        assert heard() == wanted
        self.read += len(wanted)


PROGRAM = "from fakes.stub_desktop import main; main()"
# As on a busy machine, where the library learns of the panel before it has the session bus.
MISSED = """
from intaglio.desktop.tray import indicator

check = indicator.IndicatorCheck.run_once


class Missed:
    def __init__(self, registered):
        self.registered = registered

    def get_property(self, name):
        return False

    def __getattr__(self, name):
        return getattr(self.registered, name)


def check_as_missed(self):
    if not self._replaced:
        self._icon._appindicator = Missed(self._icon._appindicator)
    return check(self)


indicator.IndicatorCheck.run_once = check_as_missed
"""


@contextmanager
def running_tray(env: Mapping[str, str], folder: Path, program: str = PROGRAM) -> Generator[Tray]:
    output = folder / "heard.txt"
    with output.open("w") as stream, (folder / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**env, "PYTHONPATH": ":".join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=errors,
            text=True,
            cwd=Path(stub_desktop.__file__).parents[1],
        )
    try:
        yield Tray(process, output, folder / "errors.txt")
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture(scope="module")
def shown(
    panel: Panel, tmp_path_factory: pytest.TempPathFactory
) -> Generator[tuple[Tray, TrayHost]]:
    """One tray on a panel of the new kind, for all tests of this module that do not end it."""
    screen, host = panel
    with running_tray(screen.env, tmp_path_factory.mktemp("tray")) as tray:
        tray.wait_for(lambda: host.items, "an icon")
        tray.wait_for(lambda: host.property("Status") == "Active", "a visible icon")
        tray.wait_for(lambda: len(host.texts()) > 5, "a menu")
        yield tray, host


@pytest.fixture
def tray(shown: tuple[Tray, TrayHost]) -> Generator[tuple[Tray, TrayHost]]:
    """The tray in its first state, whatever the previous test did to it."""
    yield shown
    first = stub_desktop.HEALTHY
    shown[0].change(
        icon=first.icon,
        line=first.line,
        autostart=False,
        paused=False,
        can_move_port=False,
        kept=0,
        suggested=0,
    )
    wait_for(lambda: shown[1].texts()[0] == first.line, "the first state")
    wait_for(lambda: shown[1].entry("More", "Start at login").checked is False, "no tick")


@pytest.mark.parametrize(
    ("labels", "heard"),
    [
        (["Open Intaglio"], "show OpenPage(page='home', navigates=False)"),
        (["Open constellation"], "show OpenPage(page='constellation', navigates=False)"),
        (["Quick remember…"], "show QuickRemember()"),
        (["Search…"], "show QuickSearch(query='')"),
        (["Recent memories", "We keep the release notes in one_file"], "show OpenMemory(id='m1')"),
        (["Recent memories", "Never push on Friday & Saturday"], "show OpenMemory(id='m2')"),
        (["Saved: We keep the release notes in one_file", "Undo"], "undo m1"),
        (["1 session now", "Mend the build · Codex"], "show OpenAddress(path='/sessions/7')"),
        (
            ["Agents (1 connected)", "Codex: connected, 1 session"],
            "show OpenPage(page='connect', navigates=False)",
        ),
        (["Pause capture", "For 15 minutes"], "pause 15m"),
        (["Pause capture", "For 1 hour"], "pause 1h"),
        (["Pause capture", "Until tomorrow"], "pause tomorrow"),
        (["More", "Restart daemon"], "restart"),
    ],
)
def test_every_entry_reaches_the_tray_app(
    tray: tuple[Tray, TrayHost], labels: list[str], heard: str
) -> None:
    running, host = tray
    host.choose(*labels)
    running.hears(heard)


def test_start_at_login_is_ticked_once_it_is_on(tray: tuple[Tray, TrayHost]) -> None:
    running, host = tray
    assert host.entry("More", "Start at login").checked is False
    host.choose("More", "Start at login")
    running.hears("autostart True")
    wait_for(lambda: host.entry("More", "Start at login").checked is True, "a tick")


def test_a_pause_can_be_ended_from_the_menu(tray: tuple[Tray, TrayHost]) -> None:
    running, host = tray
    running.change(icon="paused", paused=True, line="Capture paused")
    wait_for(lambda: "Resume capture" in host.texts(), "a paused menu")
    host.choose("Resume capture")
    running.hears("resume")


def test_another_port_is_offered_when_ours_is_taken(tray: tuple[Tray, TrayHost]) -> None:
    running, host = tray
    running.change(icon="attention", line="Port taken", can_move_port=True)
    wait_for(lambda: host.texts()[0] == "Port taken", "the new menu")
    host.choose("Use another port")
    running.hears("move port")


def test_new_memories_are_an_entry_and_in_the_title(
    tray: tuple[Tray, TrayHost],
) -> None:
    running, host = tray
    running.change(kept=3, suggested=2)
    title = "Intaglio: Running · 1,204 memories · 3 memories saved, 2 suggestions"
    wait_for(lambda: host.property("Title") == title, "the title")
    host.choose("3 memories saved, 2 suggestions")
    running.hears("show OpenPage(page='inbox', navigates=False)")


@pytest.mark.parametrize("icon", ["idle", "working", "paused", "attention", "down"])
def test_each_state_has_its_icon(tray: tuple[Tray, TrayHost], icon: IconState) -> None:
    running, host = tray
    running.change(icon=icon, line=f"It looks {icon}")
    wait_for(lambda: host.texts()[0] == f"It looks {icon}", "the look")
    wait_for(lambda: is_drawn(host, icon), f"the picture of {icon}")
    wait_for(lambda: host.property("Title") == f"Intaglio: It looks {icon}", "the title")


def test_the_icon_follows_a_desktop_that_becomes_dark(
    tray: tuple[Tray, TrayHost], panel: Panel
) -> None:
    _, host = tray
    with running_portal(panel[0].env["DBUS_SESSION_BUS_ADDRESS"]) as portal:
        portal.set_dark(is_dark=True)
        wait_for(lambda: is_drawn(host, "idle", "dark"), "the icon for dark panels")
        portal.set_dark(is_dark=False)
        wait_for(lambda: is_drawn(host, "idle"), "the icon for light panels")


def is_drawn(host: TrayHost, icon: IconState, theme: Theme = "light") -> bool:
    """Tell whether the icon's picture is that of a look; fails while it is being written."""
    with Image.open(icon_file(icon, theme)) as drawn:
        wanted = drawn.convert("RGBA").tobytes()
    with Image.open(host.property("IconName")) as shown:
        return shown.convert("RGBA").tobytes() == wanted


def test_an_invisible_change_leaves_the_menu_alone(tray: tuple[Tray, TrayHost]) -> None:
    running, host = tray
    running.change(line="Before")
    wait_for(lambda: host.texts()[0] == "Before", "the first change")
    before = [row.id for row in host.menu()]
    running.change(jobs_pending=7, spool=3, memories=9)
    running.change(line="Before")
    # Changes are taken in one after the other: when this one is seen, those before are over.
    running.change(icon="working")
    wait_for(lambda: is_drawn(host, "working"), "the picture of the change after them")
    assert [row.id for row in host.menu()] == before


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_a_signal_reaches_the_tray_app_although_pystray_takes_it(
    screen: Screen, tmp_path: Path, number: signal.Signals
) -> None:
    wait_for(lambda: not has_icon(screen), "an empty tray")
    with running_tray(screen.env, tmp_path) as tray:
        tray.wait_for(lambda: has_icon(screen), "an icon")
        tray.process.send_signal(number)
        assert tray.process.wait(PATIENCE_S) == 0
        tray.hears("signal", "stopped")


def is_stone(colour: object) -> bool:
    match colour:
        case (int(red), int(green), int(blue)):
            return red > 150 and green < 100 and blue < 90
        case _:
            return False


def has_icon(screen: Screen) -> bool:
    """Tell whether the stone of the idle look is seen in the old kind of tray."""
    corner = screen.grab((SIZE[0] - 28, 0, SIZE[0], 28)).convert("RGB")
    colours = corner.getcolors(28 * 28) or []
    stone = [count for count, colour in colours if is_stone(colour)]
    return sum(stone) > 80


def test_the_menu_opens_by_a_click_and_is_used_by_the_keyboard(
    screen: Screen, tmp_path: Path
) -> None:
    wait_for(lambda: not has_icon(screen), "an empty tray")
    with running_tray(screen.env, tmp_path) as tray:
        tray.wait_for(lambda: has_icon(screen), "an icon")
        before = screen.grab()
        screen.click(SIZE[0] - 13, 14)

        def menu_is_open() -> bool:
            area = ImageChops.difference(before.convert("RGB"), screen.grab().convert("RGB"))
            box = area.getbbox()
            return box is not None and box[3] - box[1] > 200

        wait_for(menu_is_open, "an open menu")
        screen.xdotool("key", *["Down"] * 5, "Return")
        tray.hears("show QuickRemember()")


@pytest.mark.slow
def test_without_anyone_to_show_notifications_it_leaves_in_order(
    desktop_packages: None, tmp_path: Path
) -> None:
    del desktop_packages
    with (
        running_screen(tmp_path / "bare", notifications=False) as bare,
        running_tray(bare.env, tmp_path) as tray,
    ):
        tray.wait_for(lambda: has_icon(bare), "an icon")
        tray.process.send_signal(signal.SIGTERM)
        assert tray.process.wait(PATIENCE_S) == 0
        lines = tray.output.read_text().splitlines()
        assert (lines[0], lines[-1]) == ("signal", "stopped")
        assert "Traceback" not in (tmp_path / "errors.txt").read_text()


def test_an_icon_that_was_registered_again_shows_a_changed_menu(
    panel: Panel, tmp_path: Path
) -> None:
    screen, host = panel
    before = len(host.items)
    with running_tray(screen.env, tmp_path, MISSED + PROGRAM) as tray:
        tray.wait_for(
            lambda: "registering it again" in tray.output.read_text(), "a second registration"
        )
        tray.wait_for(lambda: len(host.items) > before and len(host.texts()) > 5, "a menu")
        tray.change(line="Another line")
        tray.wait_for(lambda: host.texts()[0] == "Another line", "the changed menu")
    wait_for(lambda: len(host.items) == before, "no icon of that tray")
