"""The Debian packages that this clone needs, and their installation."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from boot.process import StepFailed, child_env, output_of, run, step

Need: TypeAlias = Literal["always", "desktop", "tests"]

EVERYWHERE: frozenset[Need] = frozenset({"always"})
WITH_A_SCREEN: frozenset[Need] = frozenset({"always", "desktop"})
FOR_TESTS: frozenset[Need] = frozenset({"always", "desktop", "tests"})

# If an index or package can't be downloaded, go on without it instead of waiting forever.
_APT_TIMEOUT_S = 900
_APT_OPTIONS = (
    "-o",
    "DPkg::Lock::Timeout=300",  # another apt may be running
    "-o",
    "Acquire::http::Timeout=30",
    "-o",
    "Acquire::Retries=2",
    "-o",
    "Dpkg::Options::=--force-confold",
)


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A Debian package: why and when it is needed, and a program that shows it isn't."""

    name: str
    why: str
    program: str = ""
    need: Need = "always"


# One line per package, in the order of their need.
SYSTEM_PACKAGES = (
    SystemPackage("python3-venv", "creates the virtual environment from Debian's Python"),
    SystemPackage("python3-gi", "gives that Python access to the desktop libraries"),
    SystemPackage("curl", "sends hook events to the daemon", program="curl"),
    SystemPackage("git", "finds the project of a folder", program="git"),
    SystemPackage("ca-certificates", "lets the package clients verify servers"),
    SystemPackage("gir1.2-gtk-3.0", "draws the tray's menu and the window", need="desktop"),
    SystemPackage("gir1.2-ayatanaappindicator3-0.1", "puts the icon into the tray", need="desktop"),
    SystemPackage("gir1.2-webkit2-4.1", "shows the dashboard in the window", need="desktop"),
    SystemPackage("chromium-headless-shell", "shows the dashboard in the tests", need="tests"),
    SystemPackage("xvfb", "the tests' screen", "Xvfb", "tests"),
    SystemPackage("dbus-daemon", "the tests' session bus", "dbus-daemon", "tests"),
    SystemPackage("openbox", "manages the windows of the tests", "openbox", "tests"),
    SystemPackage("trayer", "holds the tray icon in the tests", "trayer", "tests"),
    SystemPackage("dunst", "shows notifications in the tests", "dunst", "tests"),
    SystemPackage("xdotool", "clicks and types in the tests", "xdotool", "tests"),
)


def has_screen(env: Mapping[str, str] = os.environ) -> bool:
    """Return whether there is a graphical session to open windows in."""
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def installed() -> set[str]:
    """Return the names of the packages that dpkg has fully installed."""
    listed = output_of(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"]) or ""
    pairs = (line.split(" ") for line in listed.splitlines())
    return {pair[0] for pair in pairs if pair[-1] == "installed"}


def missing(needs: frozenset[Need]) -> list[str]:
    """Return the names of the needed packages that aren't installed."""
    wanted = [entry for entry in SYSTEM_PACKAGES if entry.need in needs]
    absent = [entry for entry in wanted if not (entry.program and shutil.which(entry.program))]
    have = installed() if absent else set[str]()
    return [entry.name for entry in absent if entry.name not in have]


def ensure_system(needs: frozenset[Need]) -> None:
    """Install missing packages as root; otherwise print the command that does, and go on."""
    if not shutil.which("apt-get"):
        return
    names = missing(needs)
    if not names:
        return
    line = f"apt-get install -y --no-install-recommends {' '.join(names)}"
    if os.name == "nt" or os.geteuid() != 0:
        print(f"Some Debian packages are missing. Install them with: sudo {line}")
        return
    apt = Path(shutil.which("apt-get") or "apt-get")
    env = child_env(DEBIAN_FRONTEND="noninteractive", NEEDRESTART_MODE="l")
    try:
        with step(f"Install Debian packages ({', '.join(names)})"):
            run([apt, *_APT_OPTIONS, "update", "-q"], env=env, timeout_s=_APT_TIMEOUT_S)
            run([apt, *_APT_OPTIONS, "-q", *line.split()[1:]], env=env, timeout_s=_APT_TIMEOUT_S)
    except StepFailed as failure:
        print(f"{failure}\nContinuing without them. Install them with: {line}")
