"""Memories that newer ones replace: what holds follows from who replaced whom, and who is there."""

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.inbox import evidence
from fakes.plain_store import plain_store
from fakes.store import MovableClock, change_context
from intaglio.base.clock import iso
from intaglio.domain.reader import USER, IsolatedReader
from intaglio.memory import history_rows as history
from intaglio.memory import operations, replacement, rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    AGENT_SOURCE,
    Actor,
    Done,
    Inserted,
    Memory,
    Missing,
    NewMemory,
    NoChange,
    PinnedConflict,
    Scope,
    Source,
)
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.store.tx import WriteTx

BY_USER = Audit(Actor("ann"))
MONTH = timedelta(days=30)


@dataclass
class Notes:
    """Memories by what they say, in a store of their own."""

    tx: WriteTx
    clock: MovableClock = field(default_factory=MovableClock)
    made: int = 0

    @property
    def context(self) -> ChangeContext:
        return change_context(self.clock, self._new_id)

    def _new_id(self) -> str:
        self.made += 1
        return f"id-{self.made:06}"

    def say(self, text: str, **given: object) -> str:
        self.clock.forward(minutes=1)
        new = NewMemory(
            content=text,
            type="decision",
            importance=0.5,
            confidence=1.0,
            pinned=False,
            tags=(),
            who="user",
            why=None,
            scope=Scope(),
            source=Source(),
            session_id=None,
            idempotency_key=None,
            runtime_path=None,
            created_at=iso(self.clock()),
        )
        outcome = operations.insert(self.tx, replace(new, **given), BY_USER, self.context)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - fields of a test
        assert isinstance(outcome, Inserted)
        return outcome.id

    def replace(self, older: str, newer: str) -> object:
        return replacement.replace_memory(self.tx, older, newer, BY_USER, self.context)

    def get(self, memory_id: str) -> Memory:
        found = rows.get(self.tx, memory_id)
        assert found is not None
        return found

    def status(self, memory_id: str) -> str:
        return self.get(memory_id).status

    def shown(self, filters: Filter) -> set[str]:
        page = rows.page(self.tx, replace(filters, reader=USER), 100, None)
        return {memory.content for memory in page.memories}

    def events(self, memory_id: str) -> list[tuple[str, str | None]]:
        found = history.history(self.tx, memory_id, USER, 100) or []
        return [(each.event, each.reason) for each in found[1:]]


@pytest.fixture
def notes(tmp_path: Path) -> Generator[Notes]:
    with plain_store(tmp_path) as tx:
        yield Notes(tx)


def test_a_replaced_memory_holds_until_the_newer_one_was_said(notes: Notes) -> None:
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    assert isinstance(notes.replace(older, newer), Done)
    found = notes.get(older)
    assert (found.status, found.superseded_by) == ("replaced", newer)
    assert found.valid_until == notes.get(newer).created_at
    assert (found.version, notes.status(newer)) == (1, "current")
    assert notes.shown(Filter(memory_status="current")) == {"Use RQ."}
    assert notes.shown(Filter(memory_status="replaced")) == {"Use Celery."}
    assert notes.shown(Filter()) == {"Use Celery.", "Use RQ."}
    entry = (history.history(notes.tx, older, USER, 9) or [])[-1]
    assert (entry.event, entry.metadata) == ("replaced", f'{{"superseded_by": "{newer}"}}')


def test_a_moment_shows_what_held_then(notes: Notes) -> None:
    older = notes.say("Use Celery.")
    then = iso(notes.clock())
    notes.replace(older, notes.say("Use RQ."))
    assert notes.shown(Filter(as_of=then)) == {"Use Celery."}
    assert notes.shown(Filter(as_of=iso(notes.clock()))) == {"Use RQ."}
    assert notes.shown(Filter(as_of="2025-01-01T00:00:00.000Z")) == set()


