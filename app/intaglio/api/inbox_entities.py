"""The entities of inbox items, as the API shows them."""

from typing import Final

from intaglio.base.text import clip
from intaglio.domain.reader import Reader
from intaglio.graph import entity_rows, mention_rows
from intaglio.graph.values import Entity
from intaglio.inbox.values import InboxItem
from intaglio.store.tx import ReadTx
from intaglio.wire.inbox import InboxEntity

_SAMPLES: Final = 2
_SAMPLE_CHARS: Final = 300


def entities_of(tx: ReadTx, item: InboxItem, reader: Reader) -> list[InboxEntity]:
    """Return the two entities of a possible merge, for a reader who may read the item."""
    ids = [each for each in (item.entity_id, item.other_entity_id) if each is not None]
    found = [entity for each in ids if (entity := entity_rows.get(tx, each))]
    return [_shown(tx, entity, reader) for entity in found]


def _shown(tx: ReadTx, entity: Entity, reader: Reader) -> InboxEntity:
    facts = mention_rows.facts(tx, entity.seq, reader, None, _SAMPLES)
    return InboxEntity(
        id=entity.id,
        name=entity.name,
        entity_type=entity.type,
        mentions=entity.mentions,
        samples=[clip(fact.content, _SAMPLE_CHARS) for fact in facts],
        merged=entity.merged_into is not None,
    )
