"""Screens of their own for the tests that look at the tray, the windows and the notifications."""

import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.page_server import PageServer, running_pages
from fakes.screen import Screen, running_screen
from fakes.tray_host import TrayHost, running_tray_host
from intaglio.desktop.gui_libraries import find_gi

PROGRAMS = ("Xvfb", "dbus-daemon", "openbox", "trayer", "dunst", "xdotool")
TYPES = "girepository-1.0"
LIBRARIES = ("WebKit2-4.1.typelib", "AyatanaAppIndicator3-0.1.typelib")


@pytest.fixture(scope="session")
def desktop_packages() -> None:
    """Skip where the machine has not what a graphical session is made of."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    missing += [name for name in LIBRARIES if not list(Path("/usr/lib").glob(f"*/{TYPES}/{name}"))]
    missing += [] if find_gi() else ["gi"]
    if missing:
        pytest.skip(f"needs Debian's packages for the tray app (without {', '.join(missing)})")


@pytest.fixture(scope="module")
def screen(desktop_packages: None, tmp_path_factory: pytest.TempPathFactory) -> Generator[Screen]:
    """A session whose tray is of the old kind (XEmbed), for the tests of a module."""
    del desktop_packages
    with running_screen(tmp_path_factory.mktemp("screen")) as running:
        yield running


@pytest.fixture(scope="module")
def panel(
    desktop_packages: None, tmp_path_factory: pytest.TempPathFactory
) -> Generator[tuple[Screen, TrayHost]]:
    """A session whose tray is of the new kind (by D-Bus), and that tray."""
    del desktop_packages
    with (
        running_screen(tmp_path_factory.mktemp("panel"), tray=False) as running,
        running_tray_host(running.env["DBUS_SESSION_BUS_ADDRESS"]) as host,
    ):
        yield running, host


@pytest.fixture
def pages(tmp_path: Path) -> Generator[PageServer]:
    """A server of pages that say what they see."""
    runtime = tmp_path / "pages"
    runtime.mkdir()
    with running_pages(runtime) as running:
        yield running
