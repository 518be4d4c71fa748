"""Pins the ranges in pyproject.toml to exact versions with the hash of every file."""

from collections.abc import Sequence
from pathlib import Path

from boot.process import PYTHON, ROOT, step
from boot.setup import BUILD_PINS, DEV_PINS, PACKAGE_PINS, RUN_PINS, uv

# One result for every supported platform and Python, without index addresses in the files.
_COMPILE: tuple[str | Path, ...] = (
    "pip",
    "compile",
    "--quiet",
    "--universal",
    # The same version of a package for every Python.
    "--fork-strategy",
    "fewest",
    "--python-version",
    "3.11",
    "--python",
    PYTHON,
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--custom-compile-command",
    "python3 app lock",
)


def lock(arguments: Sequence[str]) -> None:
    """Write the requirements files, each consistent with the previous ones."""
    project = ROOT / "pyproject.toml"
    with step("Pin Python dependencies"):
        uv(*_COMPILE, *arguments, project, "-o", RUN_PINS)
        build = ("--group", f"{project}:build", "-c", RUN_PINS, "-o", BUILD_PINS)
        uv(*_COMPILE, *arguments, *build)
        dev = ("--group", f"{project}:dev", "-c", RUN_PINS, "-c", BUILD_PINS, "-o", DEV_PINS)
        uv(*_COMPILE, *arguments, *dev)
        package = ("--group", f"{project}:package", "-c", RUN_PINS, "-o", PACKAGE_PINS)
        uv(*_COMPILE, *arguments, *package)
