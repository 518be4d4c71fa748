"""Carries out the removal of what came from a source, and undoes it, in short transactions.

What is to be done stands in the database before anything is: a removal that is interrupted goes on
where it was. Each step writes what it did in its own transaction.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.events import Changed
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import ItemClosed
from intaglio.lifecycle.sources import rows
from intaglio.lifecycle.sources.values import (
    TOPIC,
    ItemOutcome,
    OriginMemory,
    OriginPreview,
    RemovalItem,
    RemovalRecord,
    RemovedKind,
    session_item_id,
    session_of_item,
)
from intaglio.memory import operations
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Actor, Done, PinnedConflict
from intaglio.session_notes import rows as note_rows
from intaglio.sessions.continuity import rows as checkpoints
from intaglio.sessions.past_sessions import rows as past_session_rows
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.values import SessionKey
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.removal import forget_session

# Items written in one transaction: about 5 ms.
_WRITTEN_AT_ONCE: Final = 1_000
_UNDONE: Final = "taking its source back was undone"
# In a session's detail: the user had not forgotten it before.
_NEVER: Final = "never"


@dataclass(frozen=True, slots=True)
class RemovalLocks:
    """Locks that the callers of a `SourceRemover` hold: while they plan, and while they work.

    Work takes minutes for a large source; another one can be planned meanwhile.
    """

    planning: asyncio.Lock = field(default_factory=asyncio.Lock)
    working: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True)
class SourceRemover:
    """Records and carries out removals, one after another."""

    db: Database
    context: ChangeContext
    locks: RemovalLocks = field(default_factory=RemovalLocks)

    async def begin(
        self, preview: OriginPreview, audit: Audit, *, elsewhere: bool
    ) -> RemovalRecord:
        """Record what is going to be removed; from then on it is done, whatever happens.

        Memories that stay are recorded with the reason; with ``elsewhere`` only pinned ones do.
        """
        record = RemovalRecord(
            seq=0,
            id=self.context.new_id(),
            origin=preview.origin,
            label=preview.label,
            state="planned",
            reason=audit.reason or "",
            changed_by=audit.actor.name,
            created_at=self.context.now,
            undone_at=None,
            forgotten=0,
            kept=0,
            dropped=0,
        )
        contents = preview.contents
        items = (
            *(RemovalItem("session", session_item_id(each), "") for each in contents.sessions),
            *(
                RemovalItem("memory", each.id, _planned(each, elsewhere=elsewhere))
                for each in contents.memories
            ),
            *(RemovalItem("suggestion", each, "") for each in contents.suggestions),
        )
        seq = await self.db.write(lambda tx: rows.insert(tx, record))
        for start in range(0, len(items), _WRITTEN_AT_ONCE):
            some = items[start : start + _WRITTEN_AT_ONCE]
            await self.db.write(partial(rows.add_items, seq=seq, items=some))

        def run(tx: WriteTx) -> None:
            rows.set_state(tx, seq, "running")
            tx.publish(Changed(TOPIC, "added", (record.id,)))

        await self.db.write(run)
        return replace(record, seq=seq, state="running")

    async def carry_out(self, record: RemovalRecord) -> None:
        """Remove what is left of a removal's items, and record that it is complete."""
        audit = Audit(Actor(record.changed_by), record.reason)
        for item in await self._left(record, "session", ""):
            await self._remove_session(record, item)
        memories = await self._left(record, "memory", "")

        def forget(tx: WriteTx, item: RemovalItem) -> None:
            outcome: ItemOutcome
            match operations.forget(tx, item.id, audit, self.context):
                case Done():
                    outcome = "forgotten"
                case PinnedConflict():
                    outcome = "pinned"
                case _:
                    outcome = "gone"
            rows.settle(tx, record.seq, replace(item, outcome=outcome))

        await merge_for(self.db, memories)
        await in_batches(self.db, memories, forget)

        def drop(tx: WriteTx, item: RemovalItem) -> None:
            closed = inbox.close(tx, item.id, "drop", self.context)
            done = (
                replace(item, outcome="dropped", detail=closed.item.decided_at or "")
                if isinstance(closed, ItemClosed)
                else replace(item, outcome="gone")
            )
            rows.settle(tx, record.seq, done)

        await in_batches(self.db, await self._left(record, "suggestion", ""), drop)

        def finish(tx: WriteTx) -> None:
            rows.finish(tx, record.seq)
            tx.publish(Changed(TOPIC, "updated", (record.id,)))

        await self.db.write(finish)

    async def _remove_session(self, record: RemovalRecord, item: RemovalItem) -> None:
        """Delete for good what is stored of a conversation; its statements stay on record."""
        key = session_of_item(item.id)

        def begin(tx: WriteTx) -> RemovalItem:
            begun = item
            if not item.detail:
                former = transcripts.forgotten_at(tx, *key)
                begun = replace(item, detail=former or _NEVER)
                rows.settle(tx, record.seq, begun)
            transcripts.mark_forgotten(tx, *key, record.created_at)
            considered_rows.delete_of_session(tx, *key)
            past_session_rows.forget(tx, *key)
            note_rows.forget(tx, *key)
            checkpoints.forget(tx, *key)
            return begun

        done = replace(await self.db.write(begin), outcome="deleted")
        await forget_session(self.db, *key, record.created_at)
        await self.db.write(partial(rows.settle, seq=record.seq, item=done))

    async def _left(
        self, record: RemovalRecord, kind: RemovedKind, outcome: ItemOutcome
    ) -> list[RemovalItem]:
        return await self.db.read(lambda tx: rows.items(tx, record.seq, kind, outcome))


