"""Backups, the folder's Git rules, special files, the clock, read-only folders, huge tags."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import httpx

from bench.attack.arena import Arena, end, stored
from bench.attack.probe import Broke, Held, Outcome, Probe, Skipped, judge
from fakes.daemon import start_daemon
from fakes.store import MovableClock
from fakes.waiting import wait_for
from intaglio.store.backup import make_backup, rotate

_EXIT_S = 30.0
_STALLED_S = 0.2
_CANNOT_MOUNT = 77
_MEMORIES = 5


def _refused_by_name(arena: Arena, file: Path, make: Callable[[Path], None]) -> str:
    """Start a daemon with something else in place of a file; return what was wrong, or nothing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    make(file)
    daemon = arena.start(until=None)
    try:
        daemon.process.wait(_EXIT_S)
    except subprocess.TimeoutExpired:
        daemon.kill()
        return f"{file.name}: it hangs"
    finally:
        file.rmdir() if file.is_dir() else file.unlink()
    return "" if str(file) in daemon.said else f"{file.name}: it isn't named"


def _link_to_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def special_settings(arena: Arena) -> Outcome:
    """Put a pipe, a device and a folder where the settings are."""
    if not hasattr(os, "mkfifo"):
        return Skipped("no named pipes here")
    makers = (os.mkfifo, _link_to_device, os.mkdir)
    wrong = [_refused_by_name(arena, arena.paths.settings, make) for make in makers]
    return judge([each for each in wrong if each], len(makers), "refused by name")


def special_database(arena: Arena) -> Outcome:
    """Put a pipe where the database and its side files are."""
    if not hasattr(os, "mkfifo"):
        return Skipped("no named pipes here")
    arena.start().stop()
    arena.paths.database.unlink()
    names = ("", "-wal", "-shm", ".open")
    files = [arena.paths.database.with_name(f"intaglio.db{suffix}") for suffix in names]
    wrong = [_refused_by_name(arena, file, os.mkfifo) for file in files]
    return judge([each for each in wrong if each], len(files), "refused by name")


def stashed_files(arena: Arena) -> Outcome:
    """Run `git stash -u` and `git clean` in the workspace, twice, while the daemon writes."""
    if shutil.which("git") is None:
        return Skipped("no Git here")
    daemon = arena.start()
    workspace = arena.paths.workspace

    def git(*words: str) -> None:
        name = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *name, *words], cwd=workspace, check=True, capture_output=True)

    git("init", "-q")
    git("add", "agent.yaml")
    git("commit", "-q", "-m", "first")
    contents: list[str] = []
    with daemon.client() as client:
        for command in (("stash", "-u"), ("clean", "-fd")) * 2:
            (arena.paths.memory / "2026-01-31.md").write_text("A summary.")
            content = f"We decided before {len(contents)}."
            client.post("/api/memory/remember", json={"content": content}).raise_for_status()
            contents.append(content)
            git(*command)
    daemon.stop()
    kept = stored(arena.paths.database) if arena.paths.database.exists() else set[str]()
    return judge([content for content in contents if content not in kept], len(contents))


def _stalls(path: str, body: bytes) -> Callable[[Arena], Outcome]:
    """Send a large body, and ask for /health meanwhile."""

    def attack(arena: Arena) -> Outcome:
        daemon = arena.shared()
        longest = 0.0
        with daemon.client() as client, daemon.client() as other:
            sender = threading.Thread(target=lambda: client.post(path, content=body))
            sender.start()
            while sender.is_alive():
                began = time.monotonic()
                other.get("/health")
                longest = max(longest, time.monotonic() - began)
            sender.join()
        if longest > _STALLED_S:
            return Broke("/health waited for more than a fifth of a second")
        return Held("/health answers at once")

    return attack


_TAGS = json.dumps(
    {"content": "We decided on many tags.", "tags": [f"t{number}" for number in range(90_000)]}
).encode()
_PATCHES = json.dumps({"patches": [{"id": "a"}] * 70_000, "reason": "many"}).encode()
_VALUES = b'{"patches": [' + b",".join([b"{}"] * 300_000) + b"]}"


