"""A graphical session of its own: screen, session bus, window manager, tray host, notifications."""

import asyncio
import os
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dbus_fast import Message
from dbus_fast.aio import MessageBus
from PIL import Image, ImageGrab

from fakes.daemon import APP
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.desktop.gui_libraries import x_library

SIZE: Final = (1280, 900)
# How long a key has to work before it is pressed again.
_KEY_S: Final = 1.0

# No service is started by being called: what a test sees is what it started.
_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
_DUNST = """[global]
    origin = top-right
    offset = 20x60
    width = 360
    font = sans 11
    frame_width = 1
    icon_position = left
    max_icon_size = 48
    idle_threshold = 0
[urgency_normal]
    background = "#ffffff"
    foreground = "#202020"
    frame_color = "#a0a0a0"
    timeout = 20
[urgency_low]
    background = "#ffffff"
    foreground = "#202020"
    timeout = 20
[urgency_critical]
    background = "#ffffff"
    foreground = "#202020"
    timeout = 0
"""


@dataclass(frozen=True, slots=True)
class Screen:
    """A running session: what to give to programs, and how to look at it and touch it."""

    folder: Path
    env: Mapping[str, str]

    @property
    def display(self) -> str:
        """The X display."""
        return self.env["DISPLAY"]

    def grab(self, box: tuple[int, int, int, int] | None = None) -> Image.Image:
        """Take a picture of the screen, or of a box of it (left, top, right, bottom)."""
        return ImageGrab.grab(bbox=box, xdisplay=self.display)

    def xdotool(self, *words: str | int) -> str:
        """Let xdotool do something; returns what it prints, nothing when it fails."""
        done = subprocess.run(
            ["xdotool", *map(str, words)],
            env=self.env,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    def windows(self, title: str) -> list[str]:
        """List the ids of the visible windows with this title (a regular expression)."""
        return self.xdotool("search", "--onlyvisible", "--name", title).split()

    def activate(self, window: str) -> None:
        """Bring a window forward and wait until it has the keyboard."""

        def is_active() -> bool:
            if self.xdotool("getactivewindow") != window:
                self.xdotool("windowactivate", window)
                return False
            return True

        wait_for(is_active, "the keyboard for the window")

    def press(self, window: str, key: str, *, until: Callable[[], object]) -> None:
        """Press a key in a window until it works: one that comes too early goes nowhere."""

        def works() -> bool:
            if until():
                return True
            if self.xdotool("getactivewindow") == window:
                self.xdotool("key", key)
                time.sleep(_KEY_S)
            else:
                self.xdotool("windowactivate", window)
            return bool(until())

        wait_for(works, f"what {key} does")

    def box(self, window: str) -> tuple[int, int, int, int]:
        """Tell where a window is on the screen."""
        said = self.xdotool("getwindowgeometry", "--shell", window)
        at = dict(line.split("=") for line in said.splitlines())
        x, y = int(at["X"]), int(at["Y"])
        return x, y, x + int(at["WIDTH"]), y + int(at["HEIGHT"])

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Click at a place of the screen."""
        self.xdotool("mousemove", x, y)
        time.sleep(0.1)
        self.xdotool("click", button)


def _kept() -> dict[str, str]:
    names = ("PATH", "LANG", "LC_ALL")
    return {name: os.environ[name] for name in names if name in os.environ}


def session_env(folder: Path, runtime: str) -> dict[str, str]:
    """Return an environment with its own home and no screen and no bus."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o700)
    return _kept() | {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": runtime,
        "XDG_DATA_DIRS": "/usr/local/share:/usr/share",
        "PYTHONPATH": str(APP),
        "GTK_THEME": "Adwaita",
        "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none",
        "GSETTINGS_BACKEND": "memory",
        "GDK_BACKEND": "x11",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }


def _started(stack: ExitStack, line: list[str], env: Mapping[str, str], log: Path) -> None:
    stream = stack.enter_context(log.open("ab"))
    process = subprocess.Popen(
        line, env=env, stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT
    )
    stack.callback(process.wait, PATIENCE_S)
    stack.callback(process.kill)


def _x_server(stack: ExitStack, env: Mapping[str, str], log: Path) -> str:
    """Start a screen whose number is its own choice; returns the display."""
    reader, writer = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    stream = stack.enter_context(log.open("ab"))
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        env=env,
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stdout=stream,
        stderr=subprocess.STDOUT,
    )
    os.close(writer)
    stack.callback(process.wait, PATIENCE_S)
    stack.callback(process.terminate)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    if not number:
        raise AssertionError(f"Xvfb did not start: {log.read_text()}")
    return f":{number}"


def start_bus(stack: ExitStack, folder: Path, env: Mapping[str, str]) -> str:
    """Start a session bus; returns its address."""
    config = folder / "bus.conf"
    config.write_text(_BUS.format(folder=env["XDG_RUNTIME_DIR"]), encoding="utf-8")
    process = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    stack.callback(process.wait, PATIENCE_S)
    stack.callback(process.kill)
    out = process.stdout
    assert out is not None
    stack.callback(out.close)
    return out.readline().strip()


async def _owned(address: str, name: str) -> None:
    """Wait until somebody on the bus has a name."""
    bus = await MessageBus(bus_address=address).connect()
    end = time.monotonic() + PATIENCE_S
    asked = Message(
        destination="org.freedesktop.DBus",
        path="/org/freedesktop/DBus",
        interface="org.freedesktop.DBus",
        member="NameHasOwner",
        signature="s",
        body=[name],
    )
    try:
        while True:
            reply = await bus.call(asked)
            if reply.body == [True]:
                return
            if time.monotonic() > end:
                raise AssertionError(f"nobody became {name}")
            await asyncio.sleep(0.05)
    finally:
        bus.disconnect()


def _shows_tray(display: str) -> bool:
    x = x_library()
    screen = x.display.Display(display)
    try:
        owner = screen.get_selection_owner(screen.intern_atom("_NET_SYSTEM_TRAY_S0"))
    finally:
        screen.close()
    return bool(owner != x.X.NONE)


@contextmanager
def running_screen(
    folder: Path, *, tray: bool = True, notifications: bool = True, bus: bool = True
) -> Generator[Screen]:
    """Run a session below ``folder`` while the block runs."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "session.log"
    with ExitStack() as stack:
        # Not below a test's folder: the path of a socket may have 107 bytes.
        runtime = TemporaryDirectory(prefix="session-", ignore_cleanup_errors=True)
        env = session_env(folder, stack.enter_context(runtime))
        env["DISPLAY"] = _x_server(stack, env, log)
        if bus:
            env["DBUS_SESSION_BUS_ADDRESS"] = start_bus(stack, folder, env)
        screen = Screen(folder, env)
        _started(stack, ["openbox"], env, log)
        wait_for(lambda: screen.xdotool("get_num_desktops"), "a window manager")
        if tray:
            place = "--edge top --align right --widthtype request --height 28 --tint 0xf4f2ee"
            look = "--transparent true --alpha 0 --SetDockType true"
            _started(stack, ["trayer", *place.split(), *look.split()], env, log)
            wait_for(lambda: _shows_tray(env["DISPLAY"]), "a tray")
        if notifications and bus:
            config = folder / "dunstrc"
            config.write_text(_DUNST, encoding="utf-8")
            _started(stack, ["dunst", "-conf", str(config)], env, log)
            asyncio.run(_owned(env["DBUS_SESSION_BUS_ADDRESS"], "org.freedesktop.Notifications"))
        yield screen
