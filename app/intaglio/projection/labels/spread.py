"""Moves labels apart, so that none covers another; pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from intaglio.language.tokens import count_cjk
from intaglio.projection.values import EXTENT

Position = tuple[float, float]
_Cells = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

# The size of a label where the map is seen at twice its usual size, in units of the map.
_CHARACTER_WIDTH: Final = 2.0
_HEIGHT: Final = 5.0
_MAX_CHARACTERS: Final = 32
# More than that leaves no room to move; the labels are then apart when zoomed in further.
_MAX_SHARE_OF_MAP: Final = 0.1
_CELLS_PER_HEIGHT: Final = 2
_FIRST_REACH: Final = 20


def spread(positions: Sequence[Position], texts: Sequence[str]) -> list[Position]:
    """Move labels to the nearest places where their boxes don't overlap.

    A box is as wide as its text. Earlier labels have precedence: the first stays where it is.
    All stay within the map's extent. Takes milliseconds for hundreds of labels, and the same
    labels always get the same places.
    """
    widths = [(min(len(text) + count_cjk(text), _MAX_CHARACTERS) + 1.0) for text in texts]
    share = sum(widths) * _CHARACTER_WIDTH * _HEIGHT / (2 * EXTENT) ** 2
    scale = math.sqrt(min(1.0, _MAX_SHARE_OF_MAP / share)) if share else 1.0
    grid = _Grid.empty(_HEIGHT * scale / _CELLS_PER_HEIGHT)
    return [
        grid.place(position, width * _CHARACTER_WIDTH * scale)
        for position, width in zip(positions, widths, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Which square cells of the map, and of a margin around it, are covered by labels."""

    cell: float
    margin: int
    covered: _Cells

    @classmethod
    def empty(cls, cell: float) -> "_Grid":
        margin = math.ceil(_MAX_CHARACTERS * _CHARACTER_WIDTH / cell)
        count = math.ceil(2 * EXTENT / cell) + 2 * margin
        return cls(cell, margin, np.zeros((count, count), np.bool_))

    def place(self, position: Position, width: float) -> Position:
        """Cover the cells of a label's box at the nearest free place, and return its centre."""
        height, columns = _CELLS_PER_HEIGHT, math.ceil(width / self.cell)
        x, y = (max(-EXTENT, min(EXTENT, value)) for value in position)
        row, column = self._corner(y, height), self._corner(x, columns)
        top, left = math.floor(row), math.floor(column)
        # A box that stays needn't begin where a cell does, and may touch one more.
        whole = self.covered[top : top + height + 1, left : left + columns + 1]
        if not whole.any():
            whole[:] = True
            return x, y
        found = self._nearest_free(row, column, height, columns)
        if found is None:
            return x, y
        top, left = found
        self.covered[top : top + height, left : left + columns] = True
        return self._centre(left, columns), self._centre(top, height)

    def _corner(self, value: float, count: int) -> float:
        return (value + EXTENT) / self.cell + self.margin - count / 2

    def _centre(self, first: int, count: int) -> float:
        value = (first + count / 2 - self.margin) * self.cell - EXTENT
        return max(-EXTENT, min(EXTENT, value))

    def _nearest_free(
        self, row: float, column: float, height: int, width: int
    ) -> tuple[int, int] | None:
        """Return the first row and column of the nearest free box whose centre is in the map."""
        reach, size = _FIRST_REACH, len(self.covered)
        while True:
            top, bottom = self._range(row, height, reach)
            left, right = self._range(column, width, reach)
            part = self.covered[top : bottom + height, left : right + width]
            sums = np.zeros((part.shape[0] + 1, part.shape[1] + 1), np.int32)
            sums[1:, 1:] = part.cumsum(axis=0, dtype=np.int32).cumsum(axis=1)
            inside = sums[height:, width:] - sums[:-height, width:]
            inside += sums[:-height, :-width] - sums[height:, :-width]
            rows, columns = np.nonzero(inside == 0)
            if len(rows):
                away = (rows + (top - row)) ** 2 + (columns + (left - column)) ** 2
                best = int(away.argmin())
                if away[best] <= reach**2 or reach >= size:
                    return top + int(rows[best]), left + int(columns[best])
            elif reach >= size:
                return None
            reach *= 2

    def _range(self, first: float, count: int, reach: int) -> tuple[int, int]:
        """Return the first and last cell within reach at which a box of ``count`` cells begins."""
        least = math.ceil(self.margin - count / 2)
        most = math.floor(len(self.covered) - self.margin - count / 2)
        start = max(least, min(most, math.floor(first) - reach))
        return start, max(start, min(most, math.ceil(first) + reach))
