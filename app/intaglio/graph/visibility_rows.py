"""SQL that tells what of another agent's entities a reader sees: their names and counts.

Names that only memories use which the reader may not read stay hidden, and don't count.
"""

from collections.abc import Sequence
from dataclasses import replace

from intaglio.domain.reader import Reader, UserReader
from intaglio.graph.entity_rows import GROUP
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.query_rows import LIVE, aliases
from intaglio.graph.values import Entity
from intaglio.memory.filters import reader_condition
from intaglio.store.tx import ReadTx


def as_seen(tx: ReadTx, entities: Sequence[Entity], reader: Reader) -> list[Entity]:
    """Return the entities as a reader sees them."""
    return [each if is_own(each, reader) else _as_foreign(tx, each, reader) for each in entities]


def is_own(entity: Entity, reader: Reader) -> bool:
    """Whether all of an entity's memories are the reader's to read."""
    return isinstance(reader, UserReader) or entity.agent_id == reader.agent_id


def _as_foreign(tx: ReadTx, entity: Entity, reader: Reader) -> Entity:
    names = [each.alias for each in aliases(tx, entity.seq, reader)]
    known = any(canonical_name(name) == entity.canonical_name for name in names)
    name = entity.name if known or not names else names[0]
    condition, params = reader_condition(reader)
    group = GROUP.format("e.seq")
    mentions = tx.count(
        "SELECT count(*) FROM entities e JOIN memories m ON m.seq IN ("  # noqa: S608 - built by reader_condition
        "SELECT n.memory FROM entity_aliases a JOIN memory_entity_mentions n ON n.alias = a.seq "
        f"WHERE a.entity IN ({group}) "
        f"UNION SELECT t.memory FROM entity_attributes t WHERE t.entity IN ({group})) "
        f"WHERE e.seq = ? AND {LIVE} AND {condition}",
        [entity.seq, *params],
    )
    return replace(entity, name=name, canonical_name=canonical_name(name), mentions=mentions)
