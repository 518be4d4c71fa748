"""The sweep: each step purges what is over its window and nothing else, in order, in batches."""

import dataclasses
from collections.abc import Sequence
from datetime import timedelta

import pytest

from fakes.retention import Broom, removed
from intaglio.base.clock import epoch_ms, iso
from intaglio.base.errors import UnavailableError
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.lifecycle import sweep_rows as record
from intaglio.lifecycle.sweep_values import SweepRefused
from intaglio.memory import history_rows as history
from intaglio.memory.values import Done
from intaglio.package import SweepStep
from intaglio.store.tx import ReadTx, Row, WriteTx

JOB = "INSERT INTO jobs(type, subject, status, created_at, {}) VALUES ('embed', ?, ?, '', ?)"
CALL = (
    "INSERT INTO injections(harness, session_id, event, candidates, injected, tokens, elapsed_ms, "
    "created_at) VALUES ('h', 's', 'prompt', 1, 1, 1, 1, ?)"
)
SESSION = (
    "INSERT INTO sessions(harness, id, agent_id, started_at, last_seen_at, ended_at) "
    "VALUES ('h', ?, 'default', '', ?, ?)"
)

TOMBSTONES = next(step for step in PACKAGES.retention if step.name == "tombstones")


def ago(broom: Broom, days: float) -> str:
    return iso(broom.bench.clock() - timedelta(days=days))


async def test_a_tombstone_stays_for_its_window(broom: Broom) -> None:
    await broom.forgotten("We use tabs.")
    broom.bench.clock.forward(days=30)
    assert removed(await broom.sweep()) == {}


async def test_a_tombstone_goes_after_its_window(broom: Broom) -> None:
    await broom.forgotten("We use tabs.")
    await broom.remember("We use spaces.")
    broom.bench.clock.forward(days=30, milliseconds=1)
    assert removed(await broom.sweep()) == {"tombstones": 1}
    assert await broom.count("memories") == 1
    assert await broom.in_agreement()


