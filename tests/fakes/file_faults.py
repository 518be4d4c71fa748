"""Rounds of writes to a real daemon whose files are replaced, removed or overwritten meanwhile.

After each round every acknowledged write has to be in the database or in a copy that was saved
aside, and in the second case the daemon has to say that it is degraded.
"""

import contextlib
import itertools
import os
import random
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

import httpx

from fakes.daemon import Daemon
from fakes.waiting import wait_for

Timing: TypeAlias = Literal["running", "stopped", "then killed", "killed first"]
"""The daemon when it happens: writing, halted by SIGSTOP, killed right after it, or before it."""

_SIDE_FILES: Final = ("", "-wal", "-shm")
_WRITERS: Final = 3
# Enough for several checkpoints, before and after the fault.
_WRITES: Final = 60
_WRITES_BEFORE: Final = (_WRITERS, 100)
_AWAY_S: Final = 0.3


@dataclass(frozen=True, slots=True)
class FileFault:
    """What another program does to the files; ``older`` is a copy from the round's start.

    ``is_lasting`` is False for what may have passed before the daemon looks. ``writes`` is the most
    that each writer writes; ``needs_new_log`` makes the log of the round hold all of them.
    """

    name: str
    do: Callable[[Path, Path], None]
    is_lasting: bool = True
    writes: int = _WRITES
    needs_new_log: bool = False


def _replace(file: Path, older: Path) -> None:
    part = file.with_name("new")
    shutil.copyfile(older, part)
    part.replace(file)


def _replace_by_itself(file: Path, _: Path) -> None:
    if file.exists():
        _replace(file, file)


def _remove(file: Path, _: Path) -> None:
    file.unlink()


def _remove_all(file: Path, _: Path) -> None:
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()


def _move(source: Path, target: Path) -> None:
    for suffix in _SIDE_FILES:
        with contextlib.suppress(FileNotFoundError):
            source.with_name(source.name + suffix).replace(target.with_name(target.name + suffix))


def _stash(file: Path, _: Path) -> None:
    _move(file, file.with_name("stash.db"))


def _stash_and_return(file: Path, _: Path) -> None:
    away = file.with_name("stash.db")
    _move(file, away)
    time.sleep(_AWAY_S)
    _move(away, file)


