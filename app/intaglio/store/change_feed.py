"""Reports which rows each commit touched, in commit order, and counts commits as generations."""

from collections.abc import Callable
from typing import TypeAlias

import apsw

ChangeListener: TypeAlias = Callable[[int, frozenset[int] | None], None]
"""Receives a generation and the row numbers it touched; None if any row may have changed."""


class ChangeFeed:
    """Tells the watchers of a table, after each commit, which rows were written or deleted.

    SQLite itself reports the rows, so no writer can forget to. Rows of a step that was rolled back
    on its own may be included. A snapshot opened after reading ``generation`` contains at least the
    commits up to it. Watchers run on the writer thread and must be quick.
    """

    def __init__(self) -> None:
        self._watches: dict[str, list[ChangeListener]] = {}
        self._touched: dict[str, set[int]] = {}
        self._generation = 0

    @property
    def generation(self) -> int:
        """The number of commits since the start."""
        return self._generation

    def watch(self, table: str, watch: ChangeListener) -> None:
        """Call ``watch`` after each commit that touched the table; register before opening."""
        self._watches.setdefault(table, []).append(watch)
        self._touched.setdefault(table, set())

    def follow(self, connection: apsw.Connection) -> None:
        """Record what this connection writes from now on."""
        connection.set_update_hook(self._note)

    def _note(self, _kind: int, _database: str, table: str, row: int) -> None:
        rows = self._touched.get(table)
        if rows is not None:
            rows.add(row)

    def committed(self) -> None:
        """Notify the watchers of the rows in the transaction that was just committed."""
        # The generation is incremented last: whoever reads it finds the watchers already notified.
        generation = self._generation + 1
        for table, rows in self._touched.items():
            if rows:
                told = frozenset(rows)
                rows.clear()
                for watch in self._watches[table]:
                    watch(generation, told)
        self._generation = generation

    def undone(self) -> None:
        """Discard the rows of a transaction that was rolled back."""
        for rows in self._touched.values():
            rows.clear()

    def replaced(self) -> None:
        """Notify the watchers that the database file was replaced."""
        self.undone()
        generation = self._generation + 1
        for watches in self._watches.values():
            for watch in watches:
                watch(generation, None)
        self._generation = generation
