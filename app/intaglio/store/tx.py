"""Transactions, through which packages use the database; read ones have no write methods."""

import time
from array import array
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeAlias, TypeVar, cast

import apsw

from intaglio.base.events import BusEvent

Sql: TypeAlias = str | int | float | bytes | None
Row: TypeAlias = tuple[Sql, ...]
R = TypeVar("R", bound=Row)
V = TypeVar("V", bound=Sql)
T = TypeVar("T")

_STEPS_BETWEEN_CHECKS = 2_000
_FTS_QUERY = 0x0001  # FTS5_TOKENIZE_QUERY


Protect: TypeAlias = Callable[[str], str]
"""Takes secrets out of a text that is bound to a statement."""


def unprotected(text: str) -> str:
    """Bind a text as it is."""
    return text


class SearchExpression(str):
    """A query in the full-text index's own language: bound as it is, and never stored."""

    __slots__ = ()


class QueryTimeout(Exception):  # noqa: N818 - an expected outcome at a deadline, not a fault
    """A statement was stopped at its deadline; the snapshot stays usable."""


class Rows(Protocol):
    """The methods of a cursor in use; apsw's own stub isn't fully typed before Python 3.12."""

    def fetchall(self) -> list[Row]:
        """Return all remaining rows."""
        ...

    def fetchone(self) -> Row | None:
        """Return the next row."""
        ...

    def close(self) -> None:
        """Release the statement."""
        ...

    @property
    def is_readonly(self) -> bool:
        """Whether the statement writes nothing."""
        ...

    def get_description(self) -> tuple[tuple[str, ...], ...]:
        """Return name and type of each column."""
        ...


def run(connection: apsw.Connection, sql: str, params: Sequence[Sql] = ()) -> Rows:
    """Execute one statement on a connection."""
    execute = cast("Callable[[str, tuple[Sql, ...]], Rows]", connection.execute)  # pyright: ignore[reportUnknownMemberType] - see Rows
    return execute(sql, tuple(params))


def _decoded(is_text: Sql, value: Sql) -> Sql:
    return value.decode(errors="replace") if is_text and isinstance(value, bytes) else value


