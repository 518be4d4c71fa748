"""The package managers: how each is asked for a newer version, and how it updates Intaglio.

Intaglio never replaces its own files. It asks the manager that installed it, with that manager's
own configuration, and shows the command by which the user updates.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from intaglio.base.installation import shell_line
from intaglio.base.installed_by import InstalledBy
from intaglio.updates.settings import Channel
from intaglio.updates.versions import upstream_version

NAME: Final = "intaglio"
_CANDIDATE: Final = re.compile(r"^ {2}Candidate: (\S+)$", re.MULTILINE)
_WOULD_INSTALL: Final = re.compile(
    r"^(?:Would install | \+ )intaglio(?:-|==)(\S{1,100})", re.MULTILINE
)
_INDEXED: Final = re.compile(r"^intaglio \(([^)\s]{1,100})\)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class UnreadableAnswer:
    """The manager's answer can't be read, or it doesn't know Intaglio; ``reason`` is a sentence."""

    reason: str


VersionReading: TypeAlias = str | UnreadableAnswer | None
"""The newest version, None if the manager names no newer one, or why that isn't known."""


@dataclass(frozen=True, slots=True)
class VersionQuery:
    """What a manager is asked: its command, and how its output and its errors are read."""

    command: tuple[str, ...]
    read: Callable[[bytes, bytes], VersionReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateSource:
    """How a copy of Intaglio is updated.

    ``title`` says how it was installed. ``query`` is None if no manager knows the copy: then a
    release feed is read if ``has_feed``. ``advice`` says in a sentence what to do, ``command`` is
    for the user's shell and may be empty.
    ``run`` is the same command as arguments if Intaglio may run it on the user's click: it needs
    no administrator and the running files can be replaced.
    """

    title: str
    advice: str
    command: str = ""
    query: VersionQuery | None = None
    run: tuple[str, ...] = ()
    has_feed: bool = False


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """The Python environment that Intaglio is in: its interpreter, and its folder's name."""

    python: str
    name: str

    @classmethod
    def current(cls) -> "PythonEnvironment":
        """Return that of this process."""
        return cls(sys.executable, Path(sys.prefix).name)


def update_source(
    kind: InstalledBy, channel: Channel, place: PythonEnvironment, *, platform: str = sys.platform
) -> UpdateSource:
    """Return how a copy that was installed in this way is updated."""
    previews = channel == "preview"
    match kind:
        case "deb":
            return _APT
        case "uv":
            return _uv(place, platform, previews=previews)
        case "pipx":
            return _pipx(place, platform, previews=previews)
        case "pip":
            return _pip(place, previews=previews)
        case "clone" | "folder" | "inno" | "app-bundle":
            return _BY_HAND[kind]


def _uv(place: PythonEnvironment, platform: str, *, previews: bool) -> UpdateSource:
    python = ("--python", place.python)
    more = ("--prerelease", "allow") if previews else ()
    query = _query(("uv", "pip"), python, previews=previews)
    return _tool("uv", query, ("uv", "tool", "upgrade", place.name, *more), platform)


def _pipx(place: PythonEnvironment, platform: str, *, previews: bool) -> UpdateSource:
    more = ("--pip-args=--pre",) if previews else ()
    # It runs pip or uv: the commands below are those that both know.
    query = _query(("pipx", "runpip", place.name), (), previews=previews)
    return _tool("pipx", query, ("pipx", "upgrade", place.name, *more), platform)


def _query(program: tuple[str, ...], more: tuple[str, ...], *, previews: bool) -> VersionQuery:
    """Return the question for pip or uv; uv's list of outdated packages leaves out previews.

    The other question may make it download the wheel, to read what it needs.
    """
    if previews:
        asks = (*program, "install", "--dry-run", "--no-deps", "--upgrade", "--pre", *more, NAME)
        return VersionQuery(asks, read_dry_run)
    return VersionQuery((*program, "list", "--outdated", "--format", "json", *more), read_outdated)


def _pip(place: PythonEnvironment, *, previews: bool) -> UpdateSource:
    pip = (place.python, "-m", "pip")
    more = ("--pre",) if previews else ()
    asks = (*pip, "index", "versions", *more, NAME)
    return UpdateSource(
        title="Installed by pip",
        advice="pip installs it.",
        command=shell_line((*pip, "install", "--upgrade", *more, NAME)),
        query=VersionQuery(asks, read_pip_index),
    )


def _tool(program: str, query: VersionQuery, run: tuple[str, ...], platform: str) -> UpdateSource:
    # Windows doesn't replace the files of a program that runs.
    is_windows = platform == "win32"
    advice = f"{program} installs it."
    if is_windows:
        advice = f"Quit Intaglio, then {advice}"
    return UpdateSource(
        title=f"Installed by {program}",
        advice=advice,
        command=shell_line(run),
        query=query,
        run=() if is_windows else run,
    )


# --- answers --------------------------------------------------------------------------------------


def read_apt_policy(output: bytes, _: bytes = b"") -> VersionReading:
    """Read the candidate of `apt-cache policy`, without the revision of the package."""
    found = _CANDIDATE.search(output.decode(errors="replace"))
    if found is None or found[1] == "(none)":
        return UnreadableAnswer("apt's sources have no package of Intaglio.")
    return upstream_version(found[1])


class _Outdated(msgspec.Struct):
    name: str
    latest_version: str


def read_outdated(output: bytes, _: bytes = b"") -> VersionReading:
    """Read the list of outdated packages, of pip or uv; None if Intaglio isn't among them."""
    try:
        listed = msgspec.json.decode(output, type=list[_Outdated])
    except msgspec.DecodeError:
        return UnreadableAnswer("The list of outdated packages has an unexpected format.")
    return next((each.latest_version for each in listed if each.name == NAME), None)


def read_dry_run(output: bytes, errors: bytes) -> VersionReading:
    """Read what pip (on its output) or uv (on its errors) would install; None for nothing."""
    found = _WOULD_INSTALL.search((output + b"\n" + errors).decode(errors="replace"))
    return found[1] if found else None


def read_pip_index(output: bytes, _: bytes = b"") -> VersionReading:
    """Read the first line of `pip index versions`: the name, and the newest version."""
    found = _INDEXED.search(output.decode(errors="replace"))
    return found[1] if found else UnreadableAnswer("pip's answer has an unexpected format.")


_APT: Final = UpdateSource(
    title="Installed by apt",
    advice="apt installs it. It knows what `sudo apt update` found last.",
    command=f"sudo apt update && sudo apt install --only-upgrade {NAME}",
    query=VersionQuery(("apt-cache", "policy", NAME), read_apt_policy),
)
_BY_HAND: Final[Mapping[str, UpdateSource]] = {
    "clone": UpdateSource(
        title="Run from a git clone",
        advice="This copy is a git clone: pull the newest version, then start it again.",
        command="git pull && python3 app run",
    ),
    "folder": UpdateSource(
        title="This is a folder build",
        advice="Quit Intaglio and unpack the new version.",
        has_feed=True,
    ),
    "inno": UpdateSource(
        title="Installed by the Windows installer",
        advice="Run the installer of the new version.",
        has_feed=True,
    ),
    "app-bundle": UpdateSource(
        title="This is an app bundle",
        advice="Quit Intaglio and drag the new version to Applications.",
        has_feed=True,
    ),
}