@dataclass(frozen=True, slots=True)
class RemovalUndo:
    """Undoes removals; ``within`` is how long a forgotten memory can be restored.

    ``read_again`` reads a session's transcript up to a time, if there still is one; it returns
    False if nothing may be read now.
    """

    remover: SourceRemover
    within: Callable[[], timedelta]
    read_again: Callable[[SessionKey, datetime], Awaitable[bool]]

    async def carry_out(self, record: RemovalRecord) -> bool:
        """Bring back what is left to bring back of a removal; False if not all was possible now.

        Sessions may be captured again; memories are restored and suggestions reopened unless
        somebody decided on them since. Then transcripts are read again, whose statements are known
        and whose memories are back.
        """
        db, seq = self.remover.db, record.seq
        sessions = await self._items(record, "session", "deleted")
        for item in sessions:
            await self._allow(record, item)
        # Not the user's own act for each: it would count as their confirmation.
        audit = Audit(Actor(record.changed_by, "daemon"), _UNDONE)
        context, within = self.remover.context, self.within()

        def restore(tx: WriteTx, item: RemovalItem) -> None:
            done = operations.recover(tx, item.id, audit, context, within)
            outcome: ItemOutcome = "returned" if isinstance(done, Done) else "gone"
            rows.settle(tx, seq, replace(item, outcome=outcome))

        await in_batches(db, await self._items(record, "memory", "forgotten"), restore)

        def reopen(tx: WriteTx, item: RemovalItem) -> None:
            found = inbox_rows.get(tx, item.id)
            is_as_left = (
                found is not None and found.action == "drop" and found.decided_at == item.detail
            )
            if found is not None and is_as_left:
                inbox.reopen(tx, found)
            outcome: ItemOutcome = "returned" if is_as_left else "gone"
            rows.settle(tx, seq, replace(item, outcome=outcome))

        await in_batches(db, await self._items(record, "suggestion", "dropped"), reopen)
        return await self._read_again(record, sessions)

    async def _allow(self, record: RemovalRecord, item: RemovalItem) -> None:
        """Let a session be read again, from where the user had forgotten it before."""
        db, key = self.remover.db, session_of_item(item.id)
        former = None if item.detail in {"", _NEVER} else item.detail

        def allow(tx: WriteTx) -> list[int]:
            if rows.is_held_by_another(tx, record.seq, item):
                return []
            transcripts.set_forgotten_at(tx, *key, former)
            return transcripts.removed_rows(tx, *key, former or "")

        await in_batches(db, await db.write(allow), transcripts.delete_message)

    async def _read_again(self, record: RemovalRecord, sessions: Sequence[RemovalItem]) -> bool:
        until = parse_moment(record.created_at) or self.remover.context.clock()
        for item in sessions:
            if not await self.read_again(session_of_item(item.id), until):
                return False
            back = replace(item, outcome="returned")
            await self.remover.db.write(partial(rows.settle, seq=record.seq, item=back))

        def finish(tx: WriteTx) -> None:
            rows.set_state(tx, record.seq, "undone")
            tx.publish(Changed(TOPIC, "updated", (record.id,)))

        await self.remover.db.write(finish)
        return True

    async def _items(
        self, record: RemovalRecord, kind: RemovedKind, outcome: ItemOutcome
    ) -> list[RemovalItem]:
        return await self.remover.db.read(lambda tx: rows.items(tx, record.seq, kind, outcome))


def _planned(memory: OriginMemory, *, elsewhere: bool) -> ItemOutcome:
    if memory.stays is None or (elsewhere and memory.stays != "pinned"):
        return ""
    return memory.stays