class ReadTx:
    """One consistent snapshot of the database.

    ``generation`` is a commit count; the snapshot contains at least these (see change_feed.py).
    ``protect`` is applied to every text that is bound, in reads too: what was stored is found by
    the text that was sent.
    """

    def __init__(
        self,
        connection: apsw.Connection,
        generation: int = 0,
        protect: Protect = unprotected,
    ) -> None:
        self._connection = connection
        self._protect = protect
        self.generation = generation

    def _run(self, sql: str, params: Sequence[Sql]) -> Rows:
        protect = self._protect
        bound = [protect(each) if type(each) is str else each for each in params]
        return run(self._connection, sql, bound)

    def _fetch(self, sql: str, params: Sequence[Sql]) -> list[Row]:
        cursor = self._run(sql, params)
        try:
            return cursor.fetchall()
        except UnicodeDecodeError:
            if not cursor.is_readonly:
                raise
            return self._fetch_replacing(cursor, sql, params)

    def _fetch_replacing(self, cursor: Rows, sql: str, params: Sequence[Sql]) -> list[Row]:
        """Read a query's rows of which a text isn't UTF-8, with replacement characters.

        One damaged row must not hide the others.
        """
        names = [f"c{number}" for number in range(len(cursor.get_description()))]
        cursor.close()
        values = ", ".join(
            f"typeof({name}) = 'text', iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})"
            for name in names
        )
        bytewise = f"WITH found({', '.join(names)}) AS ({sql}) SELECT {values} FROM found"  # noqa: S608 - numbered names around a query of the caller
        return [
            tuple(map(_decoded, row[::2], row[1::2]))
            for row in self._run(bytewise, params).fetchall()
        ]

    def as_stored(self, text: str) -> str:
        """Return a text as a statement stores it, to compare it with what was read."""
        return self._protect(text)

    def rows(self, _: type[R], sql: str, params: Sequence[Sql] = ()) -> list[R]:
        """Return every row, typed as in ``tuple[int, str | None]``; flags are 0 or 1.

        Nothing is converted or checked: the tables are STRICT, so each column has its declared
        type.
        """
        return cast("list[R]", self._fetch(sql, params))

    def row(self, _: type[R], sql: str, params: Sequence[Sql] = ()) -> R | None:
        """Return the first row, typed as in ``rows``, or None."""
        return cast("R | None", self.first_row(sql, params))

    def map(self, make: Callable[..., T], sql: str, params: Sequence[Sql] = ()) -> list[T]:
        """Call a class or function with the columns of each row and return the results."""
        return [make(*row) for row in self._fetch(sql, params)]

    def column(self, _: type[V], sql: str, params: Sequence[Sql] = ()) -> list[V]:
        """Return the first column of every row."""
        return [cast("V", row[0]) for row in self._fetch(sql, params)]

    def scalar(self, _: type[V], sql: str, params: Sequence[Sql] = ()) -> V | None:
        """Return the first column of the first row; None if there is none, or it is NULL."""
        return cast("V | None", self.value(sql, params))

    def all(self, sql: str, params: Sequence[Sql] = ()) -> list[Row]:
        """Return every row."""
        return self._fetch(sql, params)

    def first_row(self, sql: str, params: Sequence[Sql] = ()) -> Row | None:
        """Return the first row, or None."""
        cursor = self._run(sql, params)
        try:
            return cursor.fetchone()
        except UnicodeDecodeError:
            if not cursor.is_readonly:
                raise
            return self._fetch_replacing(cursor, sql, params)[0]
        finally:
            cursor.close()

    def value(self, sql: str, params: Sequence[Sql] = ()) -> Sql:
        """Return the first column of the first row, or None."""
        row = self.first_row(sql, params)
        return row[0] if row else None

    def count(self, sql: str, params: Sequence[Sql] = ()) -> int:
        """Return the first column of the first row as a number; 0 if there is none."""
        found = self.value(sql, params)
        return int(found) if isinstance(found, int | float) else 0

    def bind_integers(self, numbers: "array[int]") -> Sql:
        """Bind 64-bit integers as one parameter, which SQL reads as ``carray(?)``."""
        # A binding for this purpose only; a row can't contain it.
        bind = cast("Callable[[array[int]], Sql]", apsw.carray)  # pyright: ignore[reportUnknownMemberType] - see Rows
        # apsw can't bind an empty array; NULL reads as one.
        return bind(numbers) if numbers else None

    def has_function(self, function: str) -> bool:
        """Check whether an SQL function of this name is available."""
        known = "SELECT 1 FROM pragma_function_list WHERE name = ?"
        return self.value(known, (function,)) is not None

    def index_terms(self, text: str) -> list[str]:
        """Split text as the full-text index does: lower-case, accents folded, stemmed."""
        return self._split(text, "porter", ["unicode61"])

    def spellings(self, text: str) -> dict[str, str]:
        """Return, for each index term of a text, one word that has this term, as written.

        The index stems query words itself; a term would be stemmed again and find another one
        ("database" is "databas", and that would become "databa").
        """
        raw = text.encode()
        split = self._connection.fts5_tokenizer("unicode61", [])
        tokens = split(raw, _FTS_QUERY, None, include_offsets=True, include_colocated=False)
        # apsw's stub doesn't tell apart what the options make of a token.
        places = [cast("tuple[int, int]", token[:2]) for token in tokens]
        words = [raw[start:end].decode() for start, end in places]
        return dict(zip(self.index_terms(text), words, strict=True))

    def _split(self, text: str, tokenizer: str, arguments: list[str]) -> list[str]:
        split = self._connection.fts5_tokenizer(tokenizer, arguments)
        tokens = split(
            text.encode(), _FTS_QUERY, None, include_offsets=False, include_colocated=False
        )
        return [str(token) for token in tokens]

    @contextmanager
    def deadline(self, seconds: float) -> Generator[None]:
        """Stop a statement of the block that runs longer than ``seconds``; raises QueryTimeout."""
        end = time.monotonic() + seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > end, _STEPS_BETWEEN_CHECKS)
        try:
            yield
        except apsw.InterruptError as stopped:
            raise QueryTimeout from stopped
        finally:
            self._connection.set_progress_handler(None)


class WriteTx(ReadTx):
    """One write transaction; it commits as a whole or not at all."""

    def __init__(self, connection: apsw.Connection, protect: Protect = unprotected) -> None:
        super().__init__(connection, protect=protect)
        self._events: list[BusEvent] = []
        self.empties_log = False

    def execute(self, sql: str, params: Sequence[Sql] = ()) -> int:
        """Run one statement and return the number of changed rows, not counting triggers."""
        self._run(sql, params).fetchall()
        return self._connection.changes()

    def last_row(self) -> int:
        """Return the row number of the latest insert."""
        return self._connection.last_insert_rowid()

    def empty_log_after_commit(self) -> None:
        """Empty the write-ahead log after the commit, because it contains earlier page versions."""
        self.empties_log = True

    def publish(self, event: BusEvent) -> None:
        """Publish an event to listeners, once and only if the transaction commits."""
        self._events.append(event)

    def take_events(self) -> list[BusEvent]:
        """Return and clear the collected events."""
        events, self._events = self._events, []
        return events
