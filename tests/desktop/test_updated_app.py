"""An update under the running tray app: the daemon is restarted, then the app on request."""

import re
import shutil
from pathlib import Path

import psutil
import pytest

import intaglio
from fakes.desktop_app import running_tray_app
from fakes.screen import Screen
from fakes.tray_host import TrayHost
from fakes.waiting import wait_for

pytestmark = [pytest.mark.desktop, pytest.mark.slow]

ENTRY = "Restart to finish the update"
LOOKS_EVERY_S = 60.0


def copied_package(folder: Path) -> Path:
    """Copy the package, so that its version on disk can change; what is built is linked."""
    source, copy = Path(intaglio.__file__).parent, folder / "intaglio"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("_built", "__pycache__"))
    (copy / "_built").symlink_to(source / "_built")
    return copy


def test_the_app_starts_again_as_the_version_that_was_installed(
    panel: tuple[Screen, TrayHost], tmp_path: Path
) -> None:
    screen, host = panel
    package = copied_package(tmp_path / "lib")
    home, path = tmp_path / "home", str(package.parent)
    with running_tray_app(home, screen.env, "--login", PYTHONPATH=path) as app:
        wait_for(lambda: "Pause capture" in host.texts(), "a well daemon in the menu")
        assert ENTRY not in host.texts()
        before, own = app.daemon_pid(), psutil.Process(app.process.pid)

        module = package / "__init__.py"
        module.write_text(re.sub(r'(?<=__version__ = ")[^"]+', "9.9.9", module.read_text()))
        wait_for(lambda: ENTRY in host.texts(), "the entry", LOOKS_EVERY_S + 60)
        wait_for(lambda: app.daemon_pid() != before, "another daemon")
        app.wait_ready()
        with app.daemon.client() as client:
            assert client.get("/health").json()["version"] == "9.9.9"
            assert client.get("/health").json()["pendingRestart"] is False

        host.choose(ENTRY)
        wait_for(lambda: ENTRY not in host.texts() and "Pause capture" in host.texts(), "the app")
        # It takes the process over, so whoever started it still waits for it.
        assert psutil.Process(app.process.pid) == own
        assert not screen.windows("Intaglio")
