"""The user's decision that a memory of a project applies to all projects, and its undoing."""

from typing import Final, TypeAlias

from intaglio.inbox.values import InboxItem
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Change, Done, NoChange, ScopeConflict
from intaglio.store.tx import WriteTx

_Why: TypeAlias = tuple[str, str]
"""Why a decision isn't possible, and what to do instead."""

_GONE: Final = ("The memory is forgotten", "Restore it first.")
_CHANGED: Final = ("The memory was changed since", "Change its project on the Memories page.")
_SAME: Final = ("Another memory has the same text", "Forget one of them instead.")


def widen(tx: WriteTx, item: InboxItem, audit: Audit, context: ChangeContext) -> int | _Why:
    """Apply an item's memory to all projects; return its new version, or why that's impossible."""
    outcome = operations.modify(tx, item.memory_id or "", Change(project=None), audit, context)
    match outcome:
        case Done(new_version=version) | NoChange(version=version):
            return version
        case ScopeConflict():
            return _SAME
        case _:
            return _GONE


def narrow(tx: WriteTx, item: InboxItem, audit: Audit, context: ChangeContext) -> _Why | None:
    """Take back that an item's memory applies to all projects; return why that's impossible."""
    if item.action != "all_projects":
        return None
    memory = memories.get(tx, item.memory_id or "")
    if memory is None or memory.is_deleted:
        return _GONE
    if memory.version != item.changed_version:
        return _CHANGED
    back = Change(project=item.project)
    outcome = operations.modify(tx, memory.id, back, audit, context)
    match outcome:
        case Done() | NoChange():
            return None
        case _:
            return _SAME
