"""Where the labels of entities stand in a map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.graph.values import Entity
from intaglio.memory.filters import Filter
from intaglio.projection.entity_rows import positions
from intaglio.projection.reading_rows import PointSelection, layout_of
from intaglio.projection.values import MapScope
from intaglio.store.tx import ReadTx

_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class EntityPlaces:
    """Positions of entities in two and three dimensions, by row number."""

    flat: Mapping[int, tuple[float, float]]
    solid: Mapping[int, tuple[float, float, float]]


def entity_places(
    tx: ReadTx, scope: MapScope, filters: Filter, entities: Sequence[Entity]
) -> EntityPlaces:
    """Return the places of entities among their memories that the filter selects.

    Those in two dimensions are moved apart, so that no label covers another; earlier entities
    have precedence.
    """
    # Not at the daemon's start: it needs numpy.
    from intaglio.projection.labels.spread import spread  # noqa: PLC0415 - see above

    wanted, seqs = PointSelection(filters), [each.seq for each in entities]
    flat, solid = layout_of(tx, scope, 2), layout_of(tx, scope, 3)
    in_flat = positions(tx, flat.number, wanted, seqs) if flat else {}
    in_solid = positions(tx, solid.number, wanted, seqs) if solid else {}
    placed = [each for each in entities if each.seq in in_flat]
    apart = spread([in_flat[each.seq][:2] for each in placed], [each.name for each in placed])
    return EntityPlaces(
        {
            each.seq: (round(x, _DIGITS), round(y, _DIGITS))
            for each, (x, y) in zip(placed, apart, strict=True)
        },
        {
            seq: (round(x, _DIGITS), round(y, _DIGITS), round(z or 0.0, _DIGITS))
            for seq, (x, y, z) in in_solid.items()
        },
    )