async def test_a_memory_recovered_meanwhile_is_not_purged(broom: Broom) -> None:
    memory_id = await broom.forgotten("We use tabs.")
    broom.bench.clock.forward(days=30)
    find, purge = TOMBSTONES.find, TOMBSTONES.purge

    def in_between(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        tx.execute("UPDATE memories SET is_deleted = 0, deleted_at = NULL")
        return purge(tx, keys, before, now)

    broom.steps = (SweepStep("tombstones", lambda _: 1, find, in_between),)
    assert removed(await broom.sweep()) == {}
    assert await broom.rows("SELECT id FROM memories") == [(memory_id,)]


async def leave_vector(broom: Broom) -> None:
    """Give each memory a vector, as if forgetting had not taken it along."""
    await broom.execute(
        "INSERT INTO embedding_models(id, provider, model, hash, dimensions, scale, created_at) "
        "VALUES (1, 'p', 'm', '', 8, 1, '')"
    )
    await broom.execute(
        "INSERT INTO embeddings(memory, model, vector) SELECT seq, 1, x'00' FROM memories"
    )


async def test_a_vector_that_a_tombstone_left_goes_before_it(broom: Broom) -> None:
    await broom.forgotten("We use tabs.")
    await leave_vector(broom)
    broom.bench.clock.forward(days=31)
    assert removed(await broom.sweep()) == {"vectors": 1, "tombstones": 1}


async def test_the_vector_of_a_live_memory_stays(broom: Broom) -> None:
    await broom.forgotten("We use tabs.")
    await broom.remember("We use spaces.")
    await leave_vector(broom)
    broom.bench.clock.forward(days=31)
    assert removed(await broom.sweep()) == {"vectors": 1, "tombstones": 1}
    assert await broom.count("embeddings") == 1


async def test_history_goes_after_its_window(broom: Broom) -> None:
    await broom.remember("We use tabs.")
    broom.bench.clock.forward(days=180)
    await broom.remember("We use spaces.")
    assert removed(await broom.sweep()) == {}
    broom.bench.clock.forward(milliseconds=1)
    assert removed(await broom.sweep()) == {"history": 1}
    assert await broom.count("memories") == 2


async def test_a_memorys_creation_stays_in_its_history(broom: Broom) -> None:
    memory_id = await broom.remember("We use tabs.")
    broom.bench.clock.forward(days=100)
    await broom.execute("UPDATE memories SET content = 'We use spaces.'")
    await broom.execute(
        "INSERT INTO memory_history(id, memory, event, old_content, new_content, changed_by, "
        "created_at) SELECT 'e', seq, 'updated', 'We use tabs.', 'We use spaces.', 't', ? "
        "FROM memories",
        (epoch_ms(iso(broom.bench.clock())),),
    )
    for _ in range(2):
        broom.bench.clock.forward(days=100)
        await broom.sweep()
        told = await broom.bench.db.read(lambda tx: history.history(tx, memory_id, USER, 10))
        assert told is not None
        said = [(event.event, event.new_content) for event in told]
        assert said in ([("updated", "We use spaces.")], [])


async def test_rows_from_the_future_expire(broom: Broom) -> None:
    await broom.remember("We use tabs.")
    await broom.execute("UPDATE memory_history SET created_at = 32472144000000")
    assert removed(await broom.sweep()) == {}
    await broom.remember("We use spaces.")
    broom.bench.clock.forward(days=200)
    assert removed(await broom.sweep()) == {"history": 2}


@pytest.mark.parametrize(
    ("status", "column", "days", "step"),
    [("completed", "completed_at", 14, "completed_jobs"), ("dead", "failed_at", 30, "dead_jobs")],
)
async def test_jobs_that_ended_go_after_their_window(
    broom: Broom, status: str, column: str, days: int, step: str
) -> None:
    sql = JOB.format(column)
    await broom.execute(sql, ("old", status, ago(broom, days + 0.001)))
    await broom.execute(sql, ("fresh", status, ago(broom, days)))
    await broom.execute(sql, ("waiting", "pending", ago(broom, 999)))
    assert removed(await broom.sweep()) == {step: 1}
    assert await broom.rows("SELECT subject FROM jobs ORDER BY id") == [("fresh",), ("waiting",)]


async def test_the_ledger_goes_after_its_window_with_its_memories(broom: Broom) -> None:
    for days in (91, 90):
        await broom.execute(CALL, (ago(broom, days),))
    await broom.execute(
        "INSERT INTO session_memories SELECT seq, 1, 'm', NULL, 'r', 1, 1 FROM injections"
    )
    assert removed(await broom.sweep()) == {"ledger": 1}
    assert await broom.rows("SELECT injection FROM session_memories") == [(2,)]


SENT = CALL.replace("created_at)", "created_at, text)").replace(", ?)", ", ?, 'We use tabs.')")


async def test_the_text_that_was_sent_goes_before_the_rest_of_the_ledger(broom: Broom) -> None:
    for days in (31, 30):
        await broom.execute(SENT, (ago(broom, days),))
    assert removed(await broom.sweep()) == {"sent_texts": 1}
    assert await broom.rows("SELECT text FROM injections") == [(None,), ("We use tabs.",)]


async def test_the_text_that_was_sent_stays_for_ever_without_a_window(broom: Broom) -> None:
    broom.keep(sent_text_days=0, ledger_days=0)
    await broom.execute(SENT, (ago(broom, 36_500),))
    assert removed(await broom.sweep()) == {}
    assert await broom.rows("SELECT text FROM injections") == [("We use tabs.",)]


async def test_silent_sessions_go_whether_they_ended_or_not(broom: Broom) -> None:
    old, fresh = ago(broom, 181), ago(broom, 179)
    for name, seen, ended in (
        ("open", old, None),
        ("ended", old, old),
        ("ended-late", old, fresh),
        ("spoke", fresh, None),
    ):
        await broom.execute(SESSION, (name, seen, ended))
    assert removed(await broom.sweep()) == {"sessions": 2}
    assert await broom.rows("SELECT id FROM sessions") == [("ended-late",), ("spoke",)]


async def test_ratings_go_after_their_window(broom: Broom) -> None:
    for memory, days in (("old", 181), ("fresh", 180)):
        await broom.execute(
            "INSERT INTO feedback VALUES ('s', ?, 'default', 1, ?)", (memory, ago(broom, days))
        )
    assert removed(await broom.sweep()) == {"feedback": 1}


async def test_files_that_were_set_aside_are_asked_for_by_their_window(broom: Broom) -> None:
    await broom.sweep()
    assert broom.aside == [broom.bench.clock() - timedelta(days=90)]


async def test_a_retention_of_zero_keeps_for_ever(broom: Broom) -> None:
    await broom.remember("We use tabs.")
    await broom.execute(CALL, (ago(broom, 0),))
    broom.keep(history_days=0, ledger_days=0, set_aside_days=0)
    broom.bench.clock.forward(days=36_500)
    assert removed(await broom.sweep()) == {}
    assert broom.aside == []


async def test_the_steps_follow_references_between_tables() -> None:
    place = {step.name: number for number, step in enumerate(PACKAGES.retention)}
    assert place["vectors"] < place["tombstones"]
    for of_memories in ("entities", "inbox_of_tombstones", "statements"):
        assert place["tombstones"] < place[of_memories]
    assert place["inbox_of_tombstones"] < place["statements"] < place["sessions"]


async def test_a_step_takes_more_than_one_batch(broom: Broom) -> None:
    broom.keep(batch_limit=10)
    await broom.execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25) "
        "INSERT INTO injections(harness, session_id, event, candidates, injected, tokens, "
        "elapsed_ms, created_at) SELECT 'h', 's', 'prompt', 1, 1, 1, 1, ? FROM n",
        (ago(broom, 91),),
    )
    before = broom.bench.db.generation
    assert removed(await broom.sweep()) == {"ledger": 25}
    # A batch each, the record's beginning and its end.
    assert broom.bench.db.generation - before == 3 + 2


