"""UMAP by the library umapers, which only this module imports."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from intaglio.projection.compute.arrays import FloatArray, Neighbours
from intaglio.projection.values import Dimensions

if TYPE_CHECKING:
    from umapers import Umap

UmapLayout: TypeAlias = Callable[[Neighbours, Dimensions, int], FloatArray]

FEWEST: Final = 4
"""UMAP of fewer points says nothing."""

_EPOCHS: Final = 200
# Beyond this, the eigenvectors from which it starts would take longer than all else.
_SPECTRAL_UP_TO: Final = 10_000


def load_umap() -> UmapLayout | None:
    """Return UMAP; None if the library is missing (Python 3.14) or doesn't load."""
    try:
        from umapers import Umap  # noqa: PLC0415 - it may be missing
    except (ImportError, OSError):
        return None

    def lay_out(neighbours: Neighbours, dimensions: Dimensions, seed: int) -> FloatArray:
        """Return points x dimensions, of any size."""
        return _fit(Umap, neighbours, dimensions, seed)

    return lay_out


def _fit(
    umap: "type[Umap]", neighbours: Neighbours, dimensions: Dimensions, seed: int
) -> FloatArray:
    points, count = neighbours.indexes.shape
    model = umap(
        n_neighbors=count,
        n_components=dimensions,
        n_epochs=_EPOCHS,
        random_seed=seed,
        init="spectral" if points <= _SPECTRAL_UP_TO else "random",
    )
    # Given the neighbours, it reads nothing of the vectors but how many there are.
    stand_in = np.zeros((points, 1), np.float32)
    return model.fit_transform_with_knn(stand_in, neighbours.indexes, neighbours.distances)
