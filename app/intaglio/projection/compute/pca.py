"""Principal components: what takes UMAP's place where it can't be."""

from typing import Final

import numpy as np

from intaglio.projection.compute.arrays import FloatArray
from intaglio.projection.values import Dimensions

# Coordinates of unit vectors below this are rounding.
_ROUNDING: Final = 1e-6


def principal_components(vectors: FloatArray, dimensions: Dimensions) -> FloatArray:
    """Return points x dimensions: the vectors along the directions in which they differ most.

    Each direction points to where its largest share is positive, so that the same vectors give the
    same layout. Coordinates along directions that few or equal vectors lack are zero.
    """
    found = np.zeros((len(vectors), dimensions), np.float32)
    if not len(vectors):
        return found
    centred: FloatArray = vectors - np.mean(vectors, axis=0)
    if len(vectors) < vectors.shape[1]:
        axes = np.linalg.svd(centred, full_matrices=False)[2].T
    else:
        # As small as a vector is long, however many vectors there are; smallest values first.
        axes = np.linalg.eigh((centred.T @ centred).astype(np.float64))[1][:, ::-1]
    axes = axes[:, :dimensions]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(axes.shape[1])])
    found[:, : axes.shape[1]] = centred @ axes
    found[np.abs(found) < _ROUNDING] = 0
    return found
