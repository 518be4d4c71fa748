"""Keeps the mean vectors of transcripts between searches: reading them takes as long as the rest.

Each search asks first which of those kept are still as stored; the others are dropped, so that
nothing of a session that was forgotten outlasts the next search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.store.tx import ReadTx
from intaglio.transcripts.vectors import rows

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
    """What is kept, never changed but replaced: the version of each vector, and its row."""

    model: str
    versions: Mapping[int, tuple[int, int, int, str]]
    places: Mapping[int, int]
    units: "Floats"


@dataclass(slots=True)
class CentroidCache:
    """Reads mean vectors of transcripts; any thread may use it. 1.5 kB each."""

    most: int = _MOST
    _kept: _Kept | None = field(default=None)

    def get(self, tx: ReadTx, model: str, wanted: Sequence[int]) -> Centroids:
        """Return those of the transcripts that have one."""
        # numpy takes a tenth of the daemon's start; here, the model has loaded it.
        import numpy as np  # noqa: PLC0415 - see above

        kept = self._kept
        if kept is None or kept.model != model:
            kept = _Kept(model, {}, {}, np.zeros((0, 0), np.float32))
        stored = rows.versions(tx, model, {*wanted, *kept.places})
        valid = {each for each, version in kept.versions.items() if stored.get(each) == version}
        known = [each for each in wanted if each in valid]
        lacking = [each for each in wanted if each in stored and each not in valid]
        read = rows.centroids(tx, model, lacking)
        found = _joined(kept, known, read)
        if read or len(valid) < len(kept.places):
            asked = set(found.transcripts)
            others = [each for each in valid if each not in asked]
            if others and len(others) + len(asked) <= self.most:
                self._keep(model, stored, _joined(kept, [*known, *others], read))
            else:
                self._keep(model, stored, found)
        return found

    def _keep(
        self, model: str, stored: Mapping[int, tuple[int, int, int, str]], found: Centroids
    ) -> None:
        places = {each: at for at, each in enumerate(found.transcripts)}
        versions = {each: stored[each] for each in places if each in stored}
        self._kept = _Kept(model, versions, places, found.units)


def _joined(kept: _Kept, known: Sequence[int], read: Sequence[tuple[int, bytes]]) -> Centroids:
    """Return vectors that are kept, then those that were read."""
    import numpy as np  # noqa: PLC0415 - see `CentroidCache.get`

    from intaglio.recall.ranking.late_interaction import unit_rows  # noqa: PLC0415 - see above

    listed = (*known, *(number for number, _ in read))
    parts: list[Floats] = []
    if len(known) == len(kept.places) and [*kept.places] == known:
        parts.append(kept.units)
    elif known:
        parts.append(kept.units[[kept.places[each] for each in known]])
    if read:
        parts.append(unit_rows([centroid for _, centroid in read]))
    filled = [each for each in parts if len(each)]
    if not filled:
        return Centroids((), np.zeros((0, 0), np.float32))
    return Centroids(listed, filled[0] if len(filled) == 1 else np.concatenate(filled))
