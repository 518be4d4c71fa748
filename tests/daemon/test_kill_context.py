"""kill -9 amid embedding in context, under changes and questions: all contexts are right again."""

import random
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final

import httpx
import numpy as np

from daemon.test_embedding import complete, facts, wait_until
from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.waiting import wait_for

WORDS: Final = ("kettle", "lantern", "meadow", "granite", "harbour", "invoice")
TURNS: Final = (
    "SELECT m.seq, m.content, m.session_id, m.agent_id, m.project, m.visibility, e.previous, "
    "e.vector FROM memories m LEFT JOIN embeddings e ON e.memory = m.seq "
    "WHERE m.is_deleted = 0 ORDER BY m.seq"
)


@dataclass
class Churn:
    """Threads that talk, change and ask until the daemon dies, and the statuses they got."""

    daemon: Daemon
    statuses: set[int] = field(default_factory=set[int])
    done: list[str] = field(default_factory=list[str])

    def run(self, number: int) -> None:
        dice, ids = random.Random(number), list[str]()  # noqa: S311 - a repeatable roll, no secret
        with self.daemon.client() as client:
            while True:
                try:
                    reply = self._step(client, dice, ids, number)
                except httpx.TransportError:
                    return
                self.statuses.add(reply.status_code)
                self.done.append("")

    def _step(
        self, client: httpx.Client, dice: random.Random, ids: list[str], number: int
    ) -> httpx.Response:
        text = f"{' '.join(dice.sample(WORDS, 4))} {number} {len(self.done)}"
        chosen = dice.choice(ids) if ids else ""
        body: dict[str, str | int | bool | None]
        match dice.randrange(8) if ids else 0:
            case 0 | 1 | 2:
                body = {"content": text, "sessionId": f"s{number % 2}"}
                reply = client.post("/api/memory/remember", json=body)
                ids.append(reply.json()["id"])
                return reply
            case 3:
                body = {"content": text, "reason": "x"}
            case 4:
                body = {"project": dice.choice(("/a", "/b", None)), "reason": "x"}
            case 5:
                ids.remove(chosen)
                return client.delete(f"/api/memory/{chosen}", params={"reason": "x"})
            case _:
                body = {"query": dice.choice(WORDS), "min_score": 0, "explain": True}
                return client.post("/api/memory/recall", json=body)
        return client.patch(f"/api/memory/{chosen}", json=body)


def turns(file: Path) -> list[tuple[object, ...]]:
    return facts(file, TURNS)


def links(rows: list[tuple[object, ...]]) -> list[object]:
    """Say for each memory, by what the test knows, which one was said right before it."""
    last = dict[tuple[object, ...], object]()
    found = list[object]()
    for seq, _, *place, _, _ in rows:
        found.append(last.get(tuple(place)))
        last[tuple(place)] = seq
    return found


def vectors(rows: list[tuple[object, ...]]) -> np.ndarray:
    levels = np.array([np.frombuffer(row[-1], np.int8) for row in rows], np.float32)  # type: ignore[call-overload]  # a BLOB
    return levels / np.linalg.norm(levels, axis=1, keepdims=True)  # type: ignore[no-any-return]


def test_after_a_kill_each_vector_is_as_if_made_now(tmp_path: Path) -> None:
    with killed_daemon(tmp_path / "a") as daemon, daemon.client() as client:
        churn = Churn(daemon)
        threads = [threading.Thread(target=churn.run, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        wait_until(client, lambda seen: seen["embedded"] > 20)
        wait_for(lambda: len(churn.done) > 200, "changes")
    for thread in threads:
        thread.join()
    assert not [status for status in churn.statuses if status >= HTTPStatus.INTERNAL_SERVER_ERROR]
    with running_daemon(tmp_path / "a", daemon.port) as daemon, daemon.client() as client:
        wait_until(client, complete)
        rows = turns(daemon.paths.database)
        assert [row[-2] for row in rows] == links(rows)
        assert facts(daemon.paths.database, "SELECT count(*) FROM embeddings") == [(len(rows),)]
    # The same talk in a new store.
    with running_daemon(tmp_path / "b") as daemon, daemon.client() as client:
        for _, content, session, _, project, *_ in rows:
            body = {"content": content, "sessionId": session, "project": project}
            client.post("/api/memory/remember", json=body).raise_for_status()
        wait_until(client, complete)
        again = turns(daemon.paths.database)
    assert [row[1] for row in again] == [row[1] for row in rows]
    cosines = np.einsum("ij,ij->i", vectors(rows), vectors(again))
    assert float(cosines.min()) > 0.99
