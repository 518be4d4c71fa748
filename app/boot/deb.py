"""Builds the Debian package: for one release of Debian and one architecture at a time.

It is thin: Python, GTK, WebKit and the tray's library are the distribution's. ``/opt/intaglio`` has
the layout of a virtual environment of that Python, so the interpreter finds our packages without
any variable. `installers/deb` has the files that aren't generated.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from boot.deb_documents import copyright_text, debian_changelog, fill, maintainer, packed
from boot.deb_target import OPT, Target, debian_version, parse_target, this_system
from boot.dist import DIST, clear, source_date
from boot.process import PYTHON, ROOT, WORK, StepFailed, child_env, output_of, run, step
from boot.sbom import write_notices
from boot.setup import BUILT_ICONS, ICONS, RUN_PINS, uv
from boot.third_party import python_components
from boot.wheel import build_archives

SOURCES = ROOT / "installers" / "deb"

# Litestar names them for its own command line and for examples in its documentation; nothing that
# runs here imports them.
EXCLUDED = frozenset(
    {"faker", "polyfactory", "rich", "rich-click", "pygments", "markdown-it-py", "mdurl"}
)
# Packages without wheels for an architecture; the daemon does without them.
MISSING_ON = {"arm64": frozenset({"umapers"})}

_MAINTAINER_SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
_METAINFO = "io.intaglio.intaglio.metainfo.xml"
_ICON_SIZES = (32, 48, 64, 128, 256)
_DEBIAN_GI = Path("/usr/lib/python3/dist-packages/gi")
# What only an installer of Python packages reads, and what says where it got them.
_INSTALLER_FILES = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
# Folders that nothing reads here: tests, tools for other models, libraries of Android and Windows.
_UNUSED = (
    "**/__pycache__",
    "numpy/**/tests",
    "certifi/tests",
    "apsw/sqlite_extra_binaries",
    "onnxruntime/quantization",
    "onnxruntime/tools",
    "onnxruntime/transformers",
    "onnxruntime/datasets",
    "webview/lib",
)


def without_packages(requirements: str, excluded: frozenset[str]) -> str:
    """Remove packages, with their hashes, from a file of pinned requirements."""
    kept: list[str] = []
    is_kept = True
    for line in requirements.splitlines():
        if line[:1].isalnum():
            is_kept = line.partition("==")[0] not in excluded
        if is_kept:
            kept.append(line)
    return "\n".join(kept) + "\n"


def _source(name: str) -> str:
    return (SOURCES / name).read_text(encoding="utf-8")


def _write(file: Path, content: str | bytes, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(mode)


def build_deb(arguments: Sequence[str]) -> Sequence[Path]:
    """Build the package into dist/ and return its file.

    ``arguments`` may name a release and an architecture; without them it is this system's.
    """
    target = parse_target(arguments, this_system())
    wheel, _ = build_archives()
    version = debian_version(wheel.name.split("-")[1], target.release)
    root = WORK / "deb" / f"{target.release.name}-{target.architecture}"
    with step(f"Lay out the package for {target.release.name} on {target.architecture}"):
        shutil.rmtree(root, ignore_errors=True)
        lay_out(root, target, wheel, version)
    clear(f"intaglio_*+deb{target.release.number}_{target.architecture}.deb")
    file = DIST / f"intaglio_{version}_{target.architecture}.deb"
    with step(f"Build {file.name}"):
        # With more than one thread, the bytes depend on their number.
        options = ("--root-owner-group", "-Zxz", "--threads-max=1")
        env = child_env(SOURCE_DATE_EPOCH=str(source_date()))
        run(["dpkg-deb", *options, "--build", root, file], env=env)
    return [file]


def lay_out(root: Path, target: Target, wheel: Path, version: str) -> None:
    """Write the package's files below a folder, each with the date of the source."""
    moment = datetime.fromtimestamp(source_date(), UTC)
    values = {
        "VERSION": version,
        "OWN_VERSION": wheel.name.split("-")[1],
        "DATE": f"{moment:%Y-%m-%d}",
        "ARCHITECTURE": target.architecture,
        "MAINTAINER": maintainer(os.environ),
        "PYTHON": target.release.python_version,
        "NEXT_PYTHON": target.release.next_python,
    }
    _install_packages(root / target.site_packages, target, wheel)
    _write_program(root, values)
    _write_shared_files(root / "usr" / "share", values)
    doc = root / "usr" / "share" / "doc" / "intaglio"
    bundled = python_components(root / target.site_packages, bundled=True)
    _write(doc / "copyright", copyright_text(bundled))
    _write(doc / "changelog.gz", packed((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
    changes = debian_changelog(version, target.release, values["MAINTAINER"], moment)
    _write(doc / "changelog.Debian.gz", packed(changes))
    _write_control(root, values)
    _normalize(root)


def _install_packages(site: Path, target: Target, wheel: Path) -> None:
    site.mkdir(parents=True)
    pins = site / "requirements.txt"
    left_out = EXCLUDED | MISSING_ON.get(target.architecture, frozenset())
    text = without_packages(RUN_PINS.read_text(encoding="utf-8"), left_out)
    pins.write_text(text, encoding="utf-8")
    options = (
        *("pip", "install", "-q", "--no-deps", "--no-build", "--target", site, "--python", PYTHON),
        *("--python-version", target.release.python_version, "--python-platform", target.platform),
        # Links would give other dates to the installer's cache.
        *("--link-mode", "copy"),
    )
    uv(*options, "--require-hashes", "-r", pins)
    uv(*options, wheel)
    pins.unlink()
    shutil.rmtree(site / "bin")
    write_notices(site / "intaglio" / "_built" / "licenses", site, bundled=True)
    for name in _INSTALLER_FILES:
        for file in site.glob(f"*.dist-info/{name}"):
            file.unlink()
    for pattern in _UNUSED:
        for folder in site.glob(pattern):
            shutil.rmtree(folder, ignore_errors=True)
    for file in site.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    _write(site / "intaglio" / "_built" / "installed-by.txt", "deb\n")
    (site / "gi").symlink_to(_DEBIAN_GI)


def _write_program(root: Path, values: Mapping[str, str]) -> None:
    opt = root / OPT
    _write(opt / "bin" / "intaglio", _source("intaglio"), mode=0o755)
    (opt / "bin" / "python3").symlink_to("/usr/bin/python3")
    (opt / "bin" / "python").symlink_to("python3")
    _write(opt / "pyvenv.cfg", fill(_source("pyvenv.cfg"), values))
    _write(opt / "lib" / "maintenance.py", _source("maintenance.py"))
    link = root / "usr" / "bin" / "intaglio"
    link.parent.mkdir(parents=True)
    link.symlink_to("/opt/intaglio/bin/intaglio")


def _write_shared_files(share: Path, values: Mapping[str, str]) -> None:
    _write(share / "applications" / "intaglio.desktop", _source("intaglio.desktop"))
    _write(share / "metainfo" / _METAINFO, fill(_source(_METAINFO), values))
    icons = share / "icons" / "hicolor"
    for size in _ICON_SIZES:
        drawn = (BUILT_ICONS / f"intaglio-{size}.png").read_bytes()
        _write(icons / f"{size}x{size}" / "apps" / "intaglio.png", drawn)
    _write(icons / "scalable" / "apps" / "intaglio.svg", (ICONS / "mark.svg").read_bytes())
    _write(share / "lintian" / "overrides" / "intaglio", _source("lintian-overrides"))
    commands = output_of([PYTHON, "-m", "boot.man_page"])
    if commands is None:
        raise StepFailed("The commands for the man page couldn't be listed.")
    page = fill(_source("intaglio.1"), {**values, "COMMANDS": commands})
    _write(share / "man" / "man1" / "intaglio.1.gz", packed(page))


def _write_control(root: Path, values: Mapping[str, str]) -> None:
    entries = sorted(root.rglob("*"))
    files = [entry for entry in entries if entry.is_file() and not entry.is_symlink()]
    # As Debian's tools count it: files in whole KiB, and one for everything else.
    size = sum(-(-file.stat().st_size // 1024) for file in files) + len(entries) - len(files)
    control = fill(_source("control"), {**values, "INSTALLED_KIB": str(size)})
    _write(root / "DEBIAN" / "control", control)
    for name in _MAINTAINER_SCRIPTS:
        _write(root / "DEBIAN" / name, fill(_source(name), values), mode=0o755)
    sums = "".join(f"{_md5(file)}  {file.relative_to(root)}\n" for file in files)
    _write(root / "DEBIAN" / "md5sums", sums)


def _md5(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _normalize(root: Path) -> None:
    """Give everything the date of the source, and rights that don't depend on the umask."""
    date = source_date()
    for entry in (root, *root.rglob("*")):
        if not entry.is_symlink():
            is_program = entry.is_dir() or entry.stat().st_mode & 0o100
            entry.chmod(0o755 if is_program else 0o644)
        os.utime(entry, (date, date), follow_symlinks=False)
