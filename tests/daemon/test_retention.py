"""kill -9 in the midst of a sweep: what was to stay is there, and the next sweep goes on."""

import contextlib
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest

from fakes.daemon import NO_MODEL, Daemon, killed_daemon, running_daemon, write_settings
from fakes.expired_rows import add_memories, count
from fakes.waiting import wait_for

LIVE = 500
SWEEP = "/api/repair/retention-sweep"


def prepare(home: Path, expired: int) -> int:
    """Make a database with tombstones over their time and live memories; return the port."""
    write_settings(home, NO_MODEL)
    with running_daemon(home) as daemon:
        file, port = daemon.paths.database, daemon.port
    add_memories(file, (f"Tombstone {n} lies here." for n in range(expired)), expired=True)
    add_memories(file, (f"Memory {n} is alive." for n in range(LIVE)), expired=False)
    return port


def sweep_until_it_dies(daemon: Daemon) -> None:
    with daemon.client() as client, contextlib.suppress(httpx.TransportError):
        client.post(SWEEP)


def check(file: Path, expired: int) -> int:
    """Hold the rows against each other; return how many tombstones are left."""
    left = count(file, "SELECT count(*) FROM memories WHERE is_deleted = 1")
    assert count(file, "SELECT count(*) FROM memories WHERE is_deleted = 0") == LIVE
    # A tombstone and its digests (source and content) go and come in one transaction.
    assert count(file, "SELECT count(*) FROM forgotten") == 2 * (expired - left)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO memories_fts(memories_fts) VALUES ('integrity-check')")
    return left


def run_rounds(home: Path, rounds: int, expired: int) -> None:
    port, file = prepare(home, expired), home / "agents" / "memory" / "intaglio.db"
    left = expired
    for round_ in range(rounds):
        with killed_daemon(home, port) as daemon:
            sweeping = threading.Thread(target=sweep_until_it_dies, args=(daemon,))
            sweeping.start()
            threading.Event().wait(0.02 + 0.05 * (round_ % 5))
        sweeping.join()
        now = check(file, expired)
        assert now <= left
        left = now
    with running_daemon(home, port) as daemon, daemon.client() as client:
        assert client.post(SWEEP).status_code == 200
        wait_for(
            lambda: not client.get("/api/status").json()["retention"]["running"], "the sweep's end"
        )
        assert check(file, expired) == 0
        assert count(file, "SELECT count(*) FROM memory_history") == 0


@pytest.mark.slow
def test_a_sweep_that_is_killed_three_times_loses_nothing_and_comes_to_its_end(
    tmp_path: Path,
) -> None:
    run_rounds(tmp_path, 3, 4_000)


@pytest.mark.slow
def test_a_sweep_that_is_killed_fifty_times_loses_nothing_and_comes_to_its_end(
    tmp_path: Path,
) -> None:
    run_rounds(tmp_path, 50, 50_000)
