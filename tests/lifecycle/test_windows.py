"""Whatever is in the database and whatever the windows: only what is over its time goes."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.plain_store import plain_store
from intaglio.base.clock import epoch_ms, iso, iso_of_ms
from intaglio.daemon.packages import PACKAGES
from intaglio.store.tx import WriteTx

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
MEMORY = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, source_type, created_at, updated_at, updated_by, is_deleted, "
    "deleted_at) VALUES (?, ?, randomblob(32), 'fact', 0.8, 1, ?, 'w', 'default', 'global', 's', "
    "'2000', '2000', '', ?, ?)"
)
CHANGE = (
    "INSERT INTO memory_history(id, memory_id, event, changed_by, created_at) "
    "VALUES ('', ?, 'updated', 'w', ?)"
)
JOB = (
    "INSERT INTO jobs(type, subject, status, created_at, completed_at, failed_at) "
    "VALUES ('embed', ?, ?, '2000', ?, ?)"
)
TABLES = ("memories", "memory_history", "jobs")

# Days since a memory was forgotten, None for a live one; days since a change; a job and its age.
ages = st.floats(-5, 100)
tombstones = st.lists(st.tuples(st.none() | ages, st.booleans()), max_size=8)
changes = st.lists(ages, max_size=8)
jobs = st.lists(
    st.tuples(st.sampled_from(["pending", "leased", "completed", "dead"]), ages), max_size=8
)
windows = st.integers(1, 90)


def ago(days: float) -> str:
    return iso(NOW - timedelta(days=days))


@pytest.fixture
def store(tmp_path: Path) -> object:
    with plain_store(tmp_path) as tx:
        yield tx


def fill(
    tx: WriteTx,
    memories: list[tuple[float | None, bool]],
    old: list[float],
    queue: list[tuple[str, float]],
) -> None:
    for table in TABLES:
        tx.execute(f"DELETE FROM {table}")  # noqa: S608 - a constant
    for number, (days, pinned) in enumerate(memories):
        at = None if days is None else ago(days)
        name = f"m{number}"
        tx.execute(MEMORY, (name, f"about {name}", int(pinned), int(at is not None), at))
    for days in old:
        tx.execute(CHANGE, ("m0", epoch_ms(ago(days))))
    for number, (status, days) in enumerate(queue):
        tx.execute(JOB, (f"m{number}", status, ago(days), ago(days)))


def purge(tx: WriteTx, days: int) -> None:
    before, now = ago(days), iso(NOW)
    for step in PACKAGES.retention:
        while step.purge(tx, step.find(tx, before, now, 3), before, now):
            pass


@given(tombstones, changes, jobs, windows)
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    max_examples=60,
)
def test_only_expired_rows_are_deleted(
    store: WriteTx,
    memories: list[tuple[float | None, bool]],
    old: list[float],
    queue: list[tuple[str, float]],
    days: int,
) -> None:
    fill(store, memories, old, queue)
    purge(store, days)
    kept = {str(row[0]) for row in store.all("SELECT id FROM memories")}
    expired = {
        f"m{number}"
        for number, (age, _) in enumerate(memories)
        if age is not None and ago(age) < ago(days)
    }
    assert kept == {f"m{number}" for number in range(len(memories))} - expired
    ended = {
        f"m{number}"
        for number, (status, age) in enumerate(queue)
        if status in ("completed", "dead") and ago(age) < ago(days)
    }
    waiting = {str(row[0]) for row in store.all("SELECT subject FROM jobs")}
    assert waiting == {f"m{number}" for number in range(len(queue))} - ended
    kept_at = store.column(int, "SELECT created_at FROM memory_history ORDER BY seq")
    left = [iso_of_ms(at) for at in kept_at]
    written = [ago(age) for age in old]
    assert left == written[len(written) - len(left) :]
    assert {at for at in written if ago(days) <= at <= iso(NOW)} <= set(left)


@given(tombstones, windows)
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    max_examples=30,
)
def test_index_and_rows_agree_after_a_purge(
    store: WriteTx, memories: list[tuple[float | None, bool]], days: int
) -> None:
    fill(store, memories, [], [])
    purge(store, days)
    store.execute("INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)")
    found = store.count("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'about'")
    assert found == sum(1 for age, _ in memories if age is None)