def poisoned_index(arena: Arena) -> Outcome:
    """Store words above 32,768 bytes, damage the index, start again, and ask."""
    daemon = arena.start()
    words = ("xя" * 20_000, "語" * 20_000, "𐐀" * 10_000)
    with daemon.client() as client:
        for word in words:
            for place in ("Lisbon", "Porto"):
                body = {"content": f"Zebras of {place} {word}"}
                client.post("/api/memory/remember", json=body).raise_for_status()
    daemon.stop()
    wrong: list[str] = []
    damages = ("", "UPDATE memories_fts_data SET block = x'ff'", "DELETE FROM memories_fts_config")
    for damage in damages:
        with contextlib.closing(sqlite3.connect(arena.paths.database)) as connection, connection:
            connection.execute(damage)
        daemon = arena.start()
        with daemon.client() as client:
            reply = client.post("/api/memory/recall", json={"query": "zebras", "limit": 20})
            found = len(reply.json()["results"]) if reply.is_success else 0
        daemon.stop()
        if found != 2 * len(words):
            wrong.append(f"after {damage or 'long words'}: {found} found")
    return judge(wrong, len(damages), "found, and rebuilt")


def clock_jump(arena: Arena) -> Outcome:
    """Start ten years after the last run: nothing may be purged before it is confirmed."""
    daemon = arena.start()
    daemon.stop()
    mark = arena.paths.clock_mark
    mark.write_text('{"trusted": "2016-01-31T08:00:00.000Z"}')
    daemon = arena.start()
    with daemon.client() as client:
        asked = client.post("/api/repair/retention-sweep", headers=daemon.owner).text
        shown = client.get("/api/status").json()["clock"]
        client.post("/api/clock/confirm", headers=daemon.owner)
        after = client.get("/api/status").json()["clock"]
    if "jumped" not in asked or shown is None:
        return Broke("a sweep would delete what looks expired")
    return (
        Held("no sweep until it is confirmed") if after is None else Broke("it can't be confirmed")
    )


def emptied_store(arena: Arena) -> Outcome:
    """Empty the store and make ten backups that keep one: the good one has to stay."""
    daemon = arena.start()
    with daemon.client() as client:
        for number in range(_MEMORIES):
            body = {"content": f"We decided on number {number}."}
            client.post("/api/memory/remember", json=body).raise_for_status()
    daemon.stop()
    paths, now = arena.paths, datetime(2026, 1, 31, 8, tzinfo=UTC)
    good = make_backup(paths.database, paths.backups, lambda: now)
    paths.database.unlink()
    shutil.copy(good.file, paths.database)
    with contextlib.closing(sqlite3.connect(paths.database)) as connection, connection:
        connection.execute("DELETE FROM memories")
    clock = MovableClock(now)
    for _ in range(10):
        clock.forward(days=1)
        make_backup(paths.database, paths.backups, clock)
        rotate(paths.backups, 1, clock)
    return Held("the good one stays", 10) if good.file.exists() else Broke("it was deleted", 10)


def stopped_while_starting(arena: Arena) -> Outcome:
    """Send SIGTERM at ten moments of a start: it ends within seconds, with status 0."""
    wrong: list[str] = []
    for tenths in range(10):
        daemon = arena.start(until=None)
        time.sleep(0.15 + tenths / 10)
        daemon.process.terminate()
        try:
            status = daemon.process.wait(_EXIT_S)
        except subprocess.TimeoutExpired:
            daemon.kill()
            status = None
        if status != 0 or "Traceback" in daemon.said or arena.paths.lock.exists():
            wrong.append(f"it left with {status}")
    return judge(wrong, 10, "it ends in order")


# Mounts the workspace on itself, read-only, where only the daemon sees it.
_SEALED = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
folder = os.environ["INTAGLIO_WORKSPACE"].encode()
if (
    libc.unshare(0x20000)
    or libc.mount(b"none", b"/", None, 16384 | 1 << 18, None)
    or libc.mount(folder, folder, None, 4096, None)
    or libc.mount(folder, folder, None, 4096 | 32 | 1, None)
):
    sys.exit(77)
