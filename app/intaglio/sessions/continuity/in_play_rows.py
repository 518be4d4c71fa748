"""SQL on the entities and aspects that sessions are about."""

import json
from collections.abc import Collection
from typing import Final, TypeVar

from intaglio.sessions.continuity.in_play_values import AspectInPlay, EntityInPlay
from intaglio.store.tx import ReadTx

_LISTED: Final = "IN (SELECT value FROM json_each(?))"
T = TypeVar("T", EntityInPlay, AspectInPlay)


def entities(tx: ReadTx, ids: Collection[str]) -> tuple[EntityInPlay, ...]:
    """Return the entities with these ids, in their order; those that are gone are left out."""
    found = tx.map(
        EntityInPlay,
        f"SELECT id, name, entity_type FROM entities WHERE id {_LISTED}",  # noqa: S608 - a constant
        (json.dumps(list(ids)),),
    )
    return _in_order(found, ids)


def aspects(tx: ReadTx, ids: Collection[str]) -> tuple[AspectInPlay, ...]:
    """Return the aspects with these ids, in their order; those that are gone are left out."""
    found = tx.map(
        AspectInPlay,
        "SELECT a.id, a.name, e.id, e.name FROM entity_aspects a JOIN entities e "  # noqa: S608 - a constant
        f"ON e.seq = a.entity WHERE a.id {_LISTED}",
        (json.dumps(list(ids)),),
    )
    return _in_order(found, ids)


def _in_order(found: list[T], ids: Collection[str]) -> tuple[T, ...]:
    known = {each.id: each for each in found}
    return tuple(known[each] for each in ids if each in known)
