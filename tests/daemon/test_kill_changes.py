"""kill -9 amid changes: what was acknowledged holds, and rows, words, vectors, history agree."""

import contextlib
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import apsw
import httpx
import pytest

from daemon.test_kill import facts
from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.store.tx import run

WRITERS: Final = 4
OWN: Final = 12
AGREE: Final = {
    "two live ones with one content": (
        "SELECT content_hash FROM memories WHERE is_deleted = 0 GROUP BY 1 HAVING count(*) > 1"
    ),
    "a live one with neither vector nor job": (
        "SELECT id FROM memories WHERE is_deleted = 0 AND embedding_model IS NULL "
        "AND id NOT IN (SELECT subject FROM jobs)"
    ),
    "a version that its history does not count": (
        "SELECT m.id FROM memories m WHERE m.version != "
        "(SELECT count(*) FROM memory_history h WHERE h.memory = m.seq)"
    ),
    "a memory without its first day": (
        "SELECT id FROM memories WHERE seq NOT IN "
        "(SELECT memory FROM memory_history WHERE event = 'created' AND memory IS NOT NULL)"
    ),
    "an unused vector": (
        "SELECT e.id FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE "
        "m.is_deleted = 0 AND m.seq = e.memory)"
    ),
}


@dataclass
class Held:
    """One memory as its only writer knows it; ``asked`` is what has had no answer yet."""

    id: str
    content: str
    state: str = "live"
    version: int = 1
    asked: tuple[str, str] | None = None


@dataclass
class Writer:
    """Changes its own memories, one request at a time, until the daemon dies."""

    number: int
    chance: random.Random
    held: list[Held] = field(default_factory=list[Held])
    changes: int = 0
    texts: int = 0

    def text(self) -> str:
        """Return words that nobody wrote before."""
        self.texts += 1
        return f"Writer {self.number} decided on number {self.texts} of the drawer"

    def run(self, daemon: Daemon) -> None:
        """Work until the connection breaks."""
        with daemon.client() as client, contextlib.suppress(httpx.TransportError):
            while True:
                self.step(client)

    def step(self, client: httpx.Client) -> None:
        """Do one thing, of those that can be done."""
        there = [each for each in self.held if each.state != "erased"]
        if len(there) < OWN:
            content = self.text()
            reply = client.post("/api/memory/remember", json={"content": content})
            assert reply.status_code == 200, reply.text
            self.held.append(Held(reply.json()["id"], content))
            return
        chosen = self.chance.choice(there)
        if chosen.state == "forgotten":
            self.settle(chosen, "live", chosen.content, self.recover(client, chosen))
        elif self.chance.random() < 0.3:
            self.modify_many(client)
        else:
            verb = self.chance.choice((self.modify, self.modify, self.forget, self.erase))
            verb(client, chosen)

    def settle(self, one: Held, state: str, content: str, reply: httpx.Response) -> None:
        """Take an acknowledged change over."""
        assert reply.status_code == 200, reply.text
        one.state, one.content, one.asked = state, content, None
        one.version = reply.json()["newVersion"]
        self.changes += 1

    def recover(self, client: httpx.Client, one: Held) -> httpx.Response:
        one.asked = ("live", one.content)
        return client.post(f"/api/memory/{one.id}/recover", json={"reason": "back"})

    def modify(self, client: httpx.Client, one: Held) -> None:
        content = self.text()
        one.asked = ("live", content)
        body = {"content": content, "reason": "new"}
        self.settle(one, "live", content, client.patch(f"/api/memory/{one.id}", json=body))

    def forget(self, client: httpx.Client, one: Held) -> None:
        one.asked = ("forgotten", one.content)
        body = {"reason": "old"}
        reply = client.request("DELETE", f"/api/memory/{one.id}", json=body)
        self.settle(one, "forgotten", one.content, reply)

    def erase(self, client: httpx.Client, one: Held) -> None:
        one.asked = ("erased", one.content)
        body = {"reason": "never", "force": True}
        reply = client.request("DELETE", f"/api/memory/{one.id}", json=body)
        assert reply.status_code == 200, reply.text
        one.state, one.asked = "erased", None
        self.changes += 1

    def modify_many(self, client: httpx.Client) -> None:
        live = [each for each in self.held if each.state == "live"]
        for one in live:
            one.asked = ("live", self.text())
        patches = [{"id": each.id, "content": each.asked[1]} for each in live if each.asked]
        if not patches:
            return
        reply = client.post("/api/memory/modify", json={"patches": patches, "reason": "all"})
        assert reply.status_code == 200, reply.text
        for one, result, patch in zip(live, reply.json()["results"], patches, strict=True):
            assert result["status"] == "updated", result
            one.content, one.version, one.asked = patch["content"], result["newVersion"], None
            self.changes += 1


