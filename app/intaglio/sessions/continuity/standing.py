"""Tells which lines of a digest still stand: their messages and memories are there and hold."""

from collections.abc import Sequence

from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.sessions.continuity import rows
from intaglio.sessions.continuity.values import DigestLine
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.past_sessions.plain_sentences import plain_sentences
from intaglio.sessions.past_sessions.replaced import replaced_statements
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx


def intact_lines(tx: ReadTx, harness: str, lines: Sequence[DigestLine]) -> tuple[DigestLine, ...]:
    """Return the lines whose messages are stored as they were said."""
    intact = rows.intact(tx, harness, {each for line in lines for each in line.messages})
    return tuple(line for line in lines if intact.issuperset(line.messages))


def lines_that_stand(
    tx: ReadTx, session: SessionKey, lines: Sequence[DigestLine], filters: Filter
) -> tuple[DigestLine, ...]:
    """Return the lines that may still be told to an agent.

    ``filters`` select what it may be shown. A line goes with a message in which the user said what
    was forgotten, taken back or replaced since, and if it states something that was replaced.
    """
    intact = intact_lines(tx, session[0], lines)
    judged = past_sessions.judged(tx, *session)
    ids = {row[5] for row in judged if row[5]} | {each.memory_id for each in intact}
    wanted = sorted(each for each in ids if each)
    current = {each.id for each in memories.select(tx, filters, wanted, len(wanted))}
    outdated = {row[0] for row in judged if row[6] or (row[5] and row[5] not in current)}
    replaced = replaced_statements(tx, filters)
    return tuple(
        line
        for line in intact
        if outdated.isdisjoint(line.messages)
        and (line.memory_id is None or line.memory_id in current)
        and not (line.messages and any(map(replaced.are_stated_in, plain_sentences(line.text))))
    )
