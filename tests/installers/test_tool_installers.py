"""The wheel as users install it: by uv and by pipx, each into an environment of its own."""

import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from boot.process import BIN, ROOT
from boot.setup import uv_env
from fakes.daemon import free_port
from fakes.screen import Screen, running_screen
from fakes.tray_host import running_tray_host
from fakes.waiting import PATIENCE_S, wait_for
from intaglio import __version__

pytestmark = pytest.mark.slow

_DEBIAN_PYTHON = Path("/usr/bin/python3")


def build_wheel() -> None:
    package = [sys.executable, str(ROOT / "app"), "package", "wheel"]
    subprocess.run(package, check=True, capture_output=True)


@pytest.fixture(scope="module")
def wheel() -> Path:
    """Build the wheel and return it."""
    build_wheel()
    return ROOT / "dist" / f"intaglio-{__version__}-py3-none-any.whl"


def test_two_builds_give_the_same_bytes(wheel: Path) -> None:
    listed = wheel.with_name("SHA256SUMS")
    first = listed.read_text()
    build_wheel()
    assert listed.read_text() == first


def install(installer: str, wheel: Path, folder: Path) -> Path:
    """Install the wheel below a folder as a user would; returns the command."""
    uv: tuple[str | Path, ...] = (BIN / "uv", "tool")
    places = {
        "uv": {"UV_TOOL_DIR": folder / "tools", "UV_TOOL_BIN_DIR": folder / "bin"},
        "pipx": {"PIPX_HOME": folder / "tools", "PIPX_BIN_DIR": folder / "bin"},
    }[installer]
    program = {"uv": uv, "pipx": (*uv, "run", "pipx")}[installer]
    line = [*program, "install", "--python", _DEBIAN_PYTHON, wheel]
    env = {**uv_env(), **{name: str(place) for name, place in places.items()}}
    done = subprocess.run(line, env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "intaglio"


@pytest.fixture(scope="module", params=["uv", "pipx"])
def installed(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """Return the installer and the command that it installed."""
    if not _DEBIAN_PYTHON.exists():
        pytest.skip("needs the system's Python, which alone has gi")
    installer: str = request.param
    return installer, install(installer, wheel, tmp_path_factory.mktemp(installer))


def test_the_command_says_its_version(installed: tuple[str, Path]) -> None:
    said = subprocess.run([installed[1], "--version"], check=True, capture_output=True, text=True)
    assert said.stdout.strip().endswith(__version__)


def test_the_installer_is_known(installed: tuple[str, Path]) -> None:
    installer, command = installed
    python = command.resolve().with_name("python")
    code = "from intaglio.base.installed_by import installed_by; print(installed_by())"
    said = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == installer


def environment(home: Path, port: int, **more: str) -> dict[str, str]:
    home.mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "INTAGLIO_PORT": str(port), **more}


@contextmanager
def running(command: Path, *arguments: str, env: Mapping[str, str]) -> Generator[None]:
    """Run ``intaglio run`` while the block runs; it ends in order."""
    with subprocess.Popen([command, "run", *arguments], env=env) as process:
        try:
            yield
        finally:
            process.terminate()
            assert process.wait(PATIENCE_S) == 0


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").is_success
    except httpx.TransportError:
        return False


def test_it_runs_with_the_dashboard_inside(installed: tuple[str, Path], tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    env = environment(tmp_path / "home", port)
    with running(installed[1], "--headless", env=env):
        wait_for(lambda: answers(url), "the daemon")
        page = httpx.get(f"{url}/")
        assert "<title>" in page.text
        licences = httpx.get(f"{url}/licenses/packages.json").json()
        assert "svelte" in {each["name"] for each in licences}


@pytest.fixture(scope="module")
def panel_screen(tmp_path_factory: pytest.TempPathFactory) -> Generator[Screen]:
    with running_screen(tmp_path_factory.mktemp("screen"), tray=False) as screen:
        yield screen


@pytest.mark.desktop
def test_it_has_an_icon_and_a_window(
    installed: tuple[str, Path], panel_screen: Screen, tmp_path: Path
) -> None:
    port = free_port()
    # Of the installed program, and not of this clone.
    session = {name: each for name, each in panel_screen.env.items() if name != "PYTHONPATH"}
    env = {**session, **environment(tmp_path / "home", port)}
    with (
        running_tray_host(panel_screen.env["DBUS_SESSION_BUS_ADDRESS"]) as host,
        running(installed[1], env=env),
    ):
        wait_for(lambda: host.items, "an icon")
        wait_for(lambda: panel_screen.windows("Intaglio"), "the window of the dashboard")
