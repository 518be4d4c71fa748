"""Builds the wheel and the source archive, and checks that the wheel installs and starts."""

import shutil
import tempfile
import zipfile
from pathlib import Path

from boot.process import PYTHON, ROOT, VENV, StepFailed, output_of, run, step
from boot.setup import RUN_PINS, uv

DIST = ROOT / "dist"

# Files that could be missing without an error at the start.
_MUST_CONTAIN = (
    "intaglio/_built/ui/index.html",
    "intaglio/_built/ui/licenses/ibm-plex-sans.txt",
    "intaglio/_built/ui/licenses/jsdiff.txt",
    "intaglio/_built/docs/help/settings.md",
    "intaglio/_built/icons/idle-light-22.png",
    "intaglio/_built/model/model.onnx",
    "intaglio/_built/model/manifest.json",
    "intaglio/_built/model/tokens.context.npy",
    "intaglio/_built/model/tokens.rows.npy",
    "intaglio/_built/model/tokens.scales.npy",
    "intaglio/_built/model/NOTICE",
    "intaglio/capture/classifier.npz",
    "intaglio/capture/phrases/en.txt",
    "intaglio/connect/programs/hook_program.py",
)


def build_archives() -> Path:
    """Build both archives into dist/ with the environment's hatchling; returns the wheel."""
    with step("Build the wheel and the source archive"):
        shutil.rmtree(DIST, ignore_errors=True)
        run([PYTHON, "-m", "hatchling", "build", "-d", DIST, "-t", "wheel", "-t", "sdist"])
    (wheel,) = DIST.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        lacking = sorted(set(_MUST_CONTAIN) - set(archive.namelist()))
    if lacking:
        raise StepFailed(f"{wheel.name} is missing {', '.join(lacking)}")
    return wheel


def verify(wheel: Path) -> str:
    """Install the wheel into an empty environment and return the version that it prints."""
    with step("Check the wheel in an empty environment"), tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch, "env")
        uv("venv", "-q", "--no-project", "--python", PYTHON, home)
        python = home / PYTHON.relative_to(VENV)
        pins = ("--require-hashes", "--no-build", RUN_PINS)
        uv("pip", "sync", "-q", "--python", python, *pins)
        uv("pip", "install", "-q", "--python", python, "--no-deps", wheel)
        said = output_of([python.with_name("intaglio"), "--version"])
    if not said:
        raise StepFailed("the installed wheel fails to run `intaglio --version`")
    return said


def package() -> None:
    """Build and check both archives; prints their sizes."""
    wheel = build_archives()
    said = verify(wheel)
    version = wheel.name.split("-")[1]
    if version not in said:
        raise StepFailed(f"{wheel.name} reports version {said!r}")
    for archive in sorted(DIST.iterdir()):
        print(f"dist/{archive.name}  {archive.stat().st_size / 1e6:.1f} MB")
    print(said)
