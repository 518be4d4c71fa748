"""SQL that reads the texts which labels are made of; only of what their reader may read."""

from array import array
from collections.abc import Sequence

from intaglio.memory.filters import Filter, where
from intaglio.projection.labels.terms import READ_CHARS
from intaglio.store.tx import ReadTx


def texts_of(tx: ReadTx, seqs: Sequence[int], filters: Filter) -> dict[int, str]:
    """Return the beginnings of those of these memories that pass the filter."""
    condition, params = where(filters)
    return dict(
        tx.rows(
            tuple[int, str],
            "SELECT m.seq, substr(m.content, 1, ?) FROM memories m "  # noqa: S608 - built by where()
            f"WHERE m.seq IN (SELECT value FROM carray(?)) AND {condition}",
            (READ_CHARS, tx.bind_integers(array("q", seqs)), *params),
        )
    )
