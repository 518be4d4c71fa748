"""Finds and deletes rows that refer to rows which are gone, as only another program leaves them.

What refers to what is read from the schema's foreign keys, which the daemon's own writes keep.
"""

from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_AT_ONCE: Final = 200


class _ForeignKey(NamedTuple):
    table: str
    parent: str
    column: str
    parent_column: str | None


@dataclass(frozen=True, slots=True)
class OrphanRows:
    """Rows of a table that refer by a column to rows which are gone, and how many.

    ``key`` names the columns of the table's key. If the column is ``optional``, the rows stand for
    themselves and only their reference is wrong.
    """

    table: str
    column: str
    condition: str
    key: tuple[str, ...]
    optional: bool
    count: int


def find(tx: ReadTx) -> list[OrphanRows]:
    """Return what refers to rows that are gone; reads every referring table once."""
    found: list[OrphanRows] = []
    for each in _foreign_keys(tx):
        to = each.parent_column or _key(tx, each.parent)[0]
        parent = f'SELECT 1 FROM "{each.parent}" p WHERE p."{to}" = c."{each.column}"'  # noqa: S608 - names of the schema
        condition = f'"{each.column}" IS NOT NULL AND NOT EXISTS ({parent})'
        count = tx.count(f'SELECT count(*) FROM "{each.table}" c WHERE {condition}')  # noqa: S608 - see above
        if count:
            optional = not tx.count(
                'SELECT "notnull" OR pk > 0 FROM pragma_table_info(?) WHERE name = ?',
                (each.table, each.column),
            )
            key = _key(tx, each.table)
            found.append(OrphanRows(each.table, each.column, condition, key, optional, count))
    return found


def count(tx: ReadTx) -> int:
    """Count the rows that refer to rows which are gone."""
    return sum(each.count for each in find(tx))


async def delete(db: Database) -> int:
    """Delete those rows, and clear optional references, in short transactions; count them.

    Deleting one may leave others behind that referred to it, so it looks again until none is left.
    """
    removed = 0
    while found := await db.read(find):
        gone = 0
        for each in found:
            while some := await db.write(partial(_delete_some, rows=each)):
                gone += some
        if gone == 0:
            break
        removed += gone
    return removed


def _delete_some(tx: WriteTx, rows: OrphanRows) -> int:
    key = ", ".join(f'"{each}"' for each in rows.key)
    which = (
        f'({key}) IN (SELECT {key} FROM "{rows.table}" c WHERE {rows.condition} LIMIT {_AT_ONCE})'  # noqa: S608 - names of the schema
    )
    if rows.optional:
        return tx.execute(f'UPDATE "{rows.table}" SET "{rows.column}" = NULL WHERE {which}')  # noqa: S608 - see above
    return tx.execute(f'DELETE FROM "{rows.table}" WHERE {which}')  # noqa: S608 - see above


def _foreign_keys(tx: ReadTx) -> list[_ForeignKey]:
    return tx.map(
        _ForeignKey,
        'SELECT s.name, f."table", f."from", f."to" FROM sqlite_schema s, '
        "pragma_foreign_key_list(s.name) f WHERE s.type = 'table' ORDER BY s.name, f.id",
    )


def _key(tx: ReadTx, table: str) -> tuple[str, ...]:
    """Return the columns that identify a row of a table."""
    named = tx.column(
        str, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", (table,)
    )
    return tuple(named) or ("rowid",)
