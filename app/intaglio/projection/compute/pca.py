"""Principal components: what takes UMAP's place where it can't be."""

import numpy as np

from intaglio.projection.compute.arrays import FloatArray
from intaglio.projection.values import Dimensions


def principal_components(vectors: FloatArray, dimensions: Dimensions) -> FloatArray:
    """Return points x dimensions: the vectors along the directions in which they differ most.

    Each direction points to where its largest share is positive, so that the same vectors give the
    same layout. Directions that few or equal vectors lack are zero.
    """
    found = np.zeros((len(vectors), dimensions), np.float32)
    if not len(vectors):
        return found
    middle = vectors.mean(axis=0)
    # The covariance is small however many vectors there are.
    covariance = (vectors.T @ vectors).astype(np.float64) / len(vectors) - np.outer(middle, middle)
    _, directions = np.linalg.eigh(covariance)
    axes = directions[:, ::-1][:, :dimensions]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(axes.shape[1])])
    found[:, : axes.shape[1]] = (vectors - middle) @ axes
    return found
