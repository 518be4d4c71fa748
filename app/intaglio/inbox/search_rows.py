"""SQL that finds inbox items by their words, or by the memories and entities they are about."""

import json
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.inbox import rows
from intaglio.inbox.values import InboxItem
from intaglio.memory.filters import reader_condition
from intaglio.store import like
from intaglio.store.like import LIKE
from intaglio.store.tx import ReadTx, Sql

_NEWEST: Final = 5_000
_LISTED: Final = "IN (SELECT value FROM json_each(?))"


def containing(
    tx: ReadTx, reader: Reader, parts: Sequence[str], projects: Sequence[str], limit: int
) -> list[InboxItem]:
    """Return the items whose own text has any of these parts of words, open ones first.

    Only the newest are looked at. ``projects`` are the names of one project; none selects all.
    """
    if not parts:
        return []
    condition, params = reader_condition(reader)
    # What a text has most of comes first; LIKE ignores case.
    holds = " + ".join(f"(m.content {LIKE})" for _ in parts)
    patterns = [like.containing(each) for each in parts]
    values: list[Sql] = [*patterns, *params]
    inside = ""
    if projects:
        inside = f"AND m.project {_LISTED} "
        values.append(json.dumps([*projects], ensure_ascii=False))
    ids = tx.column(
        str,
        f"SELECT id FROM (SELECT m.id, m.seq, m.status, {holds} AS held FROM inbox_items m "  # noqa: S608 - built of constants
        f"WHERE m.seq > (SELECT max(seq) FROM inbox_items) - {_NEWEST} AND m.content <> '' "
        f"AND {condition} {inside}) "
        "WHERE held > 0 ORDER BY held DESC, status = 'done', seq DESC LIMIT ?",
        (*values, limit),
    )
    found = rows.by_ids(tx, ids)
    return [found[each] for each in ids if each in found]


def about_any(
    tx: ReadTx, reader: Reader, memories: Collection[str], entities: Collection[str], limit: int
) -> list[InboxItem]:
    """Return the items that are about any of these memories or entities, open ones first."""
    condition, params = reader_condition(reader)
    about, among = json.dumps([*memories]), json.dumps([*entities])
    ids = tx.column(
        str,
        "SELECT m.id FROM inbox_items m WHERE m.seq IN ("  # noqa: S608 - built of constants
        f"SELECT seq FROM inbox_items WHERE memory_id {_LISTED} "
        f"UNION SELECT seq FROM inbox_items WHERE older_id {_LISTED} "
        f"UNION SELECT seq FROM inbox_items WHERE entity_id {_LISTED} "
        f"UNION SELECT seq FROM inbox_items WHERE other_entity_id {_LISTED}) "
        f"AND {condition} ORDER BY m.status = 'done', m.seq DESC LIMIT ?",
        (about, about, among, among, *params, limit),
    )
    found = rows.by_ids(tx, ids)
    return [found[each] for each in ids if each in found]
