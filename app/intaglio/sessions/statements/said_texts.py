"""Has the transcripts follow memories: what is forgotten or erased isn't found in them either."""

from intaglio.base.text import content_hash
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.sessions.statements import rows
from intaglio.store.tx import WriteTx
from intaglio.transcripts.removal import SaidSentence, make_final, put_back, take_out


def follow_memory(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Take a memory's words out of what was said once it is gone, and put them back with it.

    A text that another live memory has stays, unless it was erased.
    """
    if change.what == "recovered":
        put_back(tx, change.id, context.now)
    elif change.gone_text and (
        change.is_erased or not memories.is_live_anywhere(tx, content_hash(change.gone_text))
    ):
        said = [
            SaidSentence(each.harness, each.message_id, each.sentence)
            for each in rows.of_memory(tx, change.id)
        ]
        take_out(tx, change.id, said, [change.gone_text], context.now, is_erased=change.is_erased)
    if change.is_erased:
        make_final(tx, change.id)
