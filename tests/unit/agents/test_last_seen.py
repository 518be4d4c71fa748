"""Agents that are heard of are noted without a write each time, and within bounds."""

from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.plain_store import plain_store
from fakes.store import MovableClock
from intaglio.agents import last_seen, operations, rows
from intaglio.agents.last_seen import LastSeen
from intaglio.store.tx import WriteTx


@pytest.fixture
def tx(tmp_path: Path) -> Generator[WriteTx]:
    with plain_store(tmp_path) as opened:
        yield opened


def test_an_agents_activity_is_written_once_a_minute(tx: WriteTx) -> None:
    clock = MovableClock()
    heard, writes = LastSeen(clock), 0
    for _ in range(600):
        clock.forward(seconds=1)
        heard.record("ann")
        taken = heard.drain()
        writes += bool(taken)
        last_seen.write(tx, taken)
    assert writes == 10
    agent = rows.get(tx, "ann")
    assert agent is not None
    assert (agent.source, agent.read_policy) == ("seen", "shared")
    assert agent.last_seen_at is not None
    assert agent.created_at < agent.last_seen_at


def test_activity_that_could_not_be_written_is_retried() -> None:
    heard = LastSeen(MovableClock())
    heard.record("ann")
    taken = heard.drain()
    assert heard.drain() == {}
    heard.requeue(taken)
    assert heard.drain() == taken


def test_endless_new_names_stay_bounded(tx: WriteTx, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_SEEN", 20)
    heard = LastSeen(MovableClock())
    for number in range(3_000):
        heard.record(f"made up {number}")
    taken = heard.drain()
    assert len(taken) == 1_000
    last_seen.write(tx, taken)
    assert rows.count_seen(tx) == 20


def test_an_archived_agent_that_asks_stays_archived(tx: WriteTx) -> None:
    clock = MovableClock()
    heard = LastSeen(clock)
    heard.record("ann")
    last_seen.write(tx, heard.drain())
    operations.archive(tx, "ann", "2026-02-01T00:00:00.000Z")
    clock.forward(minutes=2)
    heard.record("ann")
    last_seen.write(tx, heard.drain())
    agent = rows.get(tx, "ann")
    assert agent is not None
    assert agent.is_archived