async def test_a_batch_ends_when_its_time_is_over(broom: Broom) -> None:
    ticks = iter(range(10_000))
    broom.seconds = lambda: float(next(ticks))
    for _ in range(45):
        await broom.execute(CALL, (ago(broom, 91),))
    before = broom.bench.db.generation
    assert removed(await broom.sweep()) == {"ledger": 45}
    # Twenty rows at once are the least, so there are three batches.
    assert broom.bench.db.generation - before == 3 + 2


async def test_batches_shorten_while_commits_are_slow_and_grow_again(broom: Broom) -> None:
    retention = broom.retention
    lengths: list[float] = []

    async def noted(_: float) -> None:
        lengths.append(retention.batch_s)

    now = iter(number * 0.03 for number in range(1_000))
    retention.seconds, retention.pause = lambda: next(now), noted
    for _ in range(100):
        await broom.execute(CALL, (ago(broom, 91),))
    await retention.sweep("asked")
    assert lengths[:3] == [0.0015, 0.00075, 0.0005]
    assert lengths[-1] == 0.0005
    retention.seconds = lambda: 0.0
    for _ in range(100):
        await broom.execute(CALL, (ago(broom, 91),))
        await retention.sweep("asked")
    assert lengths[-1] == 0.003


async def test_a_failing_step_is_reported_and_the_others_run(broom: Broom) -> None:
    def fail(_tx: WriteTx, _keys: Sequence[Row], _before: str, _now: str) -> int:
        raise ZeroDivisionError

    others = (step for step in PACKAGES.retention if step is not TOMBSTONES)
    broom.steps = (dataclasses.replace(TOMBSTONES, purge=fail), *others)
    await broom.forgotten("We use tabs.")
    await broom.execute(CALL, (ago(broom, 91),))
    broom.bench.clock.forward(days=31)
    report = await broom.sweep()
    assert report.steps[0].error == "ZeroDivisionError"
    assert removed(report) == {"ledger": 1}


async def test_frozen_writes_stop_the_sweep(broom: Broom) -> None:
    broom.freeze()
    assert isinstance(await broom.retention.sweep("asked"), SweepRefused)
    assert await broom.count("sweeps") == 0


