"""Where the checkout's things lie, how child programs are started, and what a step prints."""

import hashlib
import json
import os
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

# A shell that has another environment active, or paths of its own, must not reach the children.
# Nor that Python shall compile all its modules at each start: the tests start it hundreds of times.
_FOREIGN = (
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "NODE_ENV",
    "NODE_PATH",
)

Command = Sequence[str | Path]


class StepFailed(Exception):  # noqa: N818 - it reads as what happened: a step failed
    """A step could not be done; the message is what the user reads."""


def own_env() -> dict[str, str]:
    """Copy the environment without what another environment left."""
    return {name: value for name, value in os.environ.items() if name not in _FOREIGN}


def child_env(**extra: str) -> dict[str, str]:
    """Copy the environment without what another environment left; ours comes first on PATH."""
    env = own_env()
    env["PATH"] = os.pathsep.join([str(BIN), env.get("PATH", os.defpath)])
    env["UV_PYTHON_DOWNLOADS"] = "never"
    # uv and npm bring certificates of their own; whom this machine trusts, they trust too.
    for name in ("UV_SYSTEM_CERTS", "NODE_USE_SYSTEM_CA"):
        env.setdefault(name, "1")
    # The type checkers and the dashboard's tests make many short-lived objects. In the 16 MB that
    # Node has for those, a fifth of their time goes into garbage collection.
    env.setdefault("NODE_OPTIONS", "--max-semi-space-size=64")
    return env | extra


def run(
    command: Command,
    *,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    timeout_s: float | None = None,
) -> None:
    """Run a program to its end, quietly; raises StepFailed with its last lines of output.

    A program that takes longer than ``timeout_s`` is ended, and the step has failed.
    """
    line = [str(part) for part in command]
    try:
        done = subprocess.run(
            line,
            cwd=cwd,
            env=env or child_env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=timeout_s,
        )
    except OSError as error:
        raise StepFailed(f"{line[0]} cannot be started: {error}") from error
    except subprocess.TimeoutExpired as late:
        raise StepFailed(f"{' '.join(line)} took more than {timeout_s:.0f} s") from late
    if done.returncode:
        tail = done.stdout.decode(errors="replace").splitlines()[-40:]
        raise StepFailed("\n".join([f"{' '.join(line)} ended with {done.returncode}", *tail]))


def answer(command: Command) -> str | None:
    """Return what a program prints, or None when it is missing or fails."""
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


def become(command: Command, env: dict[str, str] | None = None) -> int:
    """Run a program in this one's place: it gets the terminal and the signals.

    Returns its exit status where the platform cannot replace a process.
    """
    line = [str(part) for part in command]
    env = env or child_env()
    sys.stdout.flush()
    if os.name != "nt":
        os.execve(line[0], line, env)  # noqa: S606 - a fixed program without a shell
    return subprocess.run(line, env=env, check=False).returncode


@contextmanager
def step(name: str) -> Generator[None]:
    """Print one line around a step: its name and, at the end, its duration."""
    print(f"{name} ...", end=" ", flush=True)
    start = time.monotonic()
    try:
        yield
    except BaseException:
        print(f"failed after {time.monotonic() - start:.1f} s", flush=True)
        raise
    print(f"{time.monotonic() - start:.1f} s", flush=True)


def digest(files: Iterable[Path], *words: str) -> str:
    """Hash the names and contents of files, and some words, in a fixed order."""
    total = hashlib.sha256(repr(words).encode())
    for file in sorted(files):
        total.update(f"{file}\0".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def stamp(name: str) -> str:
    """Return the digest of a step's inputs when it was last done, or nothing."""
    try:
        return str(json.loads((WORK / "stamps" / name).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return ""


def set_stamp(name: str, value: str) -> None:
    """Note that a step is done; an empty value forgets it, so that a broken-off step is redone."""
    file = WORK / "stamps" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")
