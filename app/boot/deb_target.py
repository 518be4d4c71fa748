"""What a Debian package is built for: the release, its Python and the architecture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from boot.process import StepFailed, output_of

OPT = Path("opt", "intaglio")
"""Where the package lies, from the root of the file system."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release of Debian: its number, and the versions of its Python and of its C library."""

    name: str
    number: int
    python: tuple[int, int]
    glibc: str

    @property
    def python_version(self) -> str:
        """The Python's version, as in 3.11."""
        return "{}.{}".format(*self.python)

    @property
    def next_python(self) -> str:
        """The first version of Python that its compiled packages don't run with."""
        major, minor = self.python
        return f"{major}.{minor + 1}"


RELEASES = (
    Release("bookworm", 12, (3, 11), "2_36"),
    # Its C library is 2.41; the newest that the installer knows is 2.40.
    Release("trixie", 13, (3, 13), "2_40"),
)
# Debian's names of architectures, and those of wheels.
ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class Target:
    """What a package is built for."""

    release: Release
    architecture: str

    @property
    def platform(self) -> str:
        """The platform of its wheels, as uv names it."""
        return f"{ARCHITECTURES[self.architecture]}-manylinux_{self.release.glibc}"

    @property
    def site_packages(self) -> Path:
        """Where its Python packages lie, from the root of the file system."""
        return OPT / "lib" / f"python{self.release.python_version}" / "site-packages"


def parse_target(arguments: Sequence[str], here: Mapping[str, str]) -> Target:
    """Return the target that ``[RELEASE] [ARCHITECTURE]`` names; the rest is as ``here``.

    Raises StepFailed for a word that is neither, and where nothing is said and this system is none
    of the releases.
    """
    names = {release.name: release for release in RELEASES}
    chosen = dict(here)
    for word in arguments:
        if word in names:
            chosen["release"] = word
        elif word in ARCHITECTURES:
            chosen["architecture"] = word
        else:
            known = ", ".join([*names, *ARCHITECTURES])
            raise StepFailed(f"{word!r} is no release or architecture. Use one of: {known}.")
    release = names.get(chosen.get("release", ""))
    architecture = chosen.get("architecture", "")
    if release is None or architecture not in ARCHITECTURES:
        raise StepFailed(
            "This system is none of the releases that packages are built for. Name one: "
            f"python3 app package deb {RELEASES[-1].name} amd64"
        )
    return Target(release, architecture)


def this_system() -> dict[str, str]:
    """Return the release and the architecture of this system, as far as they are known."""
    found = {"architecture": output_of(["dpkg", "--print-architecture"]) or ""}
    system = Path("/etc/os-release")
    lines = system.read_text(encoding="utf-8").splitlines() if system.is_file() else []
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return found | {"release": values.get("VERSION_CODENAME", "").strip('"')}


def debian_version(version: str, release: Release) -> str:
    """Return a version of ours as Debian orders it: pre-releases before the release.

    The release's number makes the package of the next Debian release the newer one.
    """
    for mark in (".dev", "rc", "a", "b"):
        version = version.replace(mark, f"~{mark.strip('.')}")
    return f"{version}-1+deb{release.number}"
