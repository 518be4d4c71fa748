"""The daemon runs on machines without a screen: it loads nothing of the desktop."""

import subprocess
import sys

HEAVY = ("pystray", "PIL", "webview", "gi", "desktop_notifier", "Xlib", "intaglio.desktop")


def loaded(line: str) -> set[str]:
    code = f"{line}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_the_daemon_loads_nothing_of_the_desktop() -> None:
    assert loaded("import intaglio.daemon.main").isdisjoint(HEAVY)


def test_the_command_line_loads_nothing_of_the_desktop() -> None:
    assert loaded("import intaglio.cli.main").isdisjoint(HEAVY)
