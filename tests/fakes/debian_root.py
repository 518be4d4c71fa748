"""A Debian system of its own in a folder, where a package can be installed as root.

It needs root and debootstrap, which downloads from where the package manager is told to. A base
system with what the package depends on is made once and kept in `.work/debian`; each test gets a
copy of it that costs nothing (an overlay).
"""

import os
import shutil
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from structure.source import ROOT

BASES: Final = ROOT / ".work" / "debian"
DEADLINE_S: Final = 900
_APT: Final = ("apt-get", "-q", "-y", "--no-install-recommends")
# What dpkg, apt and the triggers of other packages write for themselves.
_BOOKKEEPING: Final = (
    "/var/lib/dpkg/",
    "/var/lib/apt/",
    "/var/cache/",
    "/var/log/",
    "/usr/share/icons/hicolor/icon-theme.cache",
    "/usr/share/applications/mimeinfo.cache",
    "/tmp/",  # noqa: S108 - where the packages lie that are installed
)


def why_not() -> str:
    """Say why there can be no such system here; nothing if there can."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [name for name in ("debootstrap", "mount", "dpkg-deb") if shutil.which(name) is None]
    return f"needs {', '.join(missing)}" if missing else ""


@dataclass(frozen=True, slots=True)
class DebianRoot:
    """A running Debian system: its root folder."""

    root: Path

    def run(
        self,
        *words: str,
        user: str = "root",
        env: Mapping[str, str] | None = None,
        check: bool = True,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program there as a user, with nothing else in its environment."""
        done = subprocess.run(
            self.command(*words, user=user, env=env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=DEADLINE_S,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def command(
        self, *words: str, user: str = "root", env: Mapping[str, str] | None = None
    ) -> list[str]:
        """Return the command line that does what `run` does."""
        home = "/root" if user == "root" else f"/home/{user}"
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        values = {"HOME": home, "USER": user, "PATH": path, "LANG": "C.UTF-8", **(env or {})}
        pairs = [f"{name}={value}" for name, value in values.items()]
        drop = [] if user == "root" else ["runuser", "-u", user, "--"]
        return ["chroot", str(self.root), *drop, "env", "-i", f"--chdir={home}", *pairs, *words]

    def apt(self, *words: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
        """Run apt-get there, which asks nothing."""
        return self.run(*_APT, *words, env={"DEBIAN_FRONTEND": "noninteractive"}, check=check)

    def install(
        self, package: Path, *options: str, check: bool = True
    ) -> "subprocess.CompletedProcess[str]":
        """Install a package from outside."""
        place = self.root / "tmp" / package.name
        shutil.copyfile(package, place)
        try:
            return self.apt(*options, "install", f"/tmp/{package.name}", check=check)  # noqa: S108 - within the chroot
        finally:
            place.unlink()

    def add_user(self, name: str) -> Path:
        """Add a user with a home folder; returns that folder, seen from outside."""
        self.run("useradd", "--create-home", name)
        return self.root / "home" / name

    def files(self) -> set[str]:
        """List all files and folders, without what the package manager keeps for itself."""
        found: set[str] = set()
        for folder, folders, names in os.walk(self.root):
            inside = folder.removeprefix(str(self.root)) or "/"
            if inside in {"/proc", "/dev"}:
                folders.clear()
                continue
            found |= {f"{inside.rstrip('/')}/{name}" for name in (*folders, *names)}
        return {name for name in found if not f"{name}/".startswith(_BOOKKEEPING)}


def _base(release: str, needs: str) -> Path:
    """Return a base system with the packages of a ``Depends`` field; makes it on first use."""
    base = BASES / release
    if base.is_dir():
        return base
    part = base.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["debootstrap", "--variant=minbase", release, part],
        check=True,
        capture_output=True,
        timeout=DEADLINE_S,
    )
    # No service is started in there.
    policy = part / "usr" / "sbin" / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
    policy.chmod(0o755)
    with _proc(part):
        root = DebianRoot(part)
        root.apt("update")
        root.apt("satisfy", needs)
        root.apt("clean")
    part.rename(base)
    return base


@contextmanager
def _proc(root: Path) -> Generator[None]:
    with ExitStack() as stack:
        _mount(stack, root / "proc", "-t", "proc", "proc")
        yield


def _mount(stack: ExitStack, place: Path, *words: str) -> None:
    place.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *words, place], check=True, capture_output=True)

    def unmount() -> None:
        subprocess.run(["umount", "--lazy", place], check=True, capture_output=True)

    stack.callback(unmount)


@contextmanager
def debian_root(
    folder: Path, release: str, needs: str, shared: Sequence[Path] = ()
) -> Generator[DebianRoot]:
    """Run a copy of a release's base system; the folders of ``shared`` are seen at their paths."""
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for each in (upper, work, root):
        each.mkdir(parents=True)
    layers = f"lowerdir={_base(release, needs)},upperdir={upper},workdir={work}"
    with ExitStack() as stack:
        _mount(stack, root, "-t", "overlay", "overlay", "-o", layers)
        _mount(stack, root / "proc", "-t", "proc", "proc")
        _mount(stack, root / "dev", "--bind", "/dev")
        for each in shared:
            _mount(stack, root / each.relative_to("/"), "--bind", str(each))
        running = DebianRoot(root)
        stack.callback(_end_processes, root)
        yield running


def _end_processes(root: Path) -> None:
    """End what still runs in there: it would keep the file system in use."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            inside = (folder / "root").samefile(root)
        except OSError:
            continue
        if inside:
            subprocess.run(["kill", "-KILL", folder.name], check=False, capture_output=True)
