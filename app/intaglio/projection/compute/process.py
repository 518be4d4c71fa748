"""Runs the process that computes layouts: feeds it, follows its progress, ends it."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, assert_never

import msgspec

from intaglio.base.log import get_logger
from intaglio.base.process.own_program import own_command
from intaglio.projection.compute.protocol import (
    LENGTH_BYTES,
    EndMessage,
    LayoutMessage,
    ProgressMessage,
    WorkerMessage,
    frame,
    length_of,
    read_message,
)
from intaglio.projection.compute.values import (
    KEPT_NEIGHBOURS,
    LaidOut,
    LayoutRunError,
    RunFault,
    RunPlan,
)
from intaglio.projection.values import RunPhase

ReportProgress = Callable[[RunPhase, float], None]

_READING_SHARE: Final = 0.05
_END_S: Final = 5.0
_MAX_ERRORS: Final = 16_000
_FLOAT_BYTES: Final = 4
_HEAD_ROOM: Final = 4_096
# What Python, Rust, OpenBLAS and the loader print.
_OUT_OF_MEMORY: Final = (
    b"MemoryError",
    b"memory allocation of",
    b"Memory allocation still failed",
    b"Cannot allocate memory",
    b"can't start new thread",
)
if sys.platform == "win32":
    _APART: Final = subprocess.CREATE_NO_WINDOW
else:
    _APART: Final = 0

_REASONS: Final[Mapping[RunFault, tuple[str, str]]] = {
    "memory": (
        "Computing the map took more memory than it may.",
        "Allow it more in Settings, or open the map of a single project.",
    ),
    "time": (
        "Computing the map took too long.",
        "Try again when the computer is less busy, or open the map of a single project.",
    ),
    "killed": (
        "The process that computes the map was ended from outside.",
        "The computer may be short of memory. Try again.",
    ),
    "broken": (
        "The process that computes the map failed.",
        "Try again. If it happens again, see the daemon's log.",
    ),
}


@dataclass(frozen=True, slots=True)
class WorkerProgram:
    """How the process is started."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)


def worker_program() -> WorkerProgram:
    """Return how the process is started."""
    # Most of a run has one thread anyway. A second one waits for the first, which has the lowest
    # priority: on a busy computer both take longer.
    limits = {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "RAYON_NUM_THREADS": "1",
        # Each pool of the C library reserves address space, which the memory limit counts.
        "MALLOC_ARENA_MAX": "2",
    }
    return WorkerProgram(tuple(own_command("compute-layouts")), dict(os.environ) | limits)


