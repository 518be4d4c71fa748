"""The Debian packages that this checkout needs, and how they get onto the machine."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from boot.process import StepFailed, answer, child_env, run, step


@dataclass(frozen=True, slots=True)
class SystemPackage:
    """A Debian package, why it is needed, and the program that proves it, if it has one."""

    name: str
    why: str
    program: str = ""
    only_for_tests: bool = False


# One line a package; a later need is a later line.
SYSTEM_PACKAGES = (
    SystemPackage("python3-venv", "makes the virtual environment from Debian's own Python"),
    SystemPackage("python3-gi", "lets that Python reach the desktop's libraries"),
    SystemPackage("curl", "carries a session's start to the daemon", program="curl"),
    SystemPackage("git", "tells which project a folder belongs to", program="git"),
    SystemPackage("ca-certificates", "lets the package clients check whom they talk to"),
    SystemPackage("chromium", "shows the dashboard to the tests", "chromium", only_for_tests=True),
)


def installed() -> set[str]:
    """Name the packages that dpkg has fully installed."""
    listed = answer(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"]) or ""
    pairs = (line.split(" ") for line in listed.splitlines())
    return {pair[0] for pair in pairs if pair[-1] == "installed"}


def missing(*, tests: bool) -> list[str]:
    """Name the packages that are needed and not there, on a machine that has apt."""
    wanted = [entry for entry in SYSTEM_PACKAGES if tests or not entry.only_for_tests]
    absent = [entry for entry in wanted if not (entry.program and shutil.which(entry.program))]
    have = installed() if absent else set[str]()
    return [entry.name for entry in absent if entry.name not in have]


def ensure_system(*, tests: bool) -> None:
    """Install what is missing, as root; otherwise print the line that does and go on."""
    if not shutil.which("apt-get"):
        return
    names = missing(tests=tests)
    if not names:
        return
    line = f"apt-get install -y --no-install-recommends {' '.join(names)}"
    if os.name == "nt" or os.geteuid() != 0:
        print(f"Debian packages are missing; install them with: sudo {line}")
        return
    apt = Path(shutil.which("apt-get") or "apt-get")
    env = child_env(DEBIAN_FRONTEND="noninteractive")
    try:
        with step(f"Debian packages ({', '.join(names)})"):
            # Another apt may be at work; wait for it rather than fail.
            wait = ("-o", "DPkg::Lock::Timeout=300")
            run([apt, *wait, "update", "-q"], env=env)
            run([apt, *wait, "-q", *line.split()[1:]], env=env)
    except StepFailed as failure:
        print(f"{failure}\nGoing on without them; install them with: {line}")
