"""Builds the folder that brings its own Python, with PyInstaller, and checks that it starts."""

import compileall
import gzip
import os
import platform
import py_compile
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from boot.dist import DIST, clear, source_date
from boot.process import ROOT, WORK, StepFailed, child_env, output_of, run, step
from boot.sbom import write_notices
from boot.setup import LINKED_GI, PACKAGE_PINS, installed_packages
from boot.wheel import NOTICES_FOLDER, build_archives, make_environment

SPEC = ROOT / "installers" / "folder" / "intaglio.spec"
FOLDER = WORK / "folder" / "intaglio"
"""The finished folder; the installer for Windows is made of it."""
BUNDLE = FOLDER.with_name("Intaglio.app")
"""The same as an application bundle, on macOS."""

_WORK = WORK / "folder"
_PROGRAM = "intaglio.exe" if os.name == "nt" else "intaglio"
_PACKAGES = "_internal"
_GIREPOSITORY = "libgirepository-1.0.so.1"
_SCRIPT = "import sys\nprint(__name__, *sys.argv[1:])\n"


def build_folder(_arguments: Sequence[str]) -> Sequence[Path]:
    """Build and check the folder, and its archive in dist/; returns the archive."""
    wheel, _ = build_archives()
    collect_folder(wheel, "folder")
    return [write_archive(wheel.name.split("-")[1])]


def collect_folder(wheel: Path, kind: str, variables: Mapping[str, str] | None = None) -> Path:
    """Make the folder of a wheel and the pinned packages; ``kind`` is how it will be installed.

    ``variables`` are what the script reads from its environment for this kind. Raises StepFailed
    if it can't be built here or doesn't start.
    """
    with step("Create the environment of the folder build"):
        python = make_environment(_WORK / "env", wheel, PACKAGE_PINS)
    with step("Collect the program and its Python"):
        shutil.rmtree(FOLDER, ignore_errors=True)
        env = child_env(
            # The same contents give the same files.
            PYTHONHASHSEED="1",
            SOURCE_DATE_EPOCH=str(source_date()),
            PYINSTALLER_CONFIG_DIR=str(_WORK / "cache"),
            **(variables or {}),
        )
        folders = ("--distpath", _WORK, "--workpath", _WORK / "build")
        run([python, "-m", "PyInstaller", "--noconfirm", "--clean", *folders, SPEC], env=env)
        _copy_gi(FOLDER / _PACKAGES / "gi")
        built = FOLDER / _PACKAGES / "intaglio" / "_built"
        (built / "installed-by.txt").write_text(f"{kind}\n", encoding="utf-8")
        write_notices(
            built / NOTICES_FOLDER.name,
            installed_packages(python),
            bundled=True,
            libraries=FOLDER / _PACKAGES,
        )
    verify(FOLDER / _PROGRAM, wheel.name.split("-")[1])
    return FOLDER


def verify(program: Path, version: str) -> None:
    """Check that a folder's program starts, and runs a script as hooks do; raises StepFailed."""
    with step("Check the folder's program"):
        said = output_of([program, "--version"])
        if said is None or version not in said:
            raise StepFailed(f"{program} --version printed {said!r}")
        script = _WORK / "script.py"
        script.write_text(_SCRIPT, encoding="utf-8")
        said = output_of([program, "-I", "-S", script, "one", "two"])
        if said != "__main__ one two":
            raise StepFailed(f"{program} ran a script that printed {said!r}")


def _copy_gi(place: Path) -> None:
    """Copy the system's PyGObject, and what it is built on, and compile it; only Linux needs it.

    PyInstaller would bundle GTK with it. Systems that have GTK need not have this version of
    libgirepository, which reads the descriptions of libraries. Raises StepFailed if the system has
    no PyGObject for this Python.
    """
    if sys.platform != "linux":
        return
    if not LINKED_GI.is_dir():
        raise StepFailed("The folder build needs Debian's python3-gi, made for this Python.")
    (module,) = LINKED_GI.glob("_gi.cpython-*.so")
    architecture = module.stem.split("-", 2)[2]
    shutil.copy(Path("/usr/lib", architecture, _GIREPOSITORY), place.parent)
    shutil.copytree(LINKED_GI, place, ignore=shutil.ignore_patterns("__pycache__"))
    # Valid whatever the times of the files: nobody can write beside them once they are installed.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(place, quiet=1, invalidation_mode=mode, stripdir=str(FOLDER))


def archive_name(version: str, system: str = sys.platform, machine: str = "") -> str:
    """Return the file name of the archive for a system and a machine, by default this one's."""
    names = {"darwin": "macos", "win32": "windows"}
    ending = "zip" if system == "win32" else "tar.gz"
    kind = (machine or platform.machine()).lower()
    return f"intaglio-{version}-{names.get(system, system)}-{kind}.{ending}"


def write_archive(version: str, folder: Path = FOLDER) -> Path:
    """Pack the folder into dist/; the same contents give the same bytes."""
    with step("Pack the folder"):
        file = DIST / archive_name(version)
        clear(f"intaglio-*-{file.name.split('-', 2)[2]}", DIST)
        files = sorted(each for each in folder.rglob("*") if each.is_symlink() or each.is_file())
        if file.suffix == ".zip":
            _write_zip(file, folder, files)
        else:
            _write_tar(file, folder, files)
    return file


def _write_zip(file: Path, folder: Path, files: Sequence[Path]) -> None:
    date = datetime.fromtimestamp(source_date(), UTC).timetuple()[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            entry = zipfile.ZipInfo((each.relative_to(folder.parent)).as_posix(), date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, each.read_bytes())


def _write_tar(file: Path, folder: Path, files: Sequence[Path]) -> None:
    date = source_date()

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = date
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    # Without a name and a date of its own, which gzip would note otherwise.
    with (
        file.open("wb") as target,
        gzip.GzipFile("", "wb", 6, fileobj=target, mtime=date) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for each in files:
            archive.add(each, (each.relative_to(folder.parent)).as_posix(), filter=plain)
