"""The gates that a change has to pass, run together, one line each."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from boot.process import BIN, PYTHON, ROOT, child_env
from boot.setup import UI

# Two at a time: the type checkers are single-threaded, and two cores are what CI has. Beside the
# tests, which keep both cores busy, one at a time.
_LANES = 2
_LANES_BESIDE = 1


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
# Of the long tests half wait, for a browser or a daemon: two workers more than cores.
PYTEST: tuple[str | Path, ...] = (PYTHON, "-m", "pytest")
TESTS = Gate("pytest", (*PYTEST, "-n", str((os.cpu_count() or 2) + 2), "--dist", "worksteal"))


def _verdict(gate: Gate, status: int, begun: float) -> str:
    verdict = "failed" if status else "ok"
    return f"{verdict:<6} {gate.name:<13} {time.monotonic() - begun:6.1f} s\n"


def _passed_quietly(gate: Gate) -> bool:
    """Run a gate that shows its output only when it fails."""
    begun = time.monotonic()
    done = subprocess.run(
        [str(part) for part in gate.command],
        cwd=gate.folder,
        env=child_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    said = done.stdout.decode(errors="replace") if done.returncode else ""
    # One write, so that what two lanes say does not mix.
    print(_verdict(gate, done.returncode, begun) + said, end="", flush=True)
    return not done.returncode


def _passed_aloud(gate: Gate, alone: threading.Event) -> bool:
    """Run a gate whose output is shown line by line, but held back until it runs alone."""
    begun = time.monotonic()
    held: list[str] = []
    with subprocess.Popen(
        [str(part) for part in gate.command],
        cwd=gate.folder,
        env=child_env(**({"PY_COLORS": "1"} if sys.stdout.isatty() else {})),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            held.append(line)
            if alone.is_set():
                print("".join(held), end="", flush=True)
                held.clear()
        status = process.wait()
    alone.wait()
    print("".join(held) + _verdict(gate, status, begun), end="", flush=True)
    return not status


def pass_gates(quiet: Sequence[Gate], aloud: Gate | None = None) -> int:
    """Run every gate even when one fails; returns the exit status, 1 if any failed.

    The one that is followed aloud starts with the others and has the last word.
    """
    gates = [*quiet, *([aloud] if aloud else [])]
    alone = threading.Event()
    with (
        ThreadPoolExecutor(1) as beside,
        ThreadPoolExecutor(_LANES_BESIDE if aloud else _LANES) as lanes,
    ):
        followed = [beside.submit(_passed_aloud, aloud, alone)] if aloud else []
        try:
            passed = list(lanes.map(_passed_quietly, quiet))
        finally:
            alone.set()
        passed += [last.result() for last in followed]
    failed = [gate.name for gate, fine in zip(gates, passed, strict=True) if not fine]
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(f"gates: {len(gates) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def run_all() -> int:
    """Run all gates, the Python tests from the start; their summary stands at the end."""
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    # The slow ones first: what is quick fills the end.
    return pass_gates((*TYPES, *UI_TESTS, *LINT), TESTS)
