"""SQL that finds the memories that are split off."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from intaglio.domain.reader import Reader
from intaglio.graph.entity_rows import GROUP, LINKED
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx

_OF_ENTITY = (
    f"EXISTS (SELECT 1 FROM ({LINKED.format('m.seq')}) l WHERE l.entity IN ({GROUP.format('?1')}))"  # noqa: S608 - constants
)


class NamedMemory(NamedTuple):
    """A live memory that names an entity or is about it."""

    seq: int
    id: str
    project: str | None


def memories(tx: ReadTx, entity: int, ids: Sequence[str], reader: Reader) -> list[NamedMemory]:
    """Return those of these memories that are the entity's, live and visible."""
    condition, params = reader_condition(reader)
    readable = tx.column(
        str,
        "SELECT m.id FROM memories m WHERE m.id IN (SELECT value FROM json_each(?)) "  # noqa: S608 - built by reader_condition
        f"AND m.is_deleted = 0 AND {condition}",
        [json.dumps(list(ids)), *params],
    )
    return tx.map(
        NamedMemory,
        "SELECT m.seq, m.id, m.project FROM memories m "  # noqa: S608 - constants
        f"WHERE m.id IN (SELECT value FROM json_each(?2)) AND {_OF_ENTITY} ORDER BY m.seq",
        (entity, json.dumps(readable)),
    )
