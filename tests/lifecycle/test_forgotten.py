"""What was forgotten does not come back by itself, not even when its tombstone is purged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.retention import Broom, removed
from intaglio.memory import retention, retention_rows
from intaglio.memory.operations import Audit
from intaglio.memory.retention import expired_prefix
from intaglio.memory.values import Actor, Forgotten, Scope, Source
from intaglio.pipeline.ingest import Saved

SAID = "From now on we always use tabs."


async def lose(broom: Broom, *, purged: bool) -> None:
    """Capture a sentence, forget it, and perhaps purge its tombstone."""
    kept = await broom.capture(SAID, "message#0")
    assert isinstance(kept, Saved)
    await broom.forget(kept.id)
    if purged:
        broom.bench.clock.forward(days=31)
        assert removed(await broom.sweep()) == {"tombstones": 1}


@pytest.mark.parametrize("purged", [False, True])
async def test_rereading_a_transcript_does_not_restore_a_forgotten_memory(
    broom: Broom, purged: bool
) -> None:
    await lose(broom, purged=purged)
    assert isinstance(await broom.capture(SAID, "message#0"), Forgotten)


@pytest.mark.parametrize("purged", [False, True])
async def test_a_forked_transcript_does_not_restore_a_forgotten_memory(
    broom: Broom, purged: bool
) -> None:
    await lose(broom, purged=purged)
    assert isinstance(await broom.capture(SAID, "copy#0"), Forgotten)


@pytest.mark.parametrize("purged", [False, True])
async def test_a_statement_said_again_is_captured(broom: Broom, purged: bool) -> None:
    await lose(broom, purged=purged)
    broom.bench.clock.forward(minutes=1)
    assert isinstance(await broom.capture(SAID, "later#0", again=True), Saved)


@pytest.mark.parametrize("purged", [False, True])
async def test_a_forgotten_text_can_be_captured_in_another_project(
    broom: Broom, purged: bool
) -> None:
    await lose(broom, purged=purged)
    assert isinstance(await broom.capture(SAID, "copy#0", "/elsewhere"), Saved)


@pytest.mark.parametrize("purged", [False, True])
async def test_a_forgotten_text_can_be_saved_on_request(broom: Broom, purged: bool) -> None:
    await lose(broom, purged=purged)
    assert await broom.remember(SAID)


async def test_a_text_saved_on_request_may_be_captured_again(broom: Broom) -> None:
    await lose(broom, purged=True)
    memory_id = await broom.remember(SAID)
    await broom.execute("DELETE FROM memories WHERE id = ?", (memory_id,))
    assert isinstance(await broom.capture(SAID, "copy#0"), Saved)


async def test_erased_memories_leave_their_hashes(broom: Broom) -> None:
    memory_id = await broom.remember(SAID)
    await broom.bench.db.write(
        lambda tx: retention_rows.store_forgotten_hashes(tx, memory_id, "2027")
    )
    await broom.execute("DELETE FROM memories")
    assert isinstance(await broom.capture(SAID, "copy#0"), Forgotten)


async def test_an_old_tombstone_that_is_purged_does_not_undo_a_later_forgetting(
    broom: Broom,
) -> None:
    await lose(broom, purged=False)
    broom.bench.clock.forward(days=2)
    memory_id = await broom.remember(SAID)
    said_between = broom.bench.clock()
    broom.bench.clock.forward(days=2)
    await broom.bench.remove.erase(memory_id, Audit(Actor("test"), "for good"))
    broom.bench.clock.forward(days=27)
    assert removed(await broom.sweep()) == {"tombstones": 1}
    broom.bench.clock.moment = said_between
    assert isinstance(await broom.capture(SAID, "copy#0", again=True), Forgotten)


async def test_digests_have_a_window_where_one_is_set(broom: Broom) -> None:
    await lose(broom, purged=True)
    broom.keep(forgotten_days=10, history_days=0)
    broom.bench.clock.forward(days=11)
    assert removed(await broom.sweep()) == {"forgotten": 2}
    assert isinstance(await broom.capture(SAID, "copy#0"), Saved)


async def test_no_digest_holds_what_was_forgotten(broom: Broom) -> None:
    await lose(broom, purged=True)
    assert await broom.rows("SELECT DISTINCT length(digest) FROM forgotten") == [(16,)]


@given(st.lists(st.text(max_size=3), min_size=4, max_size=4), st.data())
def test_two_sources_or_scopes_never_share_a_digest(texts: list[str], data: st.DataObject) -> None:
    others = data.draw(st.permutations(texts))
    one, other = Source(texts[0], texts[1]), Source(others[0], others[1])
    assert (retention.source_hash(one) == retention.source_hash(other)) == (one == other)
    here, there = Scope(texts[2], texts[3]), Scope(others[2], others[3])
    same = (here.agent_id, here.project or "") == (there.agent_id, there.project or "")
    assert (retention.scoped_hash(here, b"h") == retention.scoped_hash(there, b"h")) == same


@given(st.lists(st.sampled_from("0123456789")), st.sampled_from("0123456789"))
def test_only_the_old_beginning_of_a_log_is_deleted(moments: list[str], now: str) -> None:
    before = "5"
    gone = expired_prefix(list(enumerate(moments)), before, now)
    assert gone == list(range(len(gone)))
    assert not gone or moments[gone[-1]] < before
    assert all(not before <= moments[number] <= now for number in gone)
