"""The static table behind late interaction; imports numpy, so only with a loaded model."""

import mmap
import sys
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from intaglio.inference.manifest import CONTEXT_FILE, ROWS_FILE, SCALES_FILE

Floats: TypeAlias = npt.NDArray[np.float32]

_BLOCK: Final = 128


class TokenTable:
    """A row of 384 numbers for each word piece, and the map of a memory's vector to its states.

    The state of a memory's token is about ``rows([piece])[0] + context_matrix.T @ vector``
    (0050-late-interaction-table.md). The rows stay in the file, which is mapped into memory; any
    thread may read them. Raises OSError or ValueError if a file can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self._mapped = np.load(folder / ROWS_FILE, mmap_mode="r")
        # A plain array on the same memory: each slice of a mapped one takes 20 µs more.
        self._rows: npt.NDArray[np.int8] = np.asarray(self._mapped)
        self._scales: Floats = np.load(folder / SCALES_FILE)
        self.context_matrix: Floats = np.load(folder / CONTEXT_FILE)

    def products(self, pieces: npt.NDArray[np.integer], states: Floats) -> Floats:
        """Return the products of word pieces' rows and token states (pieces x states).

        Blocks of rows share a buffer: a large array for all of them would be taken from the system
        and given back each time, which costs more than the product.
        """
        found = np.empty((pieces.size, len(states)), np.float32)
        columns = np.ascontiguousarray(states.T)
        buffer = np.empty((min(_BLOCK, pieces.size), states.shape[1]), np.float32)
        known = np.minimum(pieces, len(self._rows) - 1)
        for start in range(0, pieces.size, _BLOCK):
            part = known[start : start + _BLOCK]
            levels = buffer[: part.size]
            levels[...] = self._rows[part]
            np.matmul(levels, columns, out=found[start : start + part.size])
        found *= self._scales[known, None]
        return found

    def rows(self, pieces: npt.NDArray[np.integer]) -> Floats:
        """Return the rows of word pieces (n x 384); an unknown piece has the last row."""
        known = np.minimum(pieces, len(self._rows) - 1)
        levels = np.asarray(self._rows[known], np.float32)
        return np.asarray(levels * self._scales[known, None], np.float32)

    def release_pages(self) -> None:
        """Return the memory of the rows that were read; the next use maps them again."""
        mapped = self._mapped.base
        # Elsewhere the system takes them back by itself, when it needs memory.
        if sys.platform == "linux" and isinstance(mapped, mmap.mmap):
            mapped.madvise(mmap.MADV_DONTNEED)
