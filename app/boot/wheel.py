"""Builds the wheel and the source archive, and checks that the wheel installs and starts."""

import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from boot.dist import DIST, clear
from boot.process import PYTHON, ROOT, VENV, StepFailed, output_of, run, step
from boot.sbom import BOM, write_notices
from boot.setup import RUN_PINS, installed_packages, uv

NOTICES_FOLDER = ROOT / "app" / "intaglio" / "_built" / "licenses"

# Files that could be missing without an error at the start.
_MUST_CONTAIN = (
    "intaglio/_built/ui/index.html",
    "intaglio/_built/ui/licenses/ibm-plex-sans.txt",
    "intaglio/_built/ui/licenses/jsdiff.txt",
    "intaglio/_built/CHANGELOG.md",
    "intaglio/_built/docs/help/settings.md",
    "intaglio/_built/licenses/THIRD-PARTY-LICENSES.txt",
    "intaglio/_built/icons/idle-light-22.png",
    "intaglio/_built/model/model.onnx",
    "intaglio/_built/model/cross_encoder.onnx",
    "intaglio/_built/model/manifest.json",
    "intaglio/_built/model/tokens.context.npy",
    "intaglio/_built/model/tokens.rows.npy",
    "intaglio/_built/model/tokens.scales.npy",
    "intaglio/_built/model/NOTICE",
    "intaglio/capture/classifier.npz",
    "intaglio/capture/phrases/en.txt",
    "intaglio/connect/programs/hook_program.py",
)


def build_archives() -> tuple[Path, Path]:
    """Build the wheel and the source archive into dist/ with the environment's hatchling."""
    with step("Build the wheel and the source archive"):
        clear("intaglio-*.whl")
        # pip, uv or pipx fetch the Python packages.
        write_notices(NOTICES_FOLDER, installed_packages(), bundled=False)
        run([PYTHON, "-m", "hatchling", "build", "-d", DIST, "-t", "wheel", "-t", "sdist"])
    (wheel,) = DIST.glob("*.whl")
    source = DIST / f"intaglio-{wheel.name.split('-')[1]}.tar.gz"
    with zipfile.ZipFile(wheel) as archive:
        lacking = sorted(set(_MUST_CONTAIN) - set(archive.namelist()))
    if lacking:
        raise StepFailed(f"{wheel.name} is missing {', '.join(lacking)}")
    return wheel, source


def make_environment(home: Path, wheel: Path, *more_pins: Path) -> Path:
    """Make an environment with the wheel and nothing but pinned packages; returns its Python."""
    uv("venv", "-q", "--no-project", "--clear", "--python", PYTHON, home)
    python = home / PYTHON.relative_to(VENV)
    hashed = ("--require-hashes", "--no-build")
    uv("pip", "sync", "-q", "--python", python, *hashed, RUN_PINS, *more_pins)
    uv("pip", "install", "-q", "--python", python, "--no-deps", wheel)
    return python


def verify(wheel: Path) -> str:
    """Install the wheel into an empty environment and return the version that it prints."""
    with step("Check the wheel in an empty environment"), tempfile.TemporaryDirectory() as scratch:
        python = make_environment(Path(scratch, "env"), wheel)
        said = output_of([python.with_name("intaglio"), "--version"])
    if not said:
        raise StepFailed("the installed wheel fails to run `intaglio --version`")
    return said


def build_wheel(_: Sequence[str]) -> Sequence[Path]:
    """Build and check both archives; returns them and their list of components."""
    wheel, source = build_archives()
    said = verify(wheel)
    version = wheel.name.split("-")[1]
    if version not in said:
        raise StepFailed(f"{wheel.name} reports version {said!r}")
    listed = DIST / f"intaglio-{version}-wheel.cdx.json"
    shutil.copyfile(NOTICES_FOLDER / BOM, listed)
    return wheel, source, listed
