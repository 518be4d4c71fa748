"""What a start leaves out because a newer memory contradicts it and nobody has decided yet."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from intaglio.inbox import rows as inbox
from intaglio.inbox.values import ItemFilter
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.sessions.selection.constraints import group_of
from intaglio.sessions.values import ContextCandidate, ContextEntry
from intaglio.store.tx import ReadTx

CONTRADICTED: Final = "a newer memory contradicts it: decide in the inbox which one holds"

# Of all projects; those of this one are chosen from them.
_MOST_ITEMS: Final = 200
_MOST: Final = 20


def contradicted(tx: ReadTx, filters: Filter) -> Iterator[ContextEntry]:
    """Yield the memories that open contradictions hide, newest first.

    ``filters`` name the reader and the project, whose own memories and global ones are meant.
    """
    open_ones = ItemFilter(reader=filters.reader, kind="contradiction")
    items = inbox.page(tx, open_ones, _MOST_ITEMS, None).items
    older = [item.older_id for item in items if item.older_id]
    if not older:
        return
    hidden = replace(filters, memory_status="disputed")
    for memory in memories.select(tx, hidden, older, _MOST):
        candidate = ContextCandidate(memory, CONTRADICTED, group=group_of(memory))
        yield ContextEntry(candidate, "", 0, CONTRADICTED)
