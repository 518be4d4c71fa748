"""The clone's folders, running child programs, and the printed steps."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
WORK = ROOT / ".work"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

# Another active environment must not affect the children. Nor must PYTHONDONTWRITEBYTECODE: the
# tests start Python hundreds of times.
_FOREIGN = (
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NODE_ENV",
    "NODE_PATH",
)

# For a program that is asked to end; npm hands the request on to what it runs.
TERMINATION_S = 10

Command = Sequence[str | Path]


class StepFailed(Exception):  # noqa: N818 - the name says what happened
    """A step failed; the message is for the user."""


def own_env() -> dict[str, str]:
    """Return the environment variables without those of another Python or Node environment."""
    return {name: value for name, value in os.environ.items() if name not in _FOREIGN}


def child_env(**extra: str) -> dict[str, str]:
    """Return the environment variables for child programs, with our programs first on PATH."""
    env = own_env()
    env["PATH"] = os.pathsep.join([str(BIN), env.get("PATH", os.defpath)])
    env["UV_PYTHON_DOWNLOADS"] = "never"
    # uv and npm have their own certificates; make them trust this machine's too.
    for name in ("UV_SYSTEM_CERTS", "NODE_USE_SYSTEM_CA"):
        env.setdefault(name, "1")
    # The type checkers and the dashboard's tests create many short-lived objects. With Node's
    # default of 16 MB they spend a fifth of their time on garbage collection.
    env.setdefault("NODE_OPTIONS", "--max-semi-space-size=64")
    return env | extra


@contextmanager
def _held_signals() -> Generator[None]:
    """Hold back the signals that would end this program; they take effect when the block ends."""
    held: list[int] = []
    former = [
        (number, signal.signal(number, lambda sent, _: held.append(sent)))
        for number in (signal.SIGINT, signal.SIGTERM)
    ]
    try:
        yield
    finally:
        for number, handler in former:
            signal.signal(number, handler)
        for sent in held:
            signal.raise_signal(sent)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.terminate()
        process.wait(TERMINATION_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def run(
    command: Command,
    *,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    timeout_s: float | None = None,
) -> None:
    """Run a program without showing its output; raises StepFailed with the last lines of it.

    A program that takes longer than ``timeout_s`` is ended and counts as failed. Only the main
    thread may call this. Whatever ends the call also ends the program.
    """
    line = [str(part) for part in command]
    started: list[subprocess.Popen[bytes]] = []
    try:
        # A signal in the middle of this would leave a program that nobody knows of.
        with _held_signals():
            process = subprocess.Popen(
                line,
                cwd=cwd,
                env=env or child_env(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            started.append(process)
        output, _ = process.communicate(timeout=timeout_s)
    except OSError as error:
        raise StepFailed(f"{line[0]} can't be started: {error}") from error
    except subprocess.TimeoutExpired as late:
        raise StepFailed(f"{' '.join(line)} took more than {timeout_s:.0f} s") from late
    finally:
        for each in started:
            _end(each)
    if process.returncode:
        tail = output.decode(errors="replace").splitlines()[-40:]
        raise StepFailed(
            "\n".join([f"{' '.join(line)} exited with status {process.returncode}", *tail])
        )


def output_of(command: Command) -> str | None:
    """Return a program's output, None if it is missing or fails."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            env=child_env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def replace_process(command: Command, env: dict[str, str] | None = None) -> int:
    """Replace this process with a program, which gets the terminal and the signals.

    Returns its exit status where the platform can't replace a process.
    """
    line = [str(part) for part in command]
    env = env or child_env()
    sys.stdout.flush()
    if os.name != "nt":
        os.execve(line[0], line, env)  # noqa: S606 - a fixed program without a shell
    return subprocess.run(line, env=env, check=False).returncode


@contextmanager
def step(name: str) -> Generator[None]:
    """Print one line for a step: its name and, at the end, its duration."""
    print(f"{name} ...", end=" ", flush=True)
    start = time.monotonic()
    try:
        yield
    except BaseException:
        print(f"failed after {time.monotonic() - start:.1f} s", flush=True)
        raise
    print(f"{time.monotonic() - start:.1f} s", flush=True)


def digest(files: Iterable[Path], *words: str) -> str:
    """Hash some words and the names and contents of files, independent of the files' order."""
    total = hashlib.sha256(repr(words).encode())
    for file in sorted(files):
        total.update(f"{file}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def stamp(name: str) -> str:
    """Return the digest of a step's inputs when it last ran, or an empty text."""
    try:
        return str(json.loads((WORK / "stamps" / name).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return ""


def set_stamp(name: str, value: str) -> None:
    """Record that a step is done; an empty value removes the record before the step runs."""
    file = WORK / "stamps" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")
