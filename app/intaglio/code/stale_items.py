"""Asks about memories that were told, or are pinned, although what they name is gone or changed."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.code import place_rows
from intaglio.code.judging import MARKS
from intaglio.code.locating import LOCATE
from intaglio.code.places import MemoryPlaces
from intaglio.domain.reader import Reader
from intaglio.inbox import rows
from intaglio.inbox.forgetting import forget_decided, restore_decided
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    Refusal,
)
from intaglio.inbox.operations import add, close, item_about
from intaglio.inbox.values import InboxItem
from intaglio.jobs import rows as queue
from intaglio.memory import operations
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.values import (
    Memory,
    Source,
)
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "stale"
MOST_A_WEEK: Final = 3
_WEEK: Final = timedelta(days=7)
_REASON: Final = "what it names is gone or changed (inbox)"
# Renamed files are easily found.
_ASKED: Final = frozenset({"changed", "symbol_gone", "gone"})


def ask_about_stale(tx: WriteTx, project: str, context: ChangeContext) -> int:
    """Add items about a project's memories; return how many.

    At most three a week in all, and none twice about the same state of a place. Items about what is
    there again are closed.
    """
    _withdraw(tx, project, context)
    left = MOST_A_WEEK - place_rows.items_since(tx, _NAME, iso(context.clock() - _WEEK))
    if left <= 0:
        return 0
    asked = 0
    told = set(place_rows.told_with_mark(tx, project, [*MARKS.values()]))
    for stale in MemoryPlaces().stale_in(tx, project):
        is_new = any(each.state in _ASKED and each.state != each.asked for each in stale.places)
        matters = stale.memory.pinned or stale.memory.id in told
        if stale.mark.kind not in _ASKED or not (is_new and matters):
            continue
        if _open_item(tx, stale.memory.id) is None:
            add(tx, _item(stale.memory, context))
            place_rows.set_asked(tx, stale.memory.id)
            asked += 1
        if asked >= left:
            break
    return asked


def _item(memory: Memory, context: ChangeContext) -> InboxItem:
    item = item_about(memory, _NAME, context)
    return replace(item, source=Source()) if memory.source.is_agent else item


def _open_item(tx: ReadTx, memory_id: str) -> InboxItem | None:
    found = (each for each in rows.about(tx, memory_id) if each.kind == _NAME)
    return next((each for each in found if each.status == "open"), None)


def _withdraw(tx: WriteTx, project: str, context: ChangeContext) -> None:
    for memory_id in place_rows.open_items(tx, _NAME, project):
        mark = MemoryPlaces().mark(tx, memory_id)
        item = _open_item(tx, memory_id)
        if item is not None and (mark is None or mark.kind not in _ASKED):
            close(tx, item.id, "obsolete", context)


def close_when_reworded(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Close the item about a memory that says something else now; a listener."""
    if change.what == "updated" and change.content_changed:
        item = _open_item(tx, change.id)
        if item is not None:
            close(tx, item.id, "memory_changed", context)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    memory = operations.find_visible(tx, item.memory_id or "", reader)
    if memory is None:
        return ItemDetail(content="")
    mark = MemoryPlaces().mark(tx, memory.id)
    said = f" ({mark.text}: {mark.where})" if mark else ""
    return ItemDetail(content=f"{memory.content}{said}", memory_id=memory.id)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    memory_id = decision.item.memory_id or ""
    if decision.action == "still_right":
        queue.enqueue(tx, LOCATE, memory_id, decision.context.now)
        return DecisionEffect(memory_id)
    return forget_decided(tx, memory_id, decision, _REASON)


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    if decision.action == "still_right":
        return None
    return restore_decided(tx, decision.item.memory_id or "", decision)


STALE: Final = InboxKind(
    name=_NAME,
    label="Stale",
    plural="Stale memories",
    actions=(
        InboxAction(
            name="still_right",
            label="Still right",
            report="Kept as still right",
            outcome="still right",
            already="decided: it is still right",
        ),
        InboxAction(
            name="forget_stale",
            label="Forget",
            report="Forgot",
            outcome="forgotten",
            already="decided: it is forgotten",
            forgets=True,
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
)
