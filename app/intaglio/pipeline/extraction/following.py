"""What was read in a memory is forgotten, restored and erased together with it.

A memory that the user changed, pinned or confirmed stays, and one that was read in others, too.
Suggestions that were read in it go with it.
"""

from datetime import timedelta
from typing import Final

from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import ClosingAction, InboxItem
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Memory
from intaglio.pipeline.extraction import rows
from intaglio.pipeline.extraction.history_entries import pipeline_audit
from intaglio.pipeline.extraction.plan import DERIVED
from intaglio.pipeline.extraction.values import PIPELINE_ACTOR, DerivedFact
from intaglio.store.tx import ReadTx, WriteTx

_FORGOTTEN: Final = "the memory that it was read in was forgotten"
_RESTORED: Final = "the memory that it was read in was restored"
_GONE: Final[ClosingAction] = "memory_gone"
_ERASED: Final = "the memory that it was read in was erased"


def derived_of(tx: ReadTx, source_id: str) -> list[DerivedFact]:
    """Return the live memories that were read in a memory."""
    found: list[DerivedFact] = []
    for row in rows.derived_from(tx, source_id):
        memory = memories.get(tx, row.id)
        if memory is not None:
            found.append(DerivedFact(memory=memory, is_touched=is_touched(tx, memory)))
    return found


def is_touched(tx: ReadTx, memory: Memory) -> bool:
    """Tell whether anybody changed, pinned or confirmed a memory since it was read."""
    return memory.pinned or history.was_changed_by_others(tx, memory.id, PIPELINE_ACTOR)


def follow_forgotten(tx: WriteTx, source_id: str, context: ChangeContext) -> None:
    """Forget what was read in a forgotten memory alone."""
    for row in rows.derived_from(tx, source_id):
        memory = memories.get(tx, row.id)
        if memory is None or row.sources > 0 or is_touched(tx, memory):
            continue
        operations.forget(tx, row.id, pipeline_audit(_FORGOTTEN), context)
        rows.set_gone_with(tx, row.id, source_id, gone=True)

    for item in _suggested(tx, source_id):
        if item.status == "open":
            inbox.close(tx, item.id, _GONE, context)


def _suggested(tx: ReadTx, source_id: str) -> list[InboxItem]:
    return inbox_rows.with_source_prefix(tx, f"{DERIVED}{source_id}:")


def follow_restored(tx: WriteTx, source_id: str, context: ChangeContext) -> None:
    """Restore what was forgotten together with a restored memory."""
    within = timedelta(days=context.settings().of(MemorySettings).tombstone_days)
    for row in rows.derived_from(tx, source_id, live=False):
        if row.gone_with:
            operations.recover(tx, row.id, pipeline_audit(_RESTORED), context, within)
            rows.set_gone_with(tx, row.id, source_id, gone=False)
    for item in _suggested(tx, source_id):
        if item.action == _GONE:
            inbox.reopen(tx, item)


def follow_erased(tx: WriteTx, source_id: str, context: ChangeContext) -> None:
    """Erase what was read in an erased memory alone, and the words that were quoted of it."""
    for row in rows.derived_from(tx, source_id):
        memory = memories.get(tx, row.id)
        if memory is not None and row.sources == 0 and not is_touched(tx, memory):
            operations.erase(tx, row.id, pipeline_audit(_ERASED), context)
    for row in rows.derived_from(tx, source_id, live=False):
        if row.gone_with:
            operations.erase(tx, row.id, pipeline_audit(_ERASED), context)
    for item in _suggested(tx, source_id):
        inbox.delete(tx, item.id)
    rows.forget_source(tx, source_id)
