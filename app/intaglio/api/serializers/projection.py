"""Converts maps of memories to the forms of the API."""

import base64
from typing import Final

import msgspec

from intaglio.api.serializers.convert import convert
from intaglio.projection.binary_map import ALIGNMENT
from intaglio.projection.labels.values import MapLabelling
from intaglio.projection.map_views import MapView
from intaglio.projection.reader_state import ReaderState
from intaglio.projection.values import EXTENT
from intaglio.wire.projection import (
    LayoutState,
    MapColumn,
    MapEntityName,
    MapFailure,
    MapHeader,
    MapLabel,
    MapLabels,
    MapRun,
    ProjectionState,
)

_MAGIC: Final = b"INTAMAP1"
_LENGTH_BYTES: Final = 4


def map_bytes(view: MapView) -> bytes:
    """Return the binary form of a map; `MapHeader` describes it."""
    packed = view.points
    header = MapHeader(
        token=view.token,
        generation=view.layout.generation,
        count=view.count,
        dimensions=[2, 3] if view.is_solid else [2],
        extent=EXTENT,
        unplaced=view.unplaced,
        computed_at=view.layout.computed_at,
        types=packed.types,
        origins=packed.origins,
        agents=packed.agents,
        projects=packed.projects,
        entities=[convert(each, MapEntityName) for each in view.entities],
        columns=[convert(each, MapColumn) for each in packed.columns],
    )
    text = msgspec.json.encode(header)
    text += b" " * (-(len(_MAGIC) + _LENGTH_BYTES + len(text)) % ALIGNMENT)
    return b"".join((_MAGIC, len(text).to_bytes(_LENGTH_BYTES, "little"), text, packed.body))


def state_reply(state: ReaderState) -> ProjectionState:
    """Return the state of a map as its reader may know it."""
    known, run = state.known, state.known.run
    return ProjectionState(
        project=known.scope.project,
        agent=known.scope.agent,
        memories=state.memories,
        embedded=state.embedded,
        layouts=[
            convert(layout, LayoutState, points=counts.points, placed=counts.placed)
            for layout, counts in state.layouts
        ],
        run=None
        if run is None
        else convert(run, MapRun, progress=round(run.fraction, 3), dimensions=list(run.dimensions)),
        failure=None if known.failure is None else convert(known.failure, MapFailure),
        is_outdated=known.is_outdated,
    )


def labels_reply(token: str, found: MapLabelling) -> MapLabels:
    """Return the labels of a map."""
    return MapLabels(
        token=token,
        labels=[convert(each, MapLabel, words=list(each.words)) for each in found.labels],
        members=[base64.b64encode(each).decode() for each in found.members],
    )