async def test_writes_that_are_frozen_meanwhile_stop_it_too(broom: Broom) -> None:
    def freeze(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
        broom.freeze()
        return list(TOMBSTONES.find(tx, before, now, limit))

    await broom.forgotten("We use tabs.")
    broom.bench.clock.forward(days=31)
    broom.steps = (dataclasses.replace(TOMBSTONES, find=freeze),)
    assert (await broom.sweep()).outcome == "frozen"
    assert await broom.count("memories") == 1


async def test_an_interrupted_sweep_is_resumed(broom: Broom) -> None:
    calls = 0

    def away(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise UnavailableError("the disk is gone")
        return TOMBSTONES.purge(tx, keys, before, now)

    for number in range(3):
        await broom.forgotten(f"Tabs are {number} wide.")
    broom.bench.clock.forward(days=31)
    broom.keep(batch_limit=1)
    broom.steps = (dataclasses.replace(TOMBSTONES, purge=away),)
    assert (await broom.sweep()).outcome == "unavailable"
    assert await broom.count("memories") == 2
    broom.steps = PACKAGES.retention
    assert removed(await broom.sweep()) == {"tombstones": 2}


async def test_the_last_sweep_is_recorded_with_what_it_did(broom: Broom) -> None:
    report = await broom.sweep()
    assert await broom.retention.last() == report


async def test_of_sweeps_the_newest_fifty_are_recorded(broom: Broom) -> None:
    for _ in range(53):
        await broom.bench.db.write(lambda tx: record.begin(tx, "asked", ""))
    assert await broom.count("sweeps") == 50


async def test_a_sweep_is_due_an_interval_after_the_last(broom: Broom) -> None:
    assert broom.retention.due_at(None) is None
    last = await broom.sweep()
    assert broom.retention.due_at(last) == broom.bench.clock() + timedelta(hours=6)


async def test_a_sweep_of_a_wrong_clock_does_not_put_off_the_next(broom: Broom) -> None:
    last = await broom.sweep()
    broom.bench.clock.forward(days=-1)
    assert broom.retention.due_at(last) is None


async def test_an_interrupted_sweep_is_due_at_once(broom: Broom) -> None:
    last = dataclasses.replace(await broom.sweep(), outcome="unavailable")
    assert broom.retention.due_at(last) is None


async def test_a_file_that_is_mostly_empty_shrinks(broom: Broom) -> None:
    ids = [await broom.remember(f"Number {n}: {'long ' * 4_000}") for n in range(60)]
    for memory_id in ids:
        await broom.forget(memory_id)
    broom.keep(history_days=1)
    broom.bench.clock.forward(days=31)
    (pages,) = (await broom.rows("PRAGMA page_count"))[0]
    report = await broom.sweep()
    assert removed(report)["tombstones"] == 60
    assert report.given_back_bytes > 500_000
    (left,) = (await broom.rows("PRAGMA page_count"))[0]
    assert int(str(left)) < int(str(pages)) / 2
    assert await broom.in_agreement()


async def test_purging_again_purges_nothing(broom: Broom) -> None:
    await broom.forgotten("We use tabs.")
    broom.bench.clock.forward(days=31)
    await broom.sweep()
    assert removed(await broom.sweep()) == {}


async def test_within_the_window_a_tombstone_comes_back_after_a_sweep(broom: Broom) -> None:
    memory_id = await broom.forgotten("We use tabs.")
    broom.bench.clock.forward(days=29)
    await broom.sweep()
    assert isinstance(await broom.recover(memory_id), Done)


async def test_nothing_is_purged_after_a_jump_of_the_clock(broom: Broom) -> None:
    await broom.forget(await broom.remember("Forgotten long ago"))
    broom.bench.clock.forward(days=4000)
    broom.suspended = lambda: "The clock jumped."
    assert await broom.retention.sweep("asked") == SweepRefused("The clock jumped.")
    assert (await broom.count("memories"), broom.aside) == (1, [])


async def test_a_jump_of_the_clock_stops_a_sweep(broom: Broom) -> None:
    await broom.forget(await broom.remember("Forgotten long ago"))
    broom.bench.clock.forward(days=4000)
    reasons = iter(["", "The clock jumped."])
    broom.suspended = lambda: next(reasons)
    assert (await broom.sweep()).outcome == "clock_jump"
    assert (await broom.count("memories"), broom.aside) == (1, [])
