"""A daemon with memories and a connected agent, on a disk of its own that can fill up."""

import contextlib
import json
import shutil
import sqlite3
import struct
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import httpx

from bench.corpus import Corpus
from bench.home import fill
from bench.hook_caller import Caller, wait_until_embedded, wait_until_idle
from bench.prefilled_home import database_of
from fakes.daemon import Daemon, run_command, running_daemon

HARNESS: Final = "claude-code"
_MEMORIES: Final = 400
_DISK: Final = "4G"
_WITHIN_S: Final = 120.0
_INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


@dataclass(slots=True, kw_only=True)
class Scene:
    """The running daemon; ``clocks`` holds how far its clocks are shifted."""

    home: Path
    daemon: Daemon
    clocks: Path

    @property
    def file(self) -> Path:
        """The database."""
        return database_of(self.home)

    @property
    def settings(self) -> Path:
        """The settings of the connected agent."""
        return self.home / ".claude" / "settings.json"

    def get(self, path: str) -> dict[str, Any]:
        """Answer a GET as the user's browser would see it."""
        with self.daemon.client() as client:
            return cast("dict[str, Any]", client.get(path, headers=self.daemon.owner).json())

    def post(self, path: str, body: Mapping[str, object] | None = None) -> httpx.Response:
        """Post as the user."""
        with self.daemon.client() as client:
            return client.post(path, json=body or {}, headers=self.daemon.owner)

    def run(self, *args: str) -> str:
        """Run `intaglio` beside the daemon."""
        done = run_command(*args, env=self.daemon.env, folder=self.home, fresh=True)
        return f"{done.stdout}{done.stderr}".strip()

    def sql(self, *statements: str) -> None:
        """Change the database as another program would."""
        with closing(sqlite3.connect(self.file, timeout=10)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def hook(self, event: str, session: str, **more: object) -> None:
        """Run the agent's own hook, with this process as the agent."""
        hook = json.loads(self.settings.read_text())["hooks"][event][0]["hooks"][0]
        said = {"hook_event_name": event, "session_id": session, "cwd": str(self.home), **more}
        subprocess.run(
            [hook["command"], *hook["args"]],
            input=json.dumps(said).encode(),
            env=dict(self.daemon.env),
            check=True,
            capture_output=True,
        )

    def start_tools(self) -> None:
        """Start the agent's tools as it would, and have them answer once."""
        servers = json.loads((self.home / ".claude.json").read_text())["mcpServers"]
        server = servers["intaglio"]
        with subprocess.Popen(
            [server["command"], *server["args"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(self.daemon.env),
        ) as program:
            program.communicate(json.dumps(_INITIALIZE).encode() + b"\n")

    def memories(self) -> frozenset[tuple[str, str]]:
        """Return id and text of each live memory, from the file."""
        select = "SELECT id, content FROM memories WHERE is_deleted = 0"
        with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as connection:
            return frozenset(connection.execute(select))

    def shift_clocks(self, wall_s: int, timer_s: int) -> None:
        """Shift the wall clock, and the timer that goes on while the machine sleeps."""
        with self.clocks.open("r+b") as file:
            file.write(struct.pack("qq", wall_s, timer_s))

    def issues(self) -> list[dict[str, Any]]:
        """Return the issues that Health shows now; none while the daemon doesn't answer."""
        with contextlib.suppress(httpx.HTTPError, KeyError, json.JSONDecodeError):
            return cast("list[dict[str, Any]]", self.get("/api/health")["issues"])
        return []

    def is_well(self) -> bool:
        """Whether Health says that nothing needs a person."""
        return bool(self.get("/api/health")["isWell"])

    def wait_for_issue(self, names: Sequence[str], seconds: float) -> dict[str, Any] | None:
        """Return the first issue whose id begins with one of the names, None if there is none."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for issue in self.issues():
                if issue["id"].startswith(tuple(names)):
                    return issue
            time.sleep(0.5)
        return None

    def wait_until_gone(self, names: Sequence[str], seconds: float = _WITHIN_S) -> float | None:
        """Return after how many seconds no such issue is left, None if one stays."""
        begun = time.monotonic()
        while time.monotonic() < begun + seconds:
            with contextlib.suppress(httpx.HTTPError, KeyError, json.JSONDecodeError):
                found = self.get("/api/health")["issues"]
                if not any(issue["id"].startswith(tuple(names)) for issue in found):
                    return time.monotonic() - begun
            time.sleep(0.5)
        return None


@contextmanager
def disk_of_its_own() -> Generator[Path]:
    """Mount a sparse file as a disk, so that it can be full or read-only; needs root."""
    folder = Path(tempfile.mkdtemp(prefix="intaglio-faults-"))
    image, place = folder / "disk.img", folder / "disk"
    place.mkdir()
    _call("truncate", "-s", _DISK, str(image))
    _call("mkfs.ext4", "-q", "-F", str(image))
    _call("mount", "-o", "loop", str(image), str(place))
    try:
        yield place
    finally:
        _call("umount", "-l", str(place))
        shutil.rmtree(folder, ignore_errors=True)


def _call(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def set_immutable(folder: Path, *, is_immutable: bool) -> None:
    """Let nobody, not even root, change a folder and its files, or again.

    But for files that are written through memory: the system then kills who has them open.
    """
    files = [file for file in folder.iterdir() if file.is_file() and file.suffix != ".db-shm"]
    _call("chattr", "+i" if is_immutable else "-i", *map(str, (folder, *files)))


def shifted_clock(folder: Path) -> Path:
    """Compile the library that shifts clocks."""
    library = folder / "shifted_clock.so"
    source = Path(__file__).with_name("shifted_clock.c")
    _call("gcc", "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl")
    return library


def fill_home(home: Path) -> None:
    """Store memories with vectors, and connect an agent."""
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    with running_daemon(home, fresh=True) as daemon:
        fill(daemon, Corpus().memories(_MEMORIES))
        caller = Caller(daemon.port)
        wait_until_idle(caller)
        wait_until_embedded(caller)
        done = run_command("connect", HARNESS, "--yes", env=daemon.env, folder=home, fresh=True)
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)


@contextmanager
def running_scene(home: Path, library: Path) -> Generator[Scene]:
    """Start the daemon with clocks that can be shifted."""
    clocks = home / "clocks"
    clocks.write_bytes(bytes(16))
    with running_daemon(
        home, fresh=True, LD_PRELOAD=str(library), SHIFT_FILE=str(clocks)
    ) as daemon:
        yield Scene(home=home, daemon=daemon, clocks=clocks)
