"""``python3 app package KIND``: the kinds of packages, and which of them can be built here."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from boot.app_bundle import build_app_bundle
from boot.deb import build_deb
from boot.dist import describe, write_checksums
from boot.folder import build_folder
from boot.inno import build_inno
from boot.process import StepFailed
from boot.wheel import build_wheel

ALL = "all"
DEFAULT = "wheel"


@dataclass(frozen=True, slots=True)
class PackageKind:
    """A kind of package: its name, a one-line summary, the systems that can build it."""

    name: str
    summary: str
    build: Callable[[Sequence[str]], Sequence[Path]]
    """Build it into dist/ with the remaining arguments of the command, check it, and return its
    files; raises StepFailed."""
    platforms: frozenset[str] = frozenset({"linux", "darwin", "win32"})
    """The values of ``sys.platform`` where it can be built."""


# In the order in which `all` builds them.
KINDS = (
    PackageKind("wheel", "the wheel for pipx, uv and pip, and the source archive", build_wheel),
    PackageKind("folder", "the folder that brings its own Python, packed", build_folder),
    PackageKind("inno", "the installer for Windows", build_inno, frozenset({"win32"})),
    PackageKind("app-bundle", "the disk image for macOS", build_app_bundle, frozenset({"darwin"})),
    PackageKind(
        "deb",
        "the Debian package (`package deb trixie arm64`: for another system than this)",
        build_deb,
        frozenset({"linux"}),
    ),
)


def usage(kinds: Sequence[PackageKind] = KINDS, platform: str = sys.platform) -> str:
    """Return the command's help."""
    width = max(len(kind.name) for kind in kinds)
    lines = [
        f"  {kind.name:<{width}} {kind.summary}"
        + ("" if platform in kind.platforms else f" (not on {platform})")
        for kind in kinds
    ]
    last = f"  {ALL:<{width}} every kind that can be built on this system"
    return "\n".join(["Usage: python3 app package [KIND]", "", *lines, last])


def choose(
    name: str, kinds: Sequence[PackageKind] = KINDS, platform: str = sys.platform
) -> Sequence[PackageKind]:
    """Return the kinds to build; raises StepFailed for one that doesn't exist or can't be built."""
    here = [kind for kind in kinds if platform in kind.platforms]
    if name == ALL:
        return here
    found = next((kind for kind in kinds if kind.name == name), None)
    if found is None:
        raise StepFailed(f"There is no kind of package {name!r}.\n\n{usage(kinds, platform)}")
    if found not in here:
        systems = " or ".join(sorted(found.platforms))
        raise StepFailed(f"The kind {name!r} can be built on {systems} only, not on {platform}.")
    return [found]


def package(kinds: Sequence[PackageKind], arguments: Sequence[str]) -> None:
    """Build and check packages, print their sizes, and write the checksums of all in dist/."""
    files = [file for kind in kinds for file in kind.build(arguments)]
    print(describe([*files, write_checksums()]))
