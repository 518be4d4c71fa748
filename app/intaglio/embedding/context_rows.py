"""SQL for what a memory's vector is made with besides its text.

Only memories of the same session, agent, project and visibility are context, so a vector carries
nothing that a reader of its memory may not see. Triggers delete vectors whose context changes
(m0014); they repeat the order and the distance that are used here.
"""

from array import array
from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from intaglio.base.clock import parse_moment
from intaglio.embedding.values import MemoryContext
from intaglio.memory.values import ANONYMOUS_SESSION
from intaglio.store.tx import ReadTx

# A longer text surely has more word pieces than a turn of a conversation.
_MAX_TURN_CHARS: Final = 2_000
_PAUSE: Final = timedelta(hours=1)
_PREVIOUS: Final = """
    SELECT p.seq FROM memories p
    WHERE p.session_id = m.session_id AND p.seq < m.seq AND p.seq >= m.seq - 1000
    AND p.agent_id = m.agent_id AND p.project IS m.project AND p.visibility = m.visibility
    AND p.is_deleted = 0 ORDER BY p.seq DESC LIMIT 1
"""


class _Pair(NamedTuple):
    seq: int
    at: str
    previous: int
    previous_at: str
    text: str


def contexts(tx: ReadTx, seqs: Sequence[int]) -> dict[int, MemoryContext]:
    """Return the contexts of live memories that have any."""
    pairs = _pairs(tx, seqs)
    earlier = _pairs(tx, [pair.previous for pair in pairs.values()])
    found: dict[int, MemoryContext] = {}
    for seq, pair in pairs.items():
        second = earlier.get(pair.previous)
        texts = (pair.text,) if second is None else (second.text, pair.text)
        found[seq] = MemoryContext(texts, previous=pair.previous)
    return found | _statements(tx, [seq for seq in seqs if seq not in found])


def _pairs(tx: ReadTx, seqs: Sequence[int]) -> dict[int, _Pair]:
    """Return each memory with the one before it, if both may belong to one conversation."""
    pairs = tx.map(
        _Pair,
        "SELECT m.seq, m.created_at, p.seq, p.created_at, p.content FROM memories m "  # noqa: S608 - constants only
        f"JOIN memories p ON p.seq = ({_PREVIOUS}) "
        "WHERE m.seq IN (SELECT value FROM carray(?)) AND m.session_id NOT GLOB ? "
        "AND length(m.content) <= ? AND length(p.content) <= ?",
        (
            tx.bind_integers(array("q", seqs)),
            f"{ANONYMOUS_SESSION}*",
            _MAX_TURN_CHARS,
            _MAX_TURN_CHARS,
        ),
    )
    return {pair.seq: pair for pair in pairs if _is_close(pair)}


def _is_close(pair: _Pair) -> bool:
    at, before = parse_moment(pair.at), parse_moment(pair.previous_at)
    return at is not None and before is not None and before <= at <= before + _PAUSE


def _statements(tx: ReadTx, seqs: Sequence[int]) -> dict[int, MemoryContext]:
    """Return the contexts of memories that were captured in their own scope."""
    rows = tx.rows(
        tuple[int, int, str],
        "SELECT m.seq, t.seq, t.context FROM memories m JOIN statements t ON t.memory_id = m.id "
        "WHERE m.seq IN (SELECT value FROM carray(?)) "
        "AND m.source_id = t.message_id || '@' || t.start_char AND t.context <> '' "
        "AND t.agent_id = m.agent_id AND t.project IS m.project AND length(m.content) <= ? "
        "ORDER BY t.seq DESC",
        (tx.bind_integers(array("q", seqs)), _MAX_TURN_CHARS),
    )
    return {seq: MemoryContext((context,), statement=number) for seq, number, context in rows}
