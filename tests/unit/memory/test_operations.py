"""Every change of a memory is told to the listeners, inside its transaction."""

from datetime import timedelta
from pathlib import Path

import pytest

from fakes.plain_store import plain_store
from fakes.store import MovableClock
from intaglio.memory import operations, rows
from intaglio.memory.operations import Audit, ChangeContext, MemoryChange, MemorySteps
from intaglio.memory.values import Actor, Change, Inserted, NewMemory, NoChange, Scope, Source
from intaglio.store.tx import WriteTx

AUDIT = Audit(Actor("test"))
MONTH = timedelta(days=30)
SAID = NewMemory(
    content="Tea at five.",
    type="fact",
    importance=0.5,
    confidence=1.0,
    pinned=False,
    tags=("tea",),
    who="ann",
    why=None,
    scope=Scope(),
    source=Source(),
    session_id=None,
    idempotency_key=None,
    runtime_path=None,
    created_at="2026-01-31T08:00:00.000Z",
)


def heard_by(heard: list[MemoryChange]) -> MemorySteps:
    """Return a listener that notes each change."""
    return MemorySteps(listeners=(lambda _tx, change, _context: heard.append(change),))


def test_every_operation_publishes_its_change(tmp_path: Path) -> None:
    heard: list[MemoryChange] = []
    clock = MovableClock()
    ids = iter(str(number) for number in range(20))
    context = ChangeContext(clock, lambda: next(ids), heard_by(heard))
    with plain_store(tmp_path) as tx:
        outcome = operations.insert(tx, SAID, AUDIT, context)
        assert isinstance(outcome, Inserted)
        key = outcome.id
        operations.modify(tx, key, Change(importance=0.9), AUDIT, context)
        operations.modify(tx, key, Change(content="Tea at six."), AUDIT, context)
        operations.forget(tx, key, AUDIT, context)
        operations.recover(tx, key, AUDIT, context, MONTH)
        operations.erase(tx, key, AUDIT, context)
    assert [(each.id, each.what, each.content_changed) for each in heard] == [
        (key, "added", True),
        (key, "updated", False),
        (key, "updated", True),
        (key, "deleted", False),
        (key, "recovered", False),
        (key, "deleted", False),
    ]


def test_an_operation_without_effect_publishes_nothing(tmp_path: Path) -> None:
    heard: list[MemoryChange] = []
    ids = iter(str(number) for number in range(20))
    context = ChangeContext(MovableClock(), lambda: next(ids), heard_by(heard))
    with plain_store(tmp_path) as tx:
        outcome = operations.insert(tx, SAID, AUDIT, context)
        assert isinstance(outcome, Inserted)
        unchanged = operations.modify(tx, outcome.id, Change(importance=0.5), AUDIT, context)
        assert isinstance(unchanged, NoChange)
        operations.insert(tx, SAID, AUDIT, context)
    assert [each.what for each in heard] == ["added"]


def test_a_failing_listener_rolls_the_change_back(tmp_path: Path) -> None:
    def refuse(_tx: WriteTx, change: MemoryChange, _context: ChangeContext) -> None:
        raise RuntimeError(change.what)

    context = ChangeContext(MovableClock(), lambda: "1", MemorySteps(listeners=(refuse,)))
    with plain_store(tmp_path) as tx, pytest.raises(RuntimeError, match="added"):
        operations.insert(tx, SAID, AUDIT, context)
    # The writer rolls back what raised; nothing was published either.
    assert tx.take_events() == []


def test_every_field_of_a_memory_is_read_back(tmp_path: Path) -> None:
    context = ChangeContext(MovableClock(), iter("123").__next__)
    with plain_store(tmp_path) as tx:
        operations.insert(tx, SAID, AUDIT, context)
        stored = rows.get(tx, "1")
    assert stored is not None
    for name in ("content", "type", "importance", "pinned", "tags", "who", "scope", "source"):
        assert getattr(stored, name) == getattr(SAID, name)
    assert (stored.pinned, stored.is_deleted) == (False, False)