def test_of_two_memories_only_one_replaces_the_other(notes: Notes) -> None:
    first, second, third = (notes.say(text) for text in ("Jest.", "Mocha.", "Vitest."))
    notes.replace(first, second)
    notes.replace(second, third)
    assert isinstance(notes.replace(third, first), NoChange)
    assert isinstance(notes.replace(first, third), NoChange)
    assert isinstance(notes.replace(third, third), NoChange)
    assert [notes.status(each) for each in (first, second, third)] == [
        *("replaced", "replaced", "current")
    ]


def test_what_a_reader_may_not_see_is_not_replaced(notes: Notes) -> None:
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    stranger = replace(BY_USER, reader=IsolatedReader("nobody"))
    outcome = replacement.replace_memory(notes.tx, older, newer, stranger, notes.context)
    assert isinstance(outcome, Missing)
    assert isinstance(replacement.reinstate(notes.tx, older, stranger, notes.context), Missing)


def test_used_again_it_holds_beside_the_newer_one(notes: Notes) -> None:
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    notes.replace(older, newer)
    replacement.reinstate(notes.tx, older, BY_USER, notes.context)
    assert (notes.status(older), notes.status(newer)) == ("current", "current")
    assert notes.get(older).superseded_by is None
    assert history.was_reinstated(notes.tx, older, newer)
    assert history.is_confirmed(notes.tx, older)
    # Nothing is left that restoring the newer one would replace again.
    operations.forget(notes.tx, newer, BY_USER, notes.context)
    operations.recover(notes.tx, newer, BY_USER, notes.context, MONTH)
    assert notes.status(older) == "current"


def test_an_outdated_memory_held_until_now_and_can_hold_again(notes: Notes) -> None:
    memory_id = notes.say("Deploy on Fridays.")
    retired = replacement.retire(notes.tx, memory_id, BY_USER, notes.context)
    assert isinstance(retired, Done)
    assert isinstance(replacement.retire(notes.tx, memory_id, BY_USER, notes.context), NoChange)
    found = notes.get(memory_id)
    assert (found.status, found.superseded_by) == ("replaced", None)
    replacement.reinstate(notes.tx, memory_id, BY_USER, notes.context)
    assert notes.get(memory_id).status == "current"


def test_a_pinned_memory_is_unpinned_before_it_is_outdated(notes: Notes) -> None:
    memory_id = notes.say("Deploy on Fridays.", pinned=True)
    refused = replacement.retire(notes.tx, memory_id, BY_USER, notes.context)
    assert isinstance(refused, PinnedConflict)
    assert notes.status(memory_id) == "current"


def test_forgetting_the_newer_one_is_said_in_the_history(notes: Notes) -> None:
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    notes.replace(older, newer)
    operations.forget(notes.tx, newer, BY_USER, notes.context)
    assert notes.status(older) == "current"
    operations.recover(notes.tx, newer, BY_USER, notes.context, MONTH)
    assert notes.status(older) == "replaced"
    operations.erase(notes.tx, newer, BY_USER, notes.context)
    assert notes.status(older) == "current"
    assert notes.events(older) == [
        ("replaced", None),
        ("reinstated", "the memory that replaced it was forgotten"),
        ("replaced", "the memory that replaces it was restored"),
        ("reinstated", "the memory that replaced it was erased"),
    ]
    # The user has said nothing of it.
    assert not history.is_confirmed(notes.tx, older)


def test_said_again_a_memory_replaces_its_successor(notes: Notes) -> None:
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    notes.replace(older, newer)
    notes.clock.forward(days=1)
    replacement.say_again(
        notes.tx, notes.get(older), Actor("ann"), notes.context, iso(notes.clock())
    )
    assert (notes.status(older), notes.status(newer)) == ("current", "replaced")
    assert notes.get(newer).valid_until == iso(notes.clock())


