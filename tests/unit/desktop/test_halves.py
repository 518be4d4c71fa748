"""The daemon runs on machines without a screen: it loads nothing of the desktop."""

import subprocess
import sys

HEAVY = ("pystray", "PIL", "webview", "gi", "desktop_notifier", "Xlib")
# The tray's settings are listed with all others.
DECLARED = {"intaglio.desktop", "intaglio.desktop.settings"}


def loaded_of_the_desktop(line: str) -> set[str]:
    code = f"{line}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    modules = set(done.stdout.split())
    own = {name for name in modules if name.partition("intaglio.")[2].startswith("desktop")}
    return modules.intersection(HEAVY) | (own - DECLARED)


def test_the_daemon_loads_nothing_of_the_desktop() -> None:
    assert loaded_of_the_desktop("import intaglio.daemon.main") == set()


def test_the_command_line_loads_nothing_of_the_desktop() -> None:
    assert loaded_of_the_desktop("import intaglio.cli.main") == set()
