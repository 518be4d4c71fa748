"""Edits of a block, which the inbox asks about: the workspace's text, or the edit."""

import difflib
from dataclasses import replace
from typing import Final

from intaglio.base.events import Changed
from intaglio.base.text import clip
from intaglio.connect.managed_block import sections_of
from intaglio.domain.reader import PRIVATE, USER, Reader
from intaglio.inbox import operations as inbox
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    Refusal,
)
from intaglio.inbox.values import InboxItem
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Source
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.workspace import rows
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.planning import Ask
from intaglio.workspace.texts import edited_sections, is_known_file
from intaglio.workspace.values import MOST_SHOWN, TOPIC, BlockTarget, EditConflict

DECIDED: Final = "recovered"
"""What the bus says of a target after a decision: it is to be synced at once."""

_NAME: Final = "workspace_conflict"
_AGENT: Final = "default"
_GONE: Final = Refusal(
    "Intaglio doesn't know this edit any more", "Look at the file and edit it there."
)
_OLDER: Final = Refusal(
    "The file was edited again since", "Decide on the newer item of the same file."
)
_NO_FILE: Final = Refusal(
    "The edit doesn't belong to one file of the workspace",
    "Copy what you want to keep into the workspace, then use the workspace's text.",
)


def describe(target: BlockTarget, ask: Ask, base: str | None, kept: KeptTexts) -> EditConflict:
    """Keep the texts of an edit and return the conflict, without an item."""
    changed = edited_sections(ask.ours if base is None else base, ask.theirs)
    lines = difflib.unified_diff(
        _told(ask.ours), _told(ask.theirs), "the workspace", str(target.file), lineterm="", n=1
    )
    return EditConflict(
        item="",
        target=target.id,
        path=str(target.file),
        files=tuple(each.file for each in changed),
        base=None if base is None else kept.keep_body(base),
        ours=kept.keep_body(ask.ours),
        theirs=kept.keep_body(ask.theirs),
        shown=clip("\n".join(lines), MOST_SHOWN),
    )


def _told(body: str) -> list[str]:
    """Return the lines of a block, with the names of files in place of comments."""
    found: list[str] = []
    for each in sections_of(body):
        found += [f"[{each.file}]", *each.text.split("\n")]
    return found


def ask_about(
    tx: WriteTx, label: str, new: EditConflict, former: EditConflict | None, context: ChangeContext
) -> str:
    """Ask about an edit, or change what an open item asks; return the item's id."""
    open_item = None if former is None else open_item_of(tx, former)
    if former is not None and open_item is not None:
        known = _with_earlier(replace(new, item=former.item), former)
        if known != former:
            rows.put_conflict(tx, known)
            tx.publish(Changed(inbox.TOPIC, "updated", (former.item,)))
        return former.item
    item = InboxItem(
        id=context.new_id(),
        kind=_NAME,
        content=f"The workspace's block in {new.path} ({label}) was edited.",
        type="fact",
        confidence=1.0,
        agent_id=_AGENT,
        project=None,
        visibility=PRIVATE,
        source=Source("workspace", new.target),
        created_at=context.now,
    )
    rows.put_conflict(tx, replace(new, item=item.id))
    return inbox.add(tx, item)


def _with_earlier(new: EditConflict, former: EditConflict) -> EditConflict:
    """Keep an edit that was replaced and is to be put back, but there is a newer one."""
    new = replace(new, kept=former.kept)
    if not former.restores:
        return replace(new, earlier=former.earlier)
    earlier = f"The edit before, which was replaced:\n{former.shown}"
    return replace(
        new,
        earlier=(*former.earlier, former.theirs),
        shown=clip(f"{new.shown}\n\n{earlier}", MOST_SHOWN),
    )


def open_item_of(tx: ReadTx, conflict: EditConflict) -> InboxItem | None:
    """Return the item of a conflict while it waits for the user."""
    item = inbox.find_readable(tx, conflict.item, USER)
    return item if item is not None and item.status == "open" else None


def withdraw(tx: WriteTx, conflict: EditConflict, context: ChangeContext) -> None:
    """Close the item of a conflict that is none any more; what it was about was never replaced.

    If an earlier edit was, that one is put back and asked about instead.
    """
    if conflict.earlier and not conflict.restores:
        *earlier, theirs = conflict.earlier
        former = replace(conflict, theirs=theirs, earlier=tuple(earlier), restores=True)
        rows.put_conflict(tx, former)
        return
    inbox.close(tx, conflict.item, "obsolete", context)
    if conflict.kept:
        # Nothing is to be decided any more, and no edit may be overwritten for it.
        done = replace(conflict, decision="workspace", theirs=conflict.ours)
        rows.put_conflict(tx, done)
    else:
        rows.drop_conflict(tx, conflict.item)


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    conflict = rows.conflict(tx, decision.item.id)
    if conflict is None:
        return _GONE
    if rows.conflicts(tx)[conflict.target].item != conflict.item:
        return _OLDER
    if decision.action == "take_edit":
        if not conflict.files or not all(map(is_known_file, conflict.files)):
            return _NO_FILE
        rows.decide(tx, conflict.item, "edit")
    else:
        rows.decide(tx, conflict.item, "workspace")
    tx.publish(Changed(TOPIC, DECIDED, (conflict.target,)))
    return DecisionEffect()


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    conflict = rows.conflict(tx, decision.item.id)
    if conflict is None:
        return _GONE
    if rows.conflicts(tx)[conflict.target].item != conflict.item:
        return _OLDER
    rows.decide(tx, conflict.item, None, restores=True)
    tx.publish(Changed(TOPIC, DECIDED, (conflict.target,)))
    return None


def _show(tx: ReadTx, item: InboxItem, _: Reader) -> ItemDetail:
    conflict = rows.conflict(tx, item.id)
    shown = "" if conflict is None else conflict.shown
    return ItemDetail(content=f"{item.content}\n\n{shown}".strip())


CONFLICT: Final = InboxKind(
    name=_NAME,
    label="Edited block",
    plural="Edited blocks",
    actions=(
        InboxAction(
            name="use_workspace",
            label="Use the workspace's text",
            report="Using the workspace's text",
            outcome="replaced by the workspace's text",
            command="use-workspace",
        ),
        InboxAction(
            name="take_edit",
            label="Take the edit into the workspace",
            report="Took the edit into the workspace",
            outcome="taken into the workspace",
            command="take-edit",
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
)
