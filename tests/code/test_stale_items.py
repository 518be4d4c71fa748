"""Inbox items about memories whose code is gone or changed."""

import pytest

from fakes.code_bench import CodeBench
from fakes.sessions import House, session
from intaglio.code.stale_items import MOST_A_WEEK, STALE
from intaglio.domain.reader import USER
from intaglio.inbox import rows
from intaglio.inbox.kinds import InboxKinds
from intaglio.inbox.values import InboxItem, ItemFilter
from intaglio.lifecycle.decisions.inbox_decisions import Decided, DecisionRefused, InboxDecisions
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, forget
from intaglio.memory.values import Actor, Memory
from intaglio.store.tx import ReadTx

GONE = "admin/views.py: show_admin is for staff only"
AUDIT = Audit(Actor("ann"))


async def items(code: CodeBench) -> list[InboxItem]:
    """Return all items about stale memories, newest first."""

    def read(tx: ReadTx) -> list[InboxItem]:
        opened = rows.page(tx, ItemFilter(status="open", kind="stale"), 50, None)
        done = rows.page(tx, ItemFilter(status="done", kind="stale"), 50, None)
        return [*opened.items, *done.items]

    return await code.bench.db.read(read)


def decisions(code: CodeBench) -> InboxDecisions:
    return InboxDecisions(code.bench.db, code.bench.context, lambda: False, InboxKinds([STALE]))


async def memory(code: CodeBench, memory_id: str) -> Memory:
    found = await code.bench.db.read(lambda tx: memories.get(tx, memory_id))
    assert found is not None
    return found


async def gone(code: CodeBench) -> None:
    (code.root / "admin/views.py").unlink()
    await code.follow()


async def test_only_what_is_pinned_or_was_told_with_a_mark_is_asked_about(code: CodeBench) -> None:
    told = await code.remember(GONE, "decision")
    pinned = await code.remember("admin/views.py is reviewed by Ann", pinned=True)
    await gone(code)
    assert [each.memory_id for each in await items(code)] == [pinned]
    house = House(code.bench)
    await house.start(session("s1", project=code.project))
    await code.follow()
    assert {each.memory_id for each in await items(code)} == {pinned, told}


async def test_the_item_says_what_is_gone(code: CodeBench) -> None:
    await code.remember(GONE, pinned=True)
    await gone(code)
    (item,) = await items(code)
    shown = await code.bench.db.read(lambda tx: STALE.show(tx, item, USER))
    assert shown.content == f"{GONE} (file gone since: show_admin in admin/views.py)"


async def test_a_state_is_asked_about_once_and_the_next_again(code: CodeBench) -> None:
    await code.remember(GONE, pinned=True)
    code.write({"admin/views.py": "def other(request):\n    return None\n"})
    await code.follow()
    (item,) = await items(code)
    await decisions(code).decide(item.id, "still_right", AUDIT)
    await code.follow()
    assert len(await items(code)) == 1
    await gone(code)
    assert [each.status for each in await items(code)] == ["open", "done"]


async def test_three_a_week_are_the_most(code: CodeBench) -> None:
    for number in range(MOST_A_WEEK + 2):
        await code.remember(f"admin/views.py has rule {number}", pinned=True)
    await gone(code)
    assert len(await items(code)) == MOST_A_WEEK
    code.bench.clock.forward(days=8)
    await code.follow()
    assert len(await items(code)) == MOST_A_WEEK + 2


async def test_what_is_there_again_is_no_longer_asked_about(code: CodeBench) -> None:
    await code.remember(GONE, pinned=True)
    text = (code.root / "admin/views.py").read_text()
    await gone(code)
    code.write({"admin/views.py": text})
    await code.follow()
    (item,) = await items(code)
    assert (item.status, item.action) == ("done", "obsolete")


async def test_a_reworded_memory_is_no_longer_asked_about(code: CodeBench) -> None:
    one = await code.remember(GONE, pinned=True)
    await gone(code)
    await code.reword(one, "shop/views.py is for customers")
    (item,) = await items(code)
    assert (item.status, item.action) == ("done", "memory_changed")


async def test_still_right_finds_the_places_anew(code: CodeBench) -> None:
    one = await code.remember("admin/views.py: show_admin and shop/views.py differ", pinned=True)
    await gone(code)
    (item,) = await items(code)
    decided = await decisions(code).decide(item.id, "still_right", AUDIT)
    assert isinstance(decided, Decided)
    await code.run_jobs()
    assert [each.path for each in await code.places(one)] == ["shop/views.py"]
    assert await code.mark(one) is None


async def test_forget_is_undone(code: CodeBench) -> None:
    one = await code.remember(GONE, "decision")
    (code.root / "admin/views.py").unlink()
    await House(code.bench).start(session("s1", project=code.project))
    await code.follow()
    (item,) = await items(code)
    await decisions(code).decide(item.id, "forget_stale", AUDIT)
    assert (await memory(code, one)).is_deleted
    await decisions(code).undo_all([item.id], AUDIT)
    assert not (await memory(code, one)).is_deleted
    assert [each.status for each in await items(code)] == ["open"]


async def test_a_pinned_memory_is_not_forgotten(code: CodeBench) -> None:
    one = await code.remember(GONE, pinned=True)
    await gone(code)
    (item,) = await items(code)
    refused = await decisions(code).decide(item.id, "forget_stale", AUDIT)
    assert isinstance(refused, DecisionRefused)
    assert not (await memory(code, one)).is_deleted


@pytest.mark.parametrize("how", ["forgotten", "erased"])
async def test_places_follow_their_memory(code: CodeBench, how: str) -> None:
    one = await code.remember(GONE)
    db, context = code.bench.db, code.bench.context
    if how == "forgotten":
        await db.write(lambda tx: forget(tx, one, AUDIT, context))
        await gone(code)
        (place,) = await code.places(one)
        assert place.state == "there"
    else:
        await db.write(lambda tx: tx.execute("DELETE FROM memories WHERE id = ?", (one,)))
        assert await code.places(one) == []