def stored(file: Path) -> dict[str, tuple[str, str, int]]:
    """Return state, content and version of every row."""
    rows = facts(file, "SELECT id, is_deleted, content, version FROM memories")
    return {
        str(id_): ("forgotten" if gone else "live", str(content), int(str(version)))
        for id_, gone, content, version in rows
    }


def compare(one: Held, row: tuple[str, str, int] | None) -> None:
    """Hold a memory against its row; what had no answer may have been done, whole, or not."""
    state, content, version = row or ("erased", one.content, one.version)
    assert (state, content) in {(one.state, one.content), one.asked or (one.state, one.content)}
    if row is not None:
        changed = (state, content) != (one.state, one.content)
        assert version == one.version + int(changed)
    one.state, one.content, one.version, one.asked = state, content, version, None


def check(file: Path, writers: list[Writer]) -> None:
    """Hold what the writers know, and the tables among themselves."""
    rows = stored(file)
    for writer in writers:
        for one in writer.held:
            compare(one, rows.get(one.id))
    for fault, sql in AGREE.items():
        assert facts(file, sql) == [], fault
    assert facts(file, "PRAGMA integrity_check") == [("ok",)]
    # Python's own SQLite may be too old for an index whose words are erased for good.
    with contextlib.closing(apsw.Connection(str(file))) as connection:
        connection.set_busy_timeout(int(PATIENCE_S * 1_000))  # the daemon makes vectors meanwhile
        run(
            connection, "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
        )


def wait_for_changes(writers: Sequence[Writer]) -> None:
    """Wait until something was changed in this round too; a loaded machine takes its time."""
    before = sum(each.changes for each in writers)
    wait_for(lambda: sum(each.changes for each in writers) > before + 1, "two changes")


def run_rounds(home: Path, rounds: int) -> None:
    """Start, change from several threads, kill at a random point; look after each restart."""
    chance = random.Random(rounds)  # noqa: S311 - the same points every time
    writers = [Writer(number, random.Random(number)) for number in range(WRITERS)]  # noqa: S311 - see above
    port: int | None = None
    for _ in range(rounds):
        with killed_daemon(home, port) as daemon:
            port = daemon.port
            threads = [threading.Thread(target=each.run, args=(daemon,)) for each in writers]
            check(daemon.paths.database, writers)
            for thread in threads:
                thread.start()
            wait_for_changes(writers)
            threading.Event().wait(chance.random() * 0.9)
        for thread in threads:
            thread.join()
    with running_daemon(home, port) as daemon:
        check(daemon.paths.database, writers)
        assert daemon.stop() == 0
    assert sum(each.changes for each in writers) > rounds


@pytest.mark.slow
def test_acknowledged_changes_outlive_a_kill(tmp_path: Path) -> None:
    run_rounds(tmp_path, 1)


@pytest.mark.slow
def test_acknowledged_changes_outlive_fifty_kills(tmp_path: Path) -> None:
    run_rounds(tmp_path, 50)
