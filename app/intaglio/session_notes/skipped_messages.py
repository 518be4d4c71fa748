"""The repair that has skipped messages read: after the rule by which they were skipped changed."""

from functools import partial
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused, RepairResult
from intaglio.session_notes import turn_rows
from intaglio.session_notes.turns import TurnReader, queue
from intaglio.store.batches import in_batches
from intaglio.store.tx import WriteTx

_QUEUED: Final = 50
_BATCH_S: Final = 0.004
_AGAIN_S: Final = 60.0


def skipped_messages_repair(reader: TurnReader) -> Repair:
    """Return the declaration of the repair."""
    db = reader.db

    async def count(options: RepairOptions) -> RepairResult:
        found = await db.read(turn_rows.count_skipped)
        most = found if options.everything else options.limit or _QUEUED
        return RepairResult(
            affected=min(found, most),
            message=count_of(found, "message was skipped", "messages were skipped"),
        )

    async def run(options: RepairOptions) -> RepairResult | RepairRefused:
        if not reader.is_on():
            return RepairRefused(
                "reading messages for the graph is switched off",
                _AGAIN_S,
                "Switch it on in Settings; it needs a language model and the graph.",
            )
        limit = (
            await db.read(turn_rows.count_skipped) if options.everything else options.limit
        ) or _QUEUED
        found = await db.read(partial(turn_rows.skipped, limit=limit))
        at = reader.context.now

        def step(tx: WriteTx, message: int) -> int:
            return queue(tx, (message,), at) if turn_rows.unmark(tx, message) else 0

        queued = sum(await in_batches(db, found, step, _BATCH_S))
        return RepairResult(
            affected=queued, message=count_of(queued, "message queued", "messages queued")
        )

    return Repair(
        action="backfill-skipped",
        title="Read skipped messages",
        text="Queues messages that were skipped as saying nothing new. What the settings of now "
        "skip as well is skipped again; each of the others costs a call of your model.",
        budget="queue",
        count=count,
        run=run,
    )
