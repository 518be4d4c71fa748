"""Keeps the mean vectors of transcripts between searches: reading them takes as long as the rest.

Each search asks first which of those kept are still as stored; the others are dropped, so that
nothing of a session that was forgotten outlasts the next search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.store.tx import ReadTx
from intaglio.transcripts.vectors import rows
from intaglio.transcripts.vectors.rows import SpokenState

if TYPE_CHECKING:
    from intaglio.inference.token_table import Floats

_MOST: Final = 4_000


@dataclass(frozen=True, slots=True)
class Centroids:
    """Mean vectors of unit length, a row for each of ``transcripts``."""

    transcripts: Sequence[int]
    units: "Floats"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is kept, never changed but replaced: vectors, and what the texts were like by then.

    ``asked`` is what was asked for by then if that is all that is kept, else None.
    """

    model: str
    states: Sequence[SpokenState]
    places: Mapping[int, int]
    vectors: Centroids
    asked: Sequence[int] | None


@dataclass(slots=True)
class CentroidCache:
    """Reads mean vectors of transcripts; any thread may use it. 1.5 kB each."""

    most: int = _MOST
    _kept: _Kept | None = field(default=None)

    def clear(self) -> None:
        """Keep nothing: none is asked for, so that nobody sees which are outdated."""
        self._kept = None

    def get(self, tx: ReadTx, model: str, wanted: Sequence[int]) -> Centroids:
        """Return those of the transcripts that have one."""
        kept = self._kept
        if kept is None or kept.model != model:
            kept = self._kept = _Kept(model, (), {}, _joined(None, (), ()), None)
        states = rows.states(tx, {*wanted, *kept.places})
        if kept.asked == wanted and kept.states == states:
            return kept.vectors
        same = {number for number, *_ in {*kept.states}.intersection(states)}
        known = [each for each in wanted if each in same]
        read = rows.centroids(tx, model, [each for each in wanted if each not in same])
        found = _joined(kept, known, read)
        others = [*same.difference(known)]
        if len(others) + len(found.transcripts) > self.most:
            others = []
        lasts = {number: last for number, last, *_ in states}
        # The vector of one that has grown is read until its new messages are embedded.
        whole = [each for each in read if each[2] >= lasts.get(each[0], each[2] + 1)]
        if whole or len(others) + len(known) < len(kept.places):
            is_all = not others and len(whole) == len(read)
            vectors = found if is_all else _joined(kept, [*known, *others], whole)
            places = {number: at for at, number in enumerate(vectors.transcripts)}
            self._kept = _Kept(
                model,
                [each for each in states if each[0] in places],
                places,
                vectors,
                wanted if len(places) == len(wanted) else None,
            )
        return found


def _joined(
    kept: _Kept | None, known: Sequence[int], read: Sequence[tuple[int, bytes, int]]
) -> Centroids:
    """Return vectors that are kept, then those that were read."""
    # numpy takes a tenth of the daemon's start; here, the model has loaded it.
    import numpy as np  # noqa: PLC0415 - see above

    from intaglio.recall.ranking.late_interaction import unit_rows  # noqa: PLC0415 - see above

    parts: list[Floats] = []
    if kept is not None and known:
        parts.append(kept.vectors.units[[kept.places[each] for each in known]])
    if read:
        parts.append(unit_rows([centroid for _, centroid, _ in read]))
    listed = (*known, *(number for number, *_ in read))
    return Centroids(listed, np.concatenate(parts) if parts else np.zeros((0, 0), np.float32))
