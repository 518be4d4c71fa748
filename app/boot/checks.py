"""The checks that a change has to pass, run together, with one line of output each."""

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from boot.process import (
    BIN,
    PYTHON,
    ROOT,
    TERMINATION_S,
    child_env,
    digest,
    set_stamp,
    stamp,
)
from boot.setup import UI

# Two at a time: the type checkers are single-threaded, and CI has two cores. One at a time
# beside the tests, which keep both cores busy.
_WORKERS = 2
_WORKERS_BESIDE_TESTS = 1
# A failed assertion may print what it compared on one line.
_LINE_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """A program that exits with 0 if it finds no problem."""

    name: str
    command: Sequence[str | Path]
    folder: Path = ROOT
    sources: Sequence[str] = ()
    """Patterns of the files, from `ROOT`, that it depends on; where none has changed since it
    passed, it isn't run. For a slow program without a cache of its own."""

    def inputs(self) -> str:
        """Return a digest of what it depends on; empty without ``sources``."""
        if not self.sources:
            return ""
        found = (file for pattern in self.sources for file in ROOT.glob(pattern))
        return digest(
            (file for file in found if file.is_file()),
            sys.version,
            *(str(part) for part in self.command),
        )


_UI_SOURCES = (
    *(f"ui/{folder}/**/*" for folder in ("src", "build", "gallery", "public")),
    "ui/*",
    "ui/.prettierrc",
    "app/intaglio/connect/**/*.js",
    "app/intaglio/harness/**/*.js",
    "assets/docs/help/**/*",
    "assets/icons/**/*",
    "tests/**/*.mjs",
)


def _npm(name: str, script: str, sources: Sequence[str] = ()) -> Check:
    return Check(name, (BIN / "npm", "run", "--silent", script), UI, sources)


def _mypy_on(platform: str) -> Check:
    """Type-check the package for another platform, whose code can't run here."""
    # Code for one platform is unreachable on the others.
    options = ("--platform", platform, "--no-warn-unreachable", "--no-warn-unused-ignores")
    cache = ("--cache-dir", f".mypy_cache/{platform}")
    return Check(f"mypy {platform}", (BIN / "mypy", *options, *cache, "app/intaglio"))


LINT = (
    Check("ruff check", (BIN / "ruff", "check", "app", "tests", "installers")),
    Check("ruff format", (BIN / "ruff", "format", "--check", "app", "tests", "installers")),
    Check("lint-imports", (BIN / "lint-imports",)),
    Check("deptry", (BIN / "deptry", "app/intaglio")),
    _npm("eslint", "lint", _UI_SOURCES),
    _npm("prettier", "format"),
)
TYPES = (
    Check("mypy", (BIN / "mypy",)),
    _mypy_on("win32"),
    _mypy_on("darwin"),
    Check(
        "pyright",
        (BIN / "pyright",),
        sources=(
            "app/**/*.py",
            "tests/**/*.py",
            "installers/**/*.py",
            "pyproject.toml",
            "requirements*.txt",
        ),
    ),
    _npm("svelte-check", "check", _UI_SOURCES),
)
UI_TESTS = (_npm("vitest", "test", _UI_SOURCES),)
# Half of the long tests wait for a browser or a daemon, hence two workers more than cores.
PYTEST: tuple[str | Path, ...] = (PYTHON, "-m", "pytest")
TESTS = Check("pytest", (*PYTEST, "-n", str((os.cpu_count() or 2) + 2), "--dist", "worksteal"))


def _verdict(check: Check, status: int, started: float) -> str:
    verdict = "failed" if status else "ok"
    return f"{verdict:<6} {check.name:<13} {time.monotonic() - started:6.1f} s\n"


@asynccontextmanager
async def _running(check: Check, **env: str) -> AsyncGenerator[Process]:
    """Run a check while the block runs, which reads its output; it ends with the block."""
    process = await asyncio.create_subprocess_exec(
        *(str(part) for part in check.command),
        cwd=check.folder,
        env=child_env(**env),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=_LINE_BYTES,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            await _end(process)


async def _end(process: Process) -> None:
    """Terminate a check; kill it if it doesn't end, or if this program is to end at once."""
    process.terminate()
    try:
        async with asyncio.timeout(TERMINATION_S):
            await process.wait()
    except TimeoutError:
        pass
    finally:
        if process.returncode is None:
            process.kill()
    await process.wait()


async def _run_quietly(check: Check, turns: asyncio.Semaphore) -> bool:
    """Run a check that shows its output only if it fails."""
    async with turns:
        started = time.monotonic()
        inputs = check.inputs()
        if inputs and stamp(check.name) == inputs:
            print(_verdict(check, 0, started), end="", flush=True)
            return True
        async with _running(check) as process:
            said, _ = await process.communicate()
        if inputs and not process.returncode:
            set_stamp(check.name, inputs)
    output = said.decode(errors="replace") if process.returncode else ""
    # One write, so that the output of two checks doesn't mix.
    print(_verdict(check, process.returncode or 0, started) + output, end="", flush=True)
    return not process.returncode


async def _run_streamed(check: Check, alone: asyncio.Event) -> bool:
    """Run a check whose output is streamed, but held back until it runs alone."""
    started = time.monotonic()
    held: list[str] = []
    async with _running(check, **({"PY_COLORS": "1"} if sys.stdout.isatty() else {})) as process:
        while process.stdout and (line := await process.stdout.readline()):
            held.append(line.decode(errors="replace"))
            if alone.is_set():
                print("".join(held), end="", flush=True)
                held.clear()
        status = await process.wait()
    await alone.wait()
    print("".join(held) + _verdict(check, status, started), end="", flush=True)
    return not status


async def _run_all(quiet: Sequence[Check], streamed: Check | None) -> list[bool]:
    this = asyncio.current_task()
    if this is not None and os.name != "nt":
        # What is cancelled ends the programs that it waits for.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    alone = asyncio.Event()
    turns = asyncio.Semaphore(_WORKERS_BESIDE_TESTS if streamed else _WORKERS)
    async with asyncio.TaskGroup() as group:
        streamed_task = group.create_task(_run_streamed(streamed, alone)) if streamed else None
        quiet_tasks = [group.create_task(_run_quietly(check, turns)) for check in quiet]
        if quiet_tasks:
            await asyncio.wait(quiet_tasks)
        alone.set()
    return [task.result() for task in (*quiet_tasks, *([streamed_task] if streamed_task else []))]


def run_checks(quiet: Sequence[Check], streamed: Check | None = None) -> int:
    """Run every check even after one has failed; returns the exit status, 1 if any failed.

    The streamed check starts with the others and prints its output last. SIGTERM ends them all.
    """
    checks = [*quiet, *([streamed] if streamed else [])]
    try:
        passed = asyncio.run(_run_all(quiet, streamed))
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
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