def _remove_log(file: Path, _: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        file.with_name(f"{file.name}-wal").unlink()


def _overwrite(file: Path, older: Path) -> None:
    shutil.copyfile(older, file)


FAULTS: Final = (
    FileFault("replaced by an older copy", _replace),
    FileFault("replaced by its own bytes", _replace_by_itself),
    FileFault("removed", _remove),
    FileFault("removed with all files beside it", _remove_all),
    FileFault("stashed", _stash),
    FileFault("stashed and returned", _stash_and_return, is_lasting=False),
    FileFault("log removed", _remove_log),
    # What was checkpointed before is gone with a file's content; its log has the rest.
    FileFault("overwritten in place", _overwrite, writes=12, needs_new_log=True),
)
TIMINGS: Final[tuple[Timing, ...]] = ("running", "stopped", "then killed", "killed first")


def drawn_rounds(count: int, seed: int) -> list[tuple[FileFault, Timing]]:
    """Draw rounds: each fault comes before one comes again, and so does each of its timings."""
    draw = random.Random(seed)  # noqa: S311 - a repeatable order, no secret
    orders = {fault.name: draw.sample(TIMINGS, len(TIMINGS)) for fault in FAULTS}
    rounds = list[tuple[FileFault, Timing]]()
    for turn in itertools.count():
        for fault in draw.sample(FAULTS, len(FAULTS)):
            rounds.append((fault, orders[fault.name][turn % len(TIMINGS)]))
            if len(rounds) == count:
                return rounds
    raise AssertionError


def contents(file: Path) -> set[str]:
    """Return the contents of the memories in a database; none if it is no such file."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            return {str(row[0]) for row in connection.execute("SELECT content FROM memories")}
    except sqlite3.Error:
        return set()


@dataclass(slots=True)
class FaultRounds:
    """One home, whose daemon ``start`` starts without waiting for it; ``told`` is acknowledged."""

    start: Callable[[], Daemon]
    told: set[str] = field(default_factory=set[str])
    wrong: list[str] = field(default_factory=list[str])
    saved_aside: int = 0
    _number: int = 0

    def run(self, rounds: Sequence[tuple[FileFault, Timing]]) -> None:
        """Make the rounds; what went wrong is in ``wrong``."""
        daemon = self._started("ready")
        for fault, timing in rounds:
            daemon = self._round(daemon, fault, timing)
        daemon.stop()

    def _started(self, *states: str) -> Daemon:
        daemon = self.start()
        with daemon.client() as client:
            wait_for(lambda: _health(client)["state"] in states, f"a daemon that is {states}")
        return daemon

    def _round(self, daemon: Daemon, fault: FileFault, timing: Timing) -> Daemon:
        self._number += 1
        if fault.needs_new_log:
            daemon.stop()
            daemon = self._started("ready")
        file = daemon.paths.database
        older = daemon.paths.workspace / "older.db"
        _copy(file, older)
        before = len(self.told)
        writers = [
            threading.Thread(
                target=self._write, args=(daemon, f"{self._number}.{number}", fault.writes)
            )
            for number in range(_WRITERS)
        ]
        first = min(_WRITES_BEFORE[self._number % 2], fault.writes)
        for writer in writers:
            writer.start()
        wait_for(lambda: len(self.told) >= before + first, "acknowledged writes")
        daemon = self._strike(daemon, fault, timing, older)
        for writer in writers:
            writer.join()
        self._check(daemon, f"{fault.name}, {timing}")
        return self._mended(daemon, f"{fault.name}, {timing}")

    def _strike(self, daemon: Daemon, fault: FileFault, timing: Timing, older: Path) -> Daemon:
        file, process = daemon.paths.database, daemon.process
        match timing:
            case "stopped":
                process.send_signal(signal.SIGSTOP)
                fault.do(file, older)
                process.send_signal(signal.SIGCONT)
            case "killed first":
                daemon.kill()
                fault.do(file, older)
            case "running" | "then killed":
                fault.do(file, older)
        if timing == "then killed":
            daemon.kill()
        if timing in {"then killed", "killed first"}:
            return self._started("ready", "degraded")
        if fault.is_lasting:
            with daemon.client() as client:
                wait_for(lambda: "aved" in _health(client)["reason"], "a copy that was saved")
        return daemon

    def _write(self, daemon: Daemon, writer: str, most: int) -> None:
        with daemon.client() as client:
            for number in range(most):
                content = f"Writer {writer} decided on number {number} of the round."
                try:
                    reply = client.post("/api/memory/remember", json={"content": content})
                except httpx.TransportError:
                    return
                if reply.is_success:
                    self.told.add(content)

    def _check(self, daemon: Daemon, name: str) -> None:
        with daemon.client() as client:
            is_degraded = _health(client)["state"] == "degraded"
            written = client.post("/api/memory/remember", json={"content": f"After: {name}"})
            # Files that came back may be used again between the two.
            is_still_degraded = _health(client)["state"] == "degraded"
        if is_still_degraded == is_degraded == written.is_success:
            self.wrong.append(f"{name}: a write is answered by {written.status_code}")
        missing = self.told - contents(daemon.paths.database)
        for copy in daemon.paths.backups.glob("rescued-*.db"):
            missing -= contents(copy)
        if missing:
            self.wrong.append(f"{name}: {len(missing)} acknowledged writes are lost")
        elsewhere = self.told - contents(daemon.paths.database)
        self.saved_aside += bool(elsewhere)
        if elsewhere and not is_degraded:
            self.wrong.append(f"{name}: {len(elsewhere)} are in a copy only, and it says ready")

    def _mended(self, daemon: Daemon, name: str) -> Daemon:
        with daemon.client(headers=daemon.owner) as client:
            if _health(client)["state"] == "degraded":
                client.post("/api/backups/restore", json={}).raise_for_status()
            again = client.post("/api/memory/remember", json={"content": f"Mended: {name}"})
        missing = self.told - contents(daemon.paths.database)
        if missing or not again.is_success:
            self.wrong.append(f"{name}: {len(missing)} are missing after the restore")
        # The next round needs no more than the last copies.
        for old in sorted(daemon.paths.backups.glob("rescued-*"))[:-4]:
            old.unlink()
        for suffix in _SIDE_FILES:
            daemon.paths.memory.joinpath(f"stash.db{suffix}").unlink(missing_ok=True)
        return daemon


def _health(client: httpx.Client) -> dict[str, str]:
    try:
        return dict(client.get("/health").json())
    except httpx.TransportError:
        return {"state": "", "reason": ""}


def _copy(file: Path, target: Path) -> None:
    """Copy the database as a backup program does: in one piece, with what its log has."""
    target.unlink(missing_ok=True)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.close(descriptor)
    with (
        contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as source,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
