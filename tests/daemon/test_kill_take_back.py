"""kill -9 amid taking a source back, and amid undoing that: both are completed afterwards."""

import threading
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from daemon.test_kill import facts
from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.waiting import wait_for

SOURCE: Final = {"kind": "tool", "id": "notes-sync"}
PATH: Final = "/api/sources/take-back"
LIST: Final = "/api/sources/taken-back"
MEMORIES: Final = 1_500
KILLS: Final = 4


def fill(daemon: Daemon) -> None:
    with daemon.client() as client:
        for number in range(MEMORIES):
            body = {
                "content": f"The port of service {number} is {number}.",
                "sourceType": SOURCE["id"],
            }
            assert client.post("/api/memory/remember", json=body).status_code == 200


def count(daemon: Daemon, condition: str) -> int:
    found = facts(daemon.paths.database, f"SELECT count(*) FROM memories WHERE {condition}")  # noqa: S608 - a test's own words
    return int(str(found[0][0]))


def removals(client: httpx.Client, daemon: Daemon) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(LIST, headers=daemon.owner).json()["removals"]
    return found


def interrupt(daemon: Daemon, path: str, body: dict[str, Any], done: str, most: int) -> None:
    """Ask for something, and return amid it: once more than ``most`` memories are dealt with."""

    def ask() -> None:
        with daemon.client() as client:
            try:
                client.post(path, json=body, headers=daemon.owner)
            except httpx.TransportError:
                return

    threading.Thread(target=ask, daemon=True).start()
    wait_for(lambda: count(daemon, done) > most, "a part of it")


def kill_until_done(home: Path, port: int, done: str) -> None:
    """Kill daemons that go on with it, and have the last one complete it."""
    for number in range(1, KILLS):
        with killed_daemon(home, port) as daemon:
            enough = MEMORIES * number // KILLS
            wait_for(lambda: count(daemon, done) > enough, "a further part")  # noqa: B023 - at once
    with running_daemon(home, port) as daemon, daemon.client() as client:
        wait_for(lambda: not removals(client, daemon)[0]["running"], "its completion")
        assert count(daemon, done) == MEMORIES


@pytest.mark.slow
def test_a_removal_and_its_undo_survive_being_killed(tmp_path: Path) -> None:
    gone, back = "is_deleted = 1", "is_deleted = 0"
    with killed_daemon(tmp_path) as daemon:
        fill(daemon)
        with daemon.client() as client:
            shown = client.post(PATH, json={"source": SOURCE}, headers=daemon.owner).json()
        body = {"source": SOURCE, "mode": "execute", "confirmToken": shown["confirmToken"]}
        interrupt(daemon, PATH, body, gone, MEMORIES // 10)
    kill_until_done(tmp_path, daemon.port, gone)
    with killed_daemon(tmp_path, daemon.port) as daemon:
        with daemon.client() as client:
            (removal,) = removals(client, daemon)
        assert removal["forgotten"] == MEMORIES
        interrupt(daemon, f"{LIST}/{removal['id']}/undo", {}, back, MEMORIES // 10)
    kill_until_done(tmp_path, daemon.port, back)
    (record,) = facts(daemon.paths.database, "SELECT state FROM source_removals")
    assert record == ("undone",)