from intaglio.daemon.main import run
sys.exit(run())
"""


def read_only_mount(arena: Arena) -> Outcome:
    """Start on a read-only mount: what is stored is read, and a write is refused."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return Skipped("only root mounts")
    daemon = arena.start()
    content = "We decided to read on."
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": content}).raise_for_status()
    daemon.stop()
    program = arena.home / "sealed.py"
    program.write_text(_SEALED)
    sealed = start_daemon(arena.home, daemon.port, program)
    arena.at_end(lambda: end(sealed))
    try:
        sealed.wait_until("degraded", _EXIT_S)
    except AssertionError:
        if sealed.process.poll() == _CANNOT_MOUNT:
            return Skipped("mounting isn't allowed here")
        return Broke("the daemon doesn't start")
    with sealed.client() as client:
        rows = client.get("/api/memories").json()["memories"]
        refused = client.post("/api/memory/remember", json={"content": "No."}).status_code
    wrong = ["the memories can't be read"] if [row["content"] for row in rows] != [content] else []
    if refused != int(httpx.codes.SERVICE_UNAVAILABLE):
        wrong.append("a write isn't refused")
    return judge(wrong, 2, "read, and writes refused")


# Puts the workspace on a disk of 8 MB, where only the daemon sees it.
_SMALL = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
folder = os.environ["INTAGLIO_WORKSPACE"].encode()
if (
    libc.unshare(0x20000)
    or libc.mount(b"none", b"/", None, 16384 | 1 << 18, None)
    or libc.mount(b"none", folder, b"tmpfs", 0, b"size=8m")
):
    sys.exit(77)
from intaglio.daemon.main import run
sys.exit(run())
"""


def full_disk(arena: Arena) -> Outcome:
    """Fill the disk: nothing more is acknowledged, that is told, and space ends it."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return Skipped("only root mounts")
    program = arena.home / "small.py"
    program.write_text(_SMALL)
    arena.paths.workspace.mkdir(parents=True, exist_ok=True)
    daemon = start_daemon(arena.home, None, program)
    arena.at_end(lambda: end(daemon))
    try:
        daemon.wait_until("ready", _EXIT_S)
    except AssertionError:
        if daemon.process.poll() == _CANNOT_MOUNT:
            return Skipped("mounting isn't allowed here")
        return Broke("the daemon doesn't start")
    filler = Path(f"/proc/{daemon.process.pid}/root{arena.paths.workspace}") / "filler"
    acknowledged: set[str] = set()
    with daemon.client() as client:
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as stream:
            while True:
                stream.write(b"x" * 4_096)

        def is_refused() -> bool:
            content = f"We decided on {len(acknowledged)}. {'x' * 2_000}"
            reply = client.post("/api/memory/remember", json={"content": content})
            if reply.is_success:
                acknowledged.add(content)
            return not reply.is_success

        wait_for(is_refused, "a write that is refused")
        daemon.wait_until("degraded", _EXIT_S)
        issues = client.get("/api/status").json()["issues"]
        rows = client.get("/api/memories", params={"limit": 1_000}).json()["memories"]
        lost = acknowledged - {row["content"] for row in rows}
        filler.unlink()
        daemon.wait_until("ready", _EXIT_S)
        goes_on = not is_refused()
    wrong = ["an acknowledged memory is gone"] if lost else []
    if [issue["title"] for issue in issues][:1] != ["Nothing can be saved"]:
        wrong.append("it isn't told")
    if not goes_on:
        wrong.append("it doesn't continue")
    return judge(wrong, 3, "told, and it continues by itself")


PROBES: tuple[Probe, ...] = (
    Probe("index", "words above 32,768 bytes, and a damaged index", poisoned_index),
    Probe("upkeep", "backups of an emptied store", emptied_store),
    Probe("upkeep", "SIGTERM while the daemon starts", stopped_while_starting),
    Probe("upkeep", "a pipe, a device or a folder as settings", special_settings),
    Probe("upkeep", "a pipe as database or side file", special_database),
    Probe("upkeep", "git stash -u and git clean in the workspace", stashed_files),
    Probe("upkeep", "90,000 tags in one request", _stalls("/api/memory/remember", _TAGS)),
    Probe("upkeep", "70,000 patches in one request", _stalls("/api/memory/modify", _PATCHES)),
    Probe("upkeep", "300,000 values in one request", _stalls("/api/memory/modify", _VALUES)),
    Probe("upkeep", "a clock that jumps by ten years", clock_jump),
    Probe("upkeep", "a workspace on a read-only mount", read_only_mount),
    Probe("upkeep", "a full disk", full_disk),
)
