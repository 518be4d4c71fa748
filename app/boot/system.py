"""The Debian packages that this checkout needs, and how they get onto the machine."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from boot.process import StepFailed, answer, child_env, run, step

Need: TypeAlias = Literal["always", "desk", "tests"]

EVERYWHERE: frozenset[Need] = frozenset({"always"})
WITH_A_SCREEN: frozenset[Need] = frozenset({"always", "desk"})
FOR_TESTS: frozenset[Need] = frozenset({"always", "desk", "tests"})

# An index or a package that does not come is a reason to go on without it, not to wait for ever.
_APT_S = 900
_PATIENCE = (
    "-o",
    "DPkg::Lock::Timeout=300",  # another apt may be at work
    "-o",
    "Acquire::http::Timeout=30",
    "-o",
    "Acquire::Retries=2",
    "-o",
    "Dpkg::Options::=--force-confold",
)


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A Debian package, why and when it is needed, and the program that proves it, if any."""

    name: str
    why: str
    program: str = ""
    need: Need = "always"


# One line a package; a later need is a later line.
SYSTEM_PACKAGES = (
    SystemPackage("python3-venv", "makes the virtual environment from Debian's own Python"),
    SystemPackage("python3-gi", "lets that Python reach the desktop's libraries"),
    SystemPackage("curl", "carries a session's start to the daemon", program="curl"),
    SystemPackage("git", "tells which project a folder belongs to", program="git"),
    SystemPackage("ca-certificates", "lets the package clients check whom they talk to"),
    SystemPackage("gir1.2-gtk-3.0", "draws the tray's menu and the window", need="desk"),
    SystemPackage("gir1.2-ayatanaappindicator3-0.1", "puts the icon into the tray", need="desk"),
    SystemPackage("gir1.2-webkit2-4.1", "shows the dashboard in the window", need="desk"),
    SystemPackage("chromium-headless-shell", "shows the dashboard to the tests", need="tests"),
    SystemPackage("xvfb", "the tests' screen", "Xvfb", "tests"),
    SystemPackage("dbus-daemon", "the tests' session bus", "dbus-daemon", "tests"),
    SystemPackage("openbox", "manages the windows of the tests", "openbox", "tests"),
    SystemPackage("trayer", "holds the tray icon in the tests", "trayer", "tests"),
    SystemPackage("dunst", "shows notifications to the tests", "dunst", "tests"),
    SystemPackage("xdotool", "clicks and types in the tests", "xdotool", "tests"),
)


def has_screen(env: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a graphical session is there for a window to open in."""
    return any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def installed() -> set[str]:
    """Name the packages that dpkg has fully installed."""
    listed = answer(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"]) or ""
    pairs = (line.split(" ") for line in listed.splitlines())
    return {pair[0] for pair in pairs if pair[-1] == "installed"}


def missing(needs: frozenset[Need]) -> list[str]:
    """Name the packages that are needed and not there, on a machine that has apt."""
    wanted = [entry for entry in SYSTEM_PACKAGES if entry.need in needs]
    absent = [entry for entry in wanted if not (entry.program and shutil.which(entry.program))]
    have = installed() if absent else set[str]()
    return [entry.name for entry in absent if entry.name not in have]


def ensure_system(needs: frozenset[Need]) -> None:
    """Install what is missing, as root; otherwise print the line that does and go on."""
    if not shutil.which("apt-get"):
        return
    names = missing(needs)
    if not names:
        return
    line = f"apt-get install -y --no-install-recommends {' '.join(names)}"
    if os.name == "nt" or os.geteuid() != 0:
        print(f"Debian packages are missing; install them with: sudo {line}")
        return
    apt = Path(shutil.which("apt-get") or "apt-get")
    env = child_env(DEBIAN_FRONTEND="noninteractive", NEEDRESTART_MODE="l")
    try:
        with step(f"Debian packages ({', '.join(names)})"):
            run([apt, *_PATIENCE, "update", "-q"], env=env, timeout_s=_APT_S)
            run([apt, *_PATIENCE, "-q", *line.split()[1:]], env=env, timeout_s=_APT_S)
    except StepFailed as failure:
        print(f"{failure}\nGoing on without them; install them with: {line}")
