"""The gates that a change has to pass, run together, one line each."""

import os
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from boot.process import BIN, PYTHON, ROOT, child_env
from boot.setup import UI

# Two at a time: the type checkers are single-threaded, and two cores are what CI has.
_LANES = 2


@dataclass(frozen=True, slots=True)
class Gate:
    """A program that ends with 0 when all is well."""

    name: str
    command: Sequence[str | Path]
    folder: Path = ROOT


def _npm(name: str, script: str) -> Gate:
    return Gate(name, (BIN / "npm", "run", "--silent", script), UI)


def _mypy_on(platform: str) -> Gate:
    """Type the package as on another system, where none of its code can be run here."""
    # What only one system reaches is unreachable on the others.
    options = ("--platform", platform, "--no-warn-unreachable", "--no-warn-unused-ignores")
    cache = ("--cache-dir", f".mypy_cache/{platform}")
    return Gate(f"mypy {platform}", (BIN / "mypy", *options, *cache, "app/intaglio"))


LINT = (
    Gate("ruff check", (BIN / "ruff", "check", "app", "tests")),
    Gate("ruff format", (BIN / "ruff", "format", "--check", "app", "tests")),
    Gate("lint-imports", (BIN / "lint-imports",)),
    Gate("deptry", (BIN / "deptry", "app/intaglio")),
    _npm("eslint", "lint"),
)
TYPES = (
    Gate("mypy", (BIN / "mypy",)),
    _mypy_on("win32"),
    _mypy_on("darwin"),
    Gate("pyright", (BIN / "pyright",)),
    _npm("svelte-check", "check"),
)
UI_TESTS = (_npm("vitest", "test"),)
# Of three tests one waits, for a browser or a daemon to come up: on two cores three workers take
# seven eighths of the time of two.
PYTEST: tuple[str | Path, ...] = (PYTHON, "-m", "pytest")
TESTS = Gate("pytest", (*PYTEST, "-n", "3", "--dist", "worksteal"))


def _passed(gate: Gate, *, aloud: bool) -> bool:
    """Run a gate; a quiet one shows its output only when it fails."""
    start = time.monotonic()
    done = subprocess.run(
        [str(part) for part in gate.command],
        cwd=gate.folder,
        env=child_env(),
        stdin=subprocess.DEVNULL,
        stdout=None if aloud else subprocess.PIPE,
        stderr=None if aloud else subprocess.STDOUT,
        check=False,
    )
    verdict = "failed" if done.returncode else "ok"
    line = f"{verdict:<6} {gate.name:<13} {time.monotonic() - start:6.1f} s\n"
    said = (done.stdout or b"").decode(errors="replace") if done.returncode else ""
    # One write, so that what two lanes say does not mix.
    print(line + said, end="", flush=True)
    return not done.returncode


def pass_gates(quiet: Sequence[Gate], aloud: Sequence[Gate] = ()) -> int:
    """Run every gate even when one fails; returns the exit status, 1 if any failed."""
    with ThreadPoolExecutor(_LANES) as lanes:
        passed = list(lanes.map(partial(_passed, aloud=False), quiet))
    passed += [_passed(gate, aloud=True) for gate in aloud]
    gates = [*quiet, *aloud]
    failed = [gate.name for gate, fine in zip(gates, passed, strict=True) if not fine]
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(f"gates: {len(gates) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def run_all() -> int:
    """Run all gates, the Python tests last, so that their summary stands at the end."""
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    # The slow ones first, so that no lane ends up waiting for one of them.
    return pass_gates((*TYPES, *LINT, *UI_TESTS), (TESTS,))
