"""Packaging: the wheel and the source archive, and the proof that the wheel installs and starts."""

import shutil
import tempfile
import zipfile
from pathlib import Path

from boot.process import PYTHON, ROOT, VENV, StepFailed, answer, run, step
from boot.setup import RUN_PINS, uv

DIST = ROOT / "dist"

# What a user would miss without noticing at once.
_MUST_CONTAIN = (
    "intaglio/_built/ui/index.html",
    "intaglio/_built/docs/help/settings.md",
    "intaglio/_built/icons/idle-light-22.png",
    "intaglio/_built/model/model.onnx",
    "intaglio/_built/model/manifest.json",
    "intaglio/_built/model/NOTICE",
    "intaglio/connect/hook_program.py",
)


def build_archives() -> Path:
    """Build both archives into dist/ with the environment's own hatchling; returns the wheel."""
    with step("wheel and source archive"):
        shutil.rmtree(DIST, ignore_errors=True)
        run([PYTHON, "-m", "hatchling", "build", "-d", DIST, "-t", "wheel", "-t", "sdist"])
    (wheel,) = DIST.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        lacking = sorted(set(_MUST_CONTAIN) - set(archive.namelist()))
    if lacking:
        raise StepFailed(f"{wheel.name} lacks {', '.join(lacking)}")
    return wheel


def prove(wheel: Path) -> str:
    """Install the wheel into an empty environment and ask it for its version."""
    with step("the wheel in an empty environment"), tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch, "env")
        uv("venv", "-q", "--no-project", "--python", PYTHON, home)
        python = home / PYTHON.relative_to(VENV)
        pins = ("--require-hashes", "--no-build", RUN_PINS)
        uv("pip", "sync", "-q", "--python", python, *pins)
        uv("pip", "install", "-q", "--python", python, "--no-deps", wheel)
        said = answer([python.with_name("intaglio"), "--version"])
    if not said:
        raise StepFailed("the installed wheel does not answer `intaglio --version`")
    return said


def package() -> None:
    """Build, check, prove; prints what was made."""
    wheel = build_archives()
    said = prove(wheel)
    version = wheel.name.split("-")[1]
    if version not in said:
        raise StepFailed(f"{wheel.name} says {said!r}")
    for archive in sorted(DIST.iterdir()):
        print(f"dist/{archive.name}  {archive.stat().st_size / 1e6:.1f} MB")
    print(said)
