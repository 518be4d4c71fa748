"""kill -9 under load: what was acknowledged is there, nothing is there twice or by half."""

import contextlib
import sqlite3
import threading
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.waiting import wait_for

WRITERS = 4
LIVE_S = 0.6


@dataclass
class Told:
    """What the daemon acknowledged: id by content."""

    kept: dict[str, str] = field(default_factory=dict[str, str])


def write_until_it_dies(daemon: Daemon, writer: int, round_: int, told: Told) -> None:
    with daemon.client() as client:
        for number in range(100_000):
            content = f"Round {round_}, writer {writer}: we decided on number {number}"
            try:
                reply = client.post("/api/memory/remember", json={"content": content})
            except httpx.TransportError:
                return
            if reply.status_code == 200:
                told.kept[content] = reply.json()["id"]


def one_round(home: Path, port: int | None, round_: int, told: Told) -> int:
    """Run, write from several threads at once, kill; return the port."""
    before = len(told.kept)
    # The writers write until it is dead, whatever failed.
    with killed_daemon(home, port) as daemon:
        writers = [
            threading.Thread(target=write_until_it_dies, args=(daemon, number, round_, told))
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        threading.Event().wait(LIVE_S)
        # A round in which nothing was acknowledged would prove nothing, however slow the machine.
        wait_for(lambda: len(told.kept) > before, "an acknowledged write")
    for writer in writers:
        writer.join()
    return daemon.port


def facts(file: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def check(home: Path, port: int | None, told: Told) -> None:
    with running_daemon(home, port) as daemon:
        file = daemon.paths.database
        stored = {
            str(content): str(id_)
            for id_, content in facts(file, "SELECT id, content FROM memories")
        }
        lost = {content for content, id_ in told.kept.items() if stored.get(content) != id_}
        assert not lost
        assert facts(file, "PRAGMA integrity_check") == [("ok",)]
        assert facts(file, "SELECT count(*) FROM memories") == [(len(stored),)]
        # A job that is done leaves no row, but a vector.
        no_job = (
            "SELECT id FROM memories WHERE embedding_model IS NULL "
            "AND id NOT IN (SELECT subject FROM jobs)"
        )
        assert facts(file, no_job) == []
        no_history = (
            "SELECT id FROM memories WHERE seq NOT IN "
            "(SELECT memory FROM memory_history WHERE memory IS NOT NULL)"
        )
        assert facts(file, no_history) == []


def run_rounds(home: Path, rounds: int) -> None:
    told = Told()
    port: int | None = None
    for round_ in range(rounds):
        port = one_round(home, port, round_, told)
    check(home, port, told)


def test_no_acknowledged_write_is_lost_by_two_kills(tmp_path: Path) -> None:
    run_rounds(tmp_path, 2)


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_by_fifty_kills(tmp_path: Path) -> None:
    run_rounds(tmp_path, 50)
