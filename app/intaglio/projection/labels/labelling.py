"""Labels a map from its points and texts of a sample of them; pure."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.projection.binary_map import PackedPoints
from intaglio.projection.labels.clusters import (
    NO_CLUSTER,
    Cluster,
    Clusters,
    PointBools,
    PointFloats,
    PointInts,
    find_clusters,
)
from intaglio.projection.labels.values import ClusterLabel, MapLabelling
from intaglio.projection.labels.words import PartTexts, distinctive_words
from intaglio.projection.reading_rows import STEPS
from intaglio.projection.values import EXTENT

# Of a part, so many texts are read; of large ones more, so that the whole stays bounded.
_MIN_TEXTS: Final = 20
_SHARED_TEXTS: Final = 5_000
# The flags of points whose memories were replaced or forgotten.
_ENDED: Final = 8 | 16


@dataclass(frozen=True, slots=True)
class ClusteredMap:
    """The clusters of a map; ``sizes`` has how many of the counted points each part has."""

    found: Clusters
    solid: PointFloats | None
    counted: PointBools
    sizes: PointInts

    @classmethod
    def of(cls, points: PackedPoints) -> "ClusteredMap":
        """Cluster points by their places in two dimensions.

        Those of memories that were replaced or forgotten make no clusters.
        """
        flat, solid = _places(points, "xy", 2), _places(points, "xyz", 3)
        counted = (np.frombuffer(_column(points, "flags"), np.uint8) & _ENDED) == 0
        found = find_clusters(np.zeros((0, 2)) if flat is None else flat, counted)
        return cls(found, solid, counted, np.bincount(found.part_of[counted], minlength=1))

    def sample(self) -> list[tuple[int, int]]:
        """Return the points whose texts tell the words, as part and index; evenly of each part.

        At most about 10,000.
        """
        wanted = {part for cluster in self.found.clusters for part in cluster.parts}
        chosen: list[tuple[int, int]] = []
        for part, points in sorted(self._points_of_parts().items()):
            if part in wanted:
                share = _SHARED_TEXTS * len(points) // int(self.sizes.sum())
                most = min(len(points), max(_MIN_TEXTS, share))
                places = np.linspace(0, len(points) - 1, most).astype(np.int64)
                chosen += ((part, point) for point in points[places].tolist())
        return chosen

    def _points_of_parts(self) -> dict[int, PointInts]:
        (points,) = np.nonzero(self.counted)
        order = points[np.argsort(self.found.part_of[points], kind="stable")]
        ends = np.cumsum(self.sizes)
        return {
            part: order[end - size : end]
            for part, (end, size) in enumerate(zip(ends.tolist(), self.sizes.tolist(), strict=True))
            if size
        }

    def labelled(self, texts: PartTexts) -> MapLabelling:
        """Return the clusters that have words, and the members of each."""
        clusters = self.found.clusters
        words = distinctive_words(clusters, self.sizes.tolist(), texts)
        points = self._points_of_parts()
        labels = tuple(
            ClusterLabel(
                id=cluster.id,
                level=cluster.level,
                words=own,
                count=cluster.count,
                position=cluster.peak,
                position_3d=self._middle(cluster, points),
            )
            for cluster, own in zip(clusters, words, strict=True)
            if own
        )
        shown = np.full(NO_CLUSTER + 1, NO_CLUSTER, np.int64)
        for label in labels:
            shown[label.id] = label.id
        members = tuple(shown[each].astype("<u2").tobytes() for each in self.found.members)
        return MapLabelling(labels, members)

    def _middle(
        self, cluster: Cluster, points: dict[int, PointInts]
    ) -> tuple[float, float, float] | None:
        """Return the median place of a cluster's points in three dimensions."""
        if self.solid is None:
            return None
        own = np.concatenate([points[part] for part in cluster.parts if part in points])
        x, y, z = np.median(self.solid[own], axis=0).tolist()
        return x, y, z


def _places(points: PackedPoints, name: str, dimensions: int) -> PointFloats | None:
    """Return a column of coordinates; None if there is none."""
    column = _column(points, name)
    if not column:
        return None
    steps = np.frombuffer(column, "<i2").reshape(-1, dimensions)
    return np.asarray(steps * (EXTENT / STEPS), np.float64)


def _column(points: PackedPoints, name: str) -> bytes:
    found = next((each for each in points.columns if each.name == name), None)
    return points.body[found.offset : found.offset + found.length] if found else b""
