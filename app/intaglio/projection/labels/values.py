"""The values of labels."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClusterLabel:
    """A cluster of memories with its most distinctive words; level 0 is the coarsest."""

    id: int
    level: int
    words: tuple[str, ...]
    count: int
    position: tuple[float, float]
    position_3d: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class MapLabelling:
    """The labels of a map.

    ``members`` has for each level the cluster of each point as little-endian u16, 65535 for none.
    """

    labels: tuple[ClusterLabel, ...]
    members: tuple[bytes, ...]