def test_a_merged_memory_hands_over_what_it_replaced(notes: Notes) -> None:
    older, twin, kept = (notes.say(text) for text in ("Jest.", "Use Vitest.", "Vitest."))
    notes.replace(older, twin)
    replacement.hand_over(notes.tx, twin, kept)
    operations.forget(notes.tx, twin, BY_USER, notes.context)
    assert (notes.status(older), notes.get(older).superseded_by) == ("replaced", kept)


@pytest.mark.parametrize("by_agent", [False, True])
def test_an_open_contradiction_disputes_the_older_memory(notes: Notes, *, by_agent: bool) -> None:
    given = {"source": Source(AGENT_SOURCE), "who": "claude-code"} if by_agent else {}
    older, newer = notes.say("Use tabs."), notes.say("Use spaces.", **given)
    contradiction(notes.tx, newer, older, evidence("spaces"), notes.context)
    # An agent's own word hides nothing that the user said.
    assert notes.status(older) == ("current" if by_agent else "disputed")
    assert notes.get(newer).is_unsettled
    assert notes.status(newer) == "current"
    operations.forget(notes.tx, newer, BY_USER, notes.context)
    assert (notes.status(older), notes.get(older).dispute) == ("current", 0)
    operations.recover(notes.tx, newer, BY_USER, notes.context, MONTH)
    assert notes.get(newer).is_unsettled
    operations.erase(notes.tx, newer, BY_USER, notes.context)
    assert notes.status(older) == "current"


PLACES = st.integers(0, 4)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("replace"), PLACES, PLACES),
        st.tuples(
            st.sampled_from(["reinstate", "forget", "recover", "erase", "purge"]),
            PLACES,
            st.just(0),
        ),
    ),
    max_size=25,
)


@given(STEPS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_what_is_replaced_has_a_successor_that_stands(
    notes: Notes, steps: list[tuple[str, int, int]]
) -> None:
    notes.tx.execute("DELETE FROM memories")
    ids = [notes.say(f"Memory {number}.") for number in range(5)]
    tx, context = notes.tx, notes.context
    for what, one, other in steps:
        match what:
            case "replace":
                notes.replace(ids[one], ids[other])
            case "reinstate":
                replacement.reinstate(tx, ids[one], BY_USER, context)
            case "forget":
                operations.forget(tx, ids[one], BY_USER, context)
            case "recover":
                operations.recover(tx, ids[one], BY_USER, context, MONTH)
            case "erase":
                operations.erase(tx, ids[one], BY_USER, context)
            case _:
                tx.execute("DELETE FROM memories WHERE id = ? AND is_deleted = 1", (ids[one],))
        known = rows.by_ids(tx, ids)
        links = dict(tx.rows(tuple[str, str | None], "SELECT id, superseded_by FROM memories"))
        for memory in known.values():
            after = known.get(links[memory.id] or "")
            stands = after is not None and (not after.is_deleted or after.valid_until is not None)
            assert (memory.valid_until is not None) == stands
            assert links[memory.id] is None or after is not None
            assert not memory.superseded_by or not rows.is_replaced_by(
                tx, memory.superseded_by, memory.id
            )


@given(st.permutations(["forget", "erase"]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=8)
def test_a_replacement_taken_back_leaves_the_row_as_before(
    notes: Notes, ways: list[str], undone: bool
) -> None:
    notes.tx.execute("DELETE FROM memories")
    older, newer = notes.say("Use Celery."), notes.say("Use RQ.")
    before = notes.tx.all("SELECT * FROM memories WHERE id = ?", (older,))
    notes.replace(older, newer)
    if undone:
        replacement.reinstate(notes.tx, older, BY_USER, notes.context)
    elif ways[0] == "forget":
        operations.forget(notes.tx, newer, BY_USER, notes.context)
        notes.tx.execute("DELETE FROM memories WHERE id = ?", (newer,))
    else:
        operations.erase(notes.tx, newer, BY_USER, notes.context)
    assert notes.tx.all("SELECT * FROM memories WHERE id = ?", (older,)) == before
