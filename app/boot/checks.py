"""The checks that a change has to pass, run together, with one line of output each."""

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

# Two at a time: the type checkers are single-threaded, and CI has two cores. One at a time
# beside the tests, which keep both cores busy.
_WORKERS = 2
_WORKERS_BESIDE_TESTS = 1


@dataclass(frozen=True, slots=True)
class Check:
    """A program that exits with 0 if it finds no problem."""

    name: str
    command: Sequence[str | Path]
    folder: Path = ROOT


def _npm(name: str, script: str) -> Check:
    return Check(name, (BIN / "npm", "run", "--silent", script), UI)


def _mypy_on(platform: str) -> Check:
    """Type-check the package for another platform, whose code can't run here."""
    # Code for one platform is unreachable on the others.
    options = ("--platform", platform, "--no-warn-unreachable", "--no-warn-unused-ignores")
    cache = ("--cache-dir", f".mypy_cache/{platform}")
    return Check(f"mypy {platform}", (BIN / "mypy", *options, *cache, "app/intaglio"))


LINT = (
    Check("ruff check", (BIN / "ruff", "check", "app", "tests")),
    Check("ruff format", (BIN / "ruff", "format", "--check", "app", "tests")),
    Check("lint-imports", (BIN / "lint-imports",)),
    Check("deptry", (BIN / "deptry", "app/intaglio")),
    _npm("eslint", "lint"),
)
TYPES = (
    Check("mypy", (BIN / "mypy",)),
    _mypy_on("win32"),
    _mypy_on("darwin"),
    Check("pyright", (BIN / "pyright",)),
    _npm("svelte-check", "check"),
)
UI_TESTS = (_npm("vitest", "test"),)
# Half of the long tests wait for a browser or a daemon, hence two workers more than cores.
PYTEST: tuple[str | Path, ...] = (PYTHON, "-m", "pytest")
TESTS = Check("pytest", (*PYTEST, "-n", str((os.cpu_count() or 2) + 2), "--dist", "worksteal"))


def _verdict(check: Check, status: int, started: float) -> str:
    verdict = "failed" if status else "ok"
    return f"{verdict:<6} {check.name:<13} {time.monotonic() - started:6.1f} s\n"


def _run_quietly(check: Check) -> bool:
    """Run a check that shows its output only if it fails."""
    started = time.monotonic()
    done = subprocess.run(
        [str(part) for part in check.command],
        cwd=check.folder,
        env=child_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    output = done.stdout.decode(errors="replace") if done.returncode else ""
    # One write, so that the output of two checks doesn't mix.
    print(_verdict(check, done.returncode, started) + output, end="", flush=True)
    return not done.returncode


def _run_streamed(check: Check, alone: threading.Event) -> bool:
    """Run a check whose output is streamed, but held back until it runs alone."""
    started = time.monotonic()
    held: list[str] = []
    with subprocess.Popen(
        [str(part) for part in check.command],
        cwd=check.folder,
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
    print("".join(held) + _verdict(check, status, started), end="", flush=True)
    return not status


def run_checks(quiet: Sequence[Check], streamed: Check | None = None) -> int:
    """Run every check even after one has failed; returns the exit status, 1 if any failed.

    The streamed check starts with the others and prints its output last.
    """
    checks = [*quiet, *([streamed] if streamed else [])]
    alone = threading.Event()
    with (
        ThreadPoolExecutor(1) as streaming,
        ThreadPoolExecutor(_WORKERS_BESIDE_TESTS if streamed else _WORKERS) as workers,
    ):
        streamed_results = [streaming.submit(_run_streamed, streamed, alone)] if streamed else []
        try:
            passed = list(workers.map(_run_quietly, quiet))
        finally:
            alone.set()
        passed += [streamed_result.result() for streamed_result in streamed_results]
    failed = [check.name for check, ok in zip(checks, passed, strict=True) if not ok]
    if failed:
        print(f"failed: {', '.join(failed)}")
    print(f"checks: {len(checks) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def run_all() -> int:
    """Run all checks beside the Python tests, whose summary comes last."""
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    # The slow ones first, so that quick ones fill the end.
    return run_checks((*TYPES, *UI_TESTS, *LINT), TESTS)
