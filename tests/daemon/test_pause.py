"""A pause outlives the daemon: stopped or killed inside it, nothing said meanwhile comes in."""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, Daemon, killed_daemon, running_daemon, write_settings
from fakes.waiting import wait_for


class Talk:
    """One session of Claude Code in a home: its transcript, and the hooks that tell of it."""

    def __init__(self, home: Path) -> None:
        self.file = home / ".claude" / "projects" / "-p" / "s.jsonl"
        self.file.parent.mkdir(parents=True)
        self.spool = home / "state" / "spool"
        self.number = 0

    def say(self, what: str) -> str:
        self.number += 1
        text = f"We decided to use {what}."
        # A transcript counts milliseconds: what is said in the pause's last one belongs to it.
        time.sleep(0.002)
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record = {
            "type": "user",
            "uuid": f"m{self.number}",
            "sessionId": "s",
            "timestamp": now,
            "cwd": str(self.file.parent),
            "message": {"role": "user", "content": text},
        }
        with self.file.open("a") as stream:
            stream.write(json.dumps(record) + "\n")
        return text

    def tell(self, daemon: Daemon, event: str) -> None:
        body = {"hook_event_name": event, "session_id": "s", "transcript_path": str(self.file)}
        with daemon.client() as client:
            reply = client.post("/api/hooks/claude-code", json=body)
        assert reply.status_code == 200, reply.text

    def leave(self, daemon: Daemon, event: str) -> None:
        """Do what the hook does while the daemon is away."""
        spool = daemon.paths.spool
        spool.mkdir(parents=True, exist_ok=True)
        entry = {
            "harness": "claude-code",
            "event": event,
            "session": "s",
            "transcript_path": str(self.file),
            "time": time.time(),
        }
        (spool / f"{time.time_ns():020d}-1.json").write_text(json.dumps(entry))


def pause(daemon: Daemon) -> None:
    with daemon.client() as client:
        reply = client.post("/api/capture/pause", json={"minutes": 60}, headers=daemon.owner)
    assert reply.json()["paused"] is True


def resume(daemon: Daemon) -> None:
    with daemon.client() as client:
        client.post("/api/capture/resume", headers=daemon.owner).raise_for_status()


def contents(daemon: Daemon) -> list[str]:
    with daemon.client() as client:
        listed = client.get("/api/memories").json()["memories"]
    return sorted(memory["content"] for memory in listed)


def rows(daemon: Daemon, sql: str) -> list[tuple[object, ...]]:
    file = f"file:{daemon.paths.database}?mode=ro"
    with contextlib.closing(sqlite3.connect(file, uri=True)) as connection:
        return connection.execute(sql).fetchall()


Ended = Callable[[Path, int], contextlib.AbstractContextManager[Daemon]]


@pytest.mark.parametrize(
    "life",
    [pytest.param(running_daemon, marks=pytest.mark.slow), killed_daemon],
    ids=["stopped", "killed"],
)
def test_a_pause_survives_a_restart(tmp_path: Path, life: Ended) -> None:
    write_settings(tmp_path, NO_MODEL)
    talk = Talk(tmp_path)
    with running_daemon(tmp_path) as first:
        port = first.port
        before = talk.say("Postgres for the ledger")
        talk.tell(first, "Stop")
        assert contents(first) == [before]
    with life(tmp_path, port) as second:
        pause(second)
        talk.say("Redis")
        talk.tell(second, "Stop")
    talk.say("Kafka")
    talk.leave(first, "Stop")
    with running_daemon(tmp_path, port) as third:
        with third.client() as client:
            assert client.get("/api/status").json()["capture"]["paused"] is True
        talk.say("Mongo")
        talk.tell(third, "SessionEnd")
        assert contents(third) == [before]
        assert len(list(third.paths.spool.glob("*.json"))) == 1
        resume(third)
        after = talk.say("SQLite in the mobile app")
        talk.tell(third, "Stop")
        assert contents(third) == sorted([before, after])
    with running_daemon(tmp_path, port) as fourth:
        until_empty(fourth)
        assert contents(fourth) == sorted([before, after])
        [(position, ended)] = rows(fourth, "SELECT transcript_position, ended_at FROM sessions")
        assert (position, ended) == (str(talk.file.stat().st_size), None)


def until_empty(daemon: Daemon) -> None:
    wait_for(lambda: not list(daemon.paths.spool.glob("*.json")), "an empty spool")


def test_recalls_during_a_pause_are_not_counted(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon:
        pause(daemon)
        with daemon.client() as client:
            client.post("/api/memory/remember", json={"content": "Invoices are in Postgres"})
            found = client.post("/api/memory/recall", json={"query": "Postgres invoices"}).json()
            assert len(found["results"]) == 1
    assert rows(daemon, "SELECT access_count FROM memories") == [(0,)]
