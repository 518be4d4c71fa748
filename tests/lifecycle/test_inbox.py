"""Inbox items over time: they expire, are deleted after the decision, and go with their memory."""

from dataclasses import replace

import pytest

from fakes.inbox import SAID_AT, evidence, remember, suggest, suggestion
from fakes.retention import Broom, removed
from intaglio.base.clock import iso
from intaglio.daemon.packages import PACKAGES
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.settings import InboxSettings
from intaglio.inbox.values import DroppedBefore, Edit, InboxItem, NewSuggestion
from intaglio.lifecycle.decisions.inbox_decisions import Decided, InboxDecisions
from intaglio.memory.operations import Audit, ChangeContext, MemoryChange, MemorySteps
from intaglio.memory.values import Actor
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.store.tx import WriteTx

USER = Audit(Actor("ann"))


def decisions(broom: Broom, context: ChangeContext | None = None) -> InboxDecisions:
    bench = broom.bench
    return InboxDecisions(
        bench.db, context or bench.context, lambda: bench.frozen, PACKAGES.inbox_kinds
    )


async def add(broom: Broom, new: NewSuggestion | None = None) -> str:
    wanted = new or suggestion()
    return await broom.bench.db.write(lambda tx: suggest(tx, broom.bench.context, wanted))


async def find(broom: Broom, item_id: str) -> InboxItem | None:
    return await broom.bench.db.read(lambda tx: rows.get(tx, item_id))


async def test_a_suggestion_expires_and_a_contradiction_does_not(broom: Broom) -> None:
    context = broom.bench.context

    def contradict(tx: WriteTx) -> str | None:
        older, newer = (remember(tx, context, text) for text in ("Use Jest.", "Use Vitest."))
        return contradiction(tx, newer, older, evidence("vitest"), context)

    made = await broom.bench.db.write(contradict)
    added = await add(broom)
    broom.bench.clock.forward(days=14)
    assert removed(await broom.sweep()) == {}
    broom.bench.clock.forward(milliseconds=1)
    assert removed(await broom.sweep()) == {"suggestions": 1}
    expired, waiting = await find(broom, added), await find(broom, made or "")
    assert expired is not None
    assert (expired.status, expired.action) == ("done", "expired")
    assert waiting is not None
    assert waiting.status == "open"


async def test_suggestions_wait_for_ever_without_a_window(broom: Broom) -> None:
    await add(broom)
    broom.settings = broom.settings.having(InboxSettings(suggestion_days=0))
    broom.bench.clock.forward(days=36_000)
    assert removed(await broom.sweep()) == {}


async def test_a_done_item_is_deleted_and_its_dropped_words_stay_dropped(broom: Broom) -> None:
    added = await add(broom)
    await decisions(broom).decide(added, "drop", USER)
    broom.bench.clock.forward(days=90, milliseconds=1)
    assert removed(await broom.sweep()) == {"inbox": 1}
    assert await broom.count("inbox_items") == 0
    assert await broom.count("inbox_evidence") == 0
    again = suggestion(message="m2")
    outcome = await broom.bench.db.write(lambda tx: inbox.suggest(tx, again, broom.bench.context))
    assert outcome == DroppedBefore("")


async def test_an_items_text_is_deleted_with_its_memorys_tombstone(broom: Broom) -> None:
    added = await add(broom)
    kept = await decisions(broom).decide(added, "keep", USER)
    assert isinstance(kept, Decided)
    await broom.forget(kept.item.memory_id or "")
    broom.bench.clock.forward(days=30, milliseconds=1)
    assert removed(await broom.sweep()) == {"tombstones": 1, "inbox_of_tombstones": 1}
    assert await broom.count("inbox_evidence") == 0


@pytest.mark.parametrize("action", ["keep", "newer_wins"])
async def test_a_decision_that_fails_changes_neither_side(broom: Broom, action: str) -> None:
    context = broom.bench.context

    def contradict(tx: WriteTx) -> str | None:
        older, newer = (remember(tx, context, text) for text in ("Use Jest.", "Use Vitest."))
        return contradiction(tx, newer, older, evidence("vitest"), context)

    made = await broom.bench.db.write(contradict)
    item = await add(broom) if action == "keep" else made or ""
    before = (
        await broom.rows("SELECT * FROM memories"),
        await broom.rows("SELECT * FROM inbox_items"),
    )

    def fail(_: WriteTx, change: MemoryChange, _context: ChangeContext) -> None:
        raise RuntimeError(change.what)

    broken = decisions(broom, replace(context, steps=MemorySteps(listeners=(fail,))))
    with pytest.raises(RuntimeError):
        await broken.decide(item, "keep" if action == "keep" else "newer_wins", USER)
    after = (
        await broom.rows("SELECT * FROM memories"),
        await broom.rows("SELECT * FROM inbox_items"),
    )
    assert after == before


async def test_a_memory_kept_later_has_the_date_of_its_statement(broom: Broom) -> None:
    same, edited = await add(broom), await add(broom, suggestion("Use Vitest.", message="m2"))
    broom.bench.clock.forward(days=20)
    await decisions(broom).decide(same, "keep", USER)
    await decisions(broom).decide(edited, "keep", USER, Edit(content="Use Vitest only."))
    found = await broom.rows("SELECT content, created_at FROM memories ORDER BY seq")
    now = iso(broom.bench.clock())
    assert found == [("Use pnpm in this repository.", SAID_AT), ("Use Vitest only.", now)]