async def run_layouts(
    plan: RunPlan,
    vectors: AsyncIterator[bytes],
    progress: ReportProgress,
    *,
    program: WorkerProgram | None = None,
) -> AsyncGenerator[LaidOut]:
    """Lay vectors out, in the order of ``plan.dimensions``, in a process of its own.

    ``vectors`` yields the rows in chunks of any size. ``progress`` gets the phase and how much of
    the whole run is done. The process ends with the generator: read it within
    ``contextlib.aclosing``, so that it also does when the reader is cancelled. Raises
    LayoutRunError, and whatever ``vectors`` raises.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + plan.timeout_s
    process = await _start(program or worker_program())
    run = _Run(plan, process)
    feeding = asyncio.create_task(run.feed(vectors, progress))
    errors = asyncio.create_task(run.read_errors())
    try:
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    message = await run.receive()
            except TimeoutError:
                raise _failure("time") from None
            match message:
                case ProgressMessage(phase, fraction):
                    progress(phase, _READING_SHARE + (1 - _READING_SHARE) * fraction)
                case LayoutMessage(layout):
                    run.check(layout)
                    yield layout
                case EndMessage():
                    return
                case None:
                    if feeding.done():
                        # What the vectors' source raised is why the process was ended.
                        feeding.result()
                    raise _ended(await _wait(process), await errors)
                case _:
                    assert_never(message)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await _wait(process)
        feeding.cancel()
        errors.cancel()
        await asyncio.gather(feeding, errors, return_exceptions=True)
        await run.close_input()


@dataclass(slots=True)
class _Run:
    """A run's plan and its process."""

    plan: RunPlan
    process: asyncio.subprocess.Process

    async def feed(self, vectors: AsyncIterator[bytes], progress: ReportProgress) -> None:
        """Write the plan and the vectors; ends the process if their source fails."""
        stdin = self.process.stdin
        assert stdin is not None  # noqa: S101 - it is a pipe
        expected, written = self.plan.points * self.plan.vector_dimensions, 0
        try:
            # A process that ended tells why by itself.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                stdin.write(frame(self.plan))
                await stdin.drain()
                progress("reading", 0.0)
                async for chunk in vectors:
                    written += len(chunk)
                    stdin.write(chunk)
                    await stdin.drain()
                    progress("reading", _READING_SHARE * written / max(expected, 1))
                self._check_size(written)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            raise

    def _check_size(self, written: int) -> None:
        expected = self.plan.points * self.plan.vector_dimensions
        if written != expected:
            raise _failure("broken", f"{written} bytes of vectors instead of {expected}")

    async def receive(self) -> WorkerMessage | None:
        """Return the next message; None at the output's end."""
        stdout = self.process.stdout
        assert stdout is not None  # noqa: S101 - it is a pipe
        try:
            length = length_of(await stdout.readexactly(LENGTH_BYTES))
            if length > self._longest():
                raise _failure("broken", f"a message of {length} bytes")
            return read_message(await stdout.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionResetError):
            return None
        except msgspec.MsgspecError as error:
            raise _failure("broken", str(error)) from None

    def _longest(self) -> int:
        dimensions = max(self.plan.dimensions, default=0)
        return self.plan.points * (dimensions + KEPT_NEIGHBOURS) * _FLOAT_BYTES + _HEAD_ROOM

    def check(self, layout: LaidOut) -> None:
        """Raise LayoutRunError if a layout isn't of the plan's size."""
        sizes = len(layout.coordinates), len(layout.neighbours)
        points = self.plan.points * _FLOAT_BYTES
        if sizes[0] != points * layout.dimensions or sizes[1] not in {0, points * KEPT_NEIGHBOURS}:
            raise _failure("broken", f"{sizes} bytes of a layout")

    async def close_input(self) -> None:
        """Close the process's input, and take what Python says of one that broke."""
        stdin = self.process.stdin
        assert stdin is not None  # noqa: S101 - it is a pipe
        stdin.close()
        with contextlib.suppress(TimeoutError, BrokenPipeError, ConnectionResetError):
            async with asyncio.timeout(_END_S):
                await stdin.wait_closed()

    async def read_errors(self) -> bytes:
        """Return the end of what the process writes beside its messages."""
        stderr = self.process.stderr
        assert stderr is not None  # noqa: S101 - it is a pipe
        found = b""
        while chunk := await stderr.read(_MAX_ERRORS):
            found = (found + chunk)[-_MAX_ERRORS:]
        return found


async def _start(program: WorkerProgram) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *program.arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=Path(sys.prefix),
            env=dict(program.environment),
            creationflags=_APART,
            # Ctrl+C in the daemon's terminal is for the daemon, which ends the run itself.
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        raise _failure("broken", str(error)) from None


async def _wait(process: asyncio.subprocess.Process) -> int | None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END_S):
            return await process.wait()
    return None


def _ended(code: int | None, errors: bytes) -> LayoutRunError:
    """Say why a process ended without a word."""
    detail = f"exit code {code}: {errors.decode(errors='replace').strip()}"
    if any(each in errors for each in _OUT_OF_MEMORY):
        return _failure("memory", detail)
    killed = sys.platform != "win32" and code in {-signal.SIGKILL, -signal.SIGTERM}
    return _failure("killed" if killed else "broken", detail)


def _failure(fault: RunFault, detail: str = "") -> LayoutRunError:
    if detail:
        get_logger("projection").warning("the run failed", fault=fault, detail=detail)
    reason, hint = _REASONS[fault]
    return LayoutRunError(fault, reason, hint=hint)
