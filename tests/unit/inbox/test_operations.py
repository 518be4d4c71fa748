"""What is suggested, and what isn't suggested again; contradictions follow their memories."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.inbox import evidence, remember, suggest, suggestion
from fakes.plain_store import plain_store
from fakes.store import MovableClock
from intaglio.base.events import Changed
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import IsolatedReader, SharedReader
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows
from intaglio.inbox.values import (
    MAX_EVIDENCE,
    AlreadyOpen,
    DroppedBefore,
    InboxItem,
    ItemClosed,
    ItemFilter,
    NoSuchItem,
    NotOpen,
    Suggested,
    SuggestOutcome,
)
from intaglio.memory import operations
from intaglio.memory import operations as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Actor, Duplicate, Scope
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.store.tx import WriteTx

AUDIT = Audit(Actor("ann"))
MONTH = timedelta(days=30)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def context(clock: MovableClock) -> ChangeContext:
    ids = iter(f"id-{number:03}" for number in range(1_000))
    return ChangeContext(clock, lambda: next(ids), PACKAGES.memory_steps)


@pytest.fixture
def tx(tmp_path: Path) -> Iterator[WriteTx]:
    with plain_store(tmp_path) as opened:
        yield opened


def item(tx: WriteTx, item_id: str) -> InboxItem:
    found = rows.get(tx, item_id)
    assert found is not None
    return found


def test_a_suggestion_is_stored_with_its_evidence_and_without_secrets(
    tx: WriteTx, context: ChangeContext
) -> None:
    secret = "ghp_" + "R8kx2LqZ9vTnB4wYh6JcMd1PsAf3Ue7GtHoQ"
    new = suggestion(f"Use the token {secret} for releases.")
    stored = item(tx, suggest(tx, context, new))
    assert secret not in stored.content
    assert secret not in stored.evidence[0].sentence
    assert (stored.kind, stored.status, stored.project) == ("suggestion", "open", "/work/shop")
    assert stored.evidence[0].message_id == "m1"
    assert tx.take_events() == [Changed("inbox", "added", (stored.id,))]


def test_the_same_words_or_statement_are_suggested_only_once(
    tx: WriteTx, context: ChangeContext
) -> None:
    first = suggest(tx, context, suggestion())
    same_words = suggestion("use PNPM  in this repository", message="m2")
    assert inbox.suggest(tx, same_words, context) == AlreadyOpen(first)
    same_source = suggestion("Use pnpm.")
    assert inbox.suggest(tx, same_source, context) == AlreadyOpen(first)
    # Another project, and another agent, are other scopes.
    assert isinstance(inbox.suggest(tx, suggestion(project=None), context), Suggested)
    assert isinstance(inbox.suggest(tx, suggestion(agent="bob"), context), Suggested)


def test_dropped_words_are_never_suggested_again(
    tx: WriteTx, context: ChangeContext, clock: MovableClock
) -> None:
    first = suggest(tx, context, suggestion())
    inbox.close(tx, first, "drop", context)
    clock.forward(days=500)
    again = suggestion("Use pnpm in this repository!", message="m2")
    assert inbox.suggest(tx, again, context) == DroppedBefore(first)
    rows.delete(tx, [item(tx, first).seq])
    assert inbox.suggest(tx, again, context) == DroppedBefore("")


@pytest.mark.parametrize("action", ["withdrawn", "expired"])
def test_a_closed_suggestion_returns_only_when_said_again(
    tx: WriteTx, context: ChangeContext, action: str
) -> None:
    first = suggest(tx, context, suggestion())
    inbox.close(tx, first, "withdrawn" if action == "withdrawn" else "expired", context)
    assert inbox.suggest(tx, suggestion(), context) == DroppedBefore(first)
    assert isinstance(inbox.suggest(tx, suggestion(message="m2"), context), Suggested)


def known_memory(outcome: SuggestOutcome) -> str:
    """Return the id of the memory that has these words already."""
    assert isinstance(outcome, Duplicate)
    return outcome.memory.id


def test_an_existing_memory_is_not_suggested(tx: WriteTx, context: ChangeContext) -> None:
    known = remember(tx, context, "Use pnpm in this repository")
    assert known_memory(inbox.suggest(tx, suggestion(), context)) == known
    everywhere = remember(tx, context, "Never push on Fridays.", Scope())
    outcome = inbox.suggest(tx, suggestion("never push on fridays", message="m2"), context)
    assert known_memory(outcome) == everywhere
    # Kept in other words, then said again in the former ones.
    edited = suggest(tx, context, suggestion("pnpm it is", message="m3"))
    inbox.close(tx, edited, "keep", context, memory_id=known)
    again = suggestion("pnpm it is", message="m4")
    assert known_memory(inbox.suggest(tx, again, context)) == known


def test_a_statement_forgotten_since_is_not_suggested(tx: WriteTx, context: ChangeContext) -> None:
    known = remember(tx, context, "Use pnpm in this repository")
    memories.forget(tx, known, AUDIT, context)
    assert inbox.suggest(tx, suggestion(), context) == DroppedBefore("")
    later = replace(evidence("use pnpm"), said_at="2026-02-01T00:00:00.000Z")
    said_later = replace(suggestion(message="m9"), evidence=later)
    assert isinstance(inbox.suggest(tx, said_later, context), Suggested)


def test_evidence_is_added_once_and_up_to_a_limit(tx: WriteTx, context: ChangeContext) -> None:
    first = suggest(tx, context, suggestion())
    assert inbox.add_evidence(tx, first, evidence("pnpm, as ever", "m2"))
    assert not inbox.add_evidence(tx, first, evidence("pnpm, as ever", "m2"))
    for number in range(MAX_EVIDENCE + 5):
        inbox.add_evidence(tx, first, evidence("x" * 900, f"n{number}"))
    stored = item(tx, first).evidence
    assert len(stored) == MAX_EVIDENCE
    assert stored[1].sentence == "pnpm, as ever"
    assert len(stored[-1].sentence) == 400


def test_an_item_is_decided_on_once(tx: WriteTx, context: ChangeContext) -> None:
    first = suggest(tx, context, suggestion())
    assert isinstance(inbox.close(tx, first, "drop", context), ItemClosed)
    second = inbox.close(tx, first, "keep", context)
    assert isinstance(second, NotOpen)
    assert second.item.action == "drop"
    assert inbox.close(tx, "unknown", "keep", context) == NoSuchItem()


def test_only_readers_of_an_item_can_close_it(tx: WriteTx, context: ChangeContext) -> None:
    first = suggest(tx, context, suggestion(agent="bob"))
    isolated = IsolatedReader("eve")
    assert inbox.close(tx, first, "drop", context, reader=isolated) == NoSuchItem()
    assert rows.page(tx, ItemFilter(reader=isolated), 10, None).items == ()
    assert rows.counts(tx, isolated) == {}
    assert len(rows.page(tx, ItemFilter(reader=SharedReader()), 10, None).items) == 1


def test_a_contradiction_is_stored_once_and_follows_its_memories(
    tx: WriteTx, context: ChangeContext
) -> None:
    older = remember(tx, context, "Use Jest.")
    newer = remember(tx, context, "Use Vitest, not Jest.")
    said = evidence("use vitest, not jest")
    made = contradiction(tx, newer, older, said, context)
    assert made is not None
    assert contradiction(tx, older, newer, said, context) == made
    memories.forget(tx, older, AUDIT, context)
    assert item(tx, made).action == "memory_gone"
    memories.recover(tx, older, AUDIT, context, MONTH)
    assert item(tx, made).status == "open"
    assert contradiction(tx, newer, "unknown", said, context) is None


def test_a_contradiction_with_a_private_memory_is_private(
    tx: WriteTx, context: ChangeContext
) -> None:
    older = remember(tx, context, "Use Jest.", Scope("bob", "/work/shop", "private"))
    newer = remember(tx, context, "Use Vitest, not Jest.", Scope("bob", "/work/shop"))
    contradiction(tx, newer, older, evidence("vitest"), context)
    assert rows.counts(tx, SharedReader()) == {}
    assert rows.counts(tx, SharedReader("bob")) == {"contradiction": 1}


def test_an_erased_memory_leaves_no_text_in_the_inbox(tx: WriteTx, context: ChangeContext) -> None:
    kept = suggest(tx, context, suggestion())
    memory = remember(tx, context, "Use pnpm in this repository")
    inbox.close(tx, kept, "keep", context, memory_id=memory)
    other = remember(tx, context, "Use npm.")
    contradiction(tx, memory, other, evidence("pnpm, not npm"), context)
    operations.erase(tx, memory, AUDIT, context)
    assert tx.count("SELECT count(*) FROM inbox_items") == 0
    assert tx.count("SELECT count(*) FROM inbox_evidence") == 0


def test_pages_stay_stable_while_items_are_decided(
    tx: WriteTx, context: ChangeContext, clock: MovableClock
) -> None:
    ids: list[str] = []
    for number in range(7):
        # Two items of the same millisecond, then a later one.
        clock.forward(seconds=number % 2)
        ids.append(suggest(tx, context, suggestion(f"Rule {number}", message=f"m{number}")))
    wanted = ItemFilter(projects=("/work/shop", "shop"))
    seen: list[str] = []
    page = rows.page(tx, wanted, 2, None)
    while True:
        seen += [each.id for each in page.items]
        for each in page.items:
            inbox.close(tx, each.id, "drop", context)
        if page.end is None:
            break
        page = rows.page(tx, wanted, 2, page.end)
    assert seen == ids[::-1]
    done = ItemFilter(status="done", kind="suggestion")
    first = rows.page(tx, done, 5, None)
    assert first.end is not None
    rest = rows.page(tx, done, 5, first.end)
    assert sorted(each.id for each in (*first.items, *rest.items)) == ids
    assert rows.page(tx, ItemFilter(projects=("/work/other",)), 5, None).items == ()
