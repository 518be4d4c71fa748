"""Which rows each commit touched, told in the order of the commits; counts them as generations."""

from collections.abc import Callable
from typing import TypeAlias

import apsw

ChangeListener: TypeAlias = Callable[[int, frozenset[int] | None], None]
"""Takes a generation and the row numbers touched in it; None when any row may have changed."""


class ChangeFeed:
    """Tells watchers of a table, after each commit, which of its rows were written or deleted.

    SQLite itself names the rows, so no writer can forget to. Rows of a work that was rolled back
    alone may be named too. A snapshot opened after ``generation`` was read holds at least the
    commits up to it. Watchers run on the writer thread and must be quick.
    """

    def __init__(self) -> None:
        self._watches: dict[str, list[ChangeListener]] = {}
        self._touched: dict[str, set[int]] = {}
        self._generation = 0

    @property
    def generation(self) -> int:
        """How many commits there were since the start."""
        return self._generation

    def watch(self, table: str, watch: ChangeListener) -> None:
        """Call ``watch`` after each commit that touched the table; to be set before opening."""
        self._watches.setdefault(table, []).append(watch)
        self._touched.setdefault(table, set())

    def follow(self, connection: apsw.Connection) -> None:
        """Note what this connection writes from now on."""
        connection.set_update_hook(self._note)

    def _note(self, _kind: int, _database: str, table: str, row: int) -> None:
        rows = self._touched.get(table)
        if rows is not None:
            rows.add(row)

    def committed(self) -> None:
        """Tell the watchers what the transaction touched that is on disk now."""
        # The generation counts up last: who reads it finds the watchers told already.
        generation = self._generation + 1
        for table, rows in self._touched.items():
            if rows:
                told = frozenset(rows)
                rows.clear()
                for watch in self._watches[table]:
                    watch(generation, told)
        self._generation = generation

    def undone(self) -> None:
        """Forget what the transaction touched: it was rolled back."""
        for rows in self._touched.values():
            rows.clear()

    def replaced(self) -> None:
        """Tell the watchers that another file stands in the database's place."""
        self.undone()
        generation = self._generation + 1
        for watches in self._watches.values():
            for watch in watches:
                watch(generation, None)
        self._generation = generation
