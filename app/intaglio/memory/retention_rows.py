"""SQL that purges tombstones and history, and stores forgotten-content hashes.

Listed rows are checked again when they are purged: they may have been recovered in between.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from intaglio.base.clock import iso_of_ms
from intaglio.domain.reader import Visibility
from intaglio.memory import retention
from intaglio.memory.project_rows import former_keys
from intaglio.memory.values import Scope, Source
from intaglio.store.tx import ReadTx, Row, WriteTx

_EXPIRED: Final = "is_deleted = 1 AND deleted_at < ?"
_LISTED: Final = f"seq IN (SELECT value FROM json_each(?)) AND {_EXPIRED}"  # noqa: S608 - constants
_MARKED: Final = "source_type, source_id, agent_id, project, visibility, content_hash"


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List tombstones of memories forgotten before a time, oldest first."""
    return tx.all(
        f"SELECT seq FROM memories WHERE {_EXPIRED} ORDER BY deleted_at LIMIT ?",  # noqa: S608 - a constant
        (before, limit),
    )


def purge_tombstones(tx: WriteTx, keys: Sequence[Row], before: str, _now: str) -> int:
    """Delete tombstones that are still expired; their forgotten-content hashes stay."""
    which = (_listed(keys), before)
    gone = f"SELECT deleted_at, {_MARKED} FROM memories WHERE {_LISTED}"  # noqa: S608 - constants
    _store(tx, tx.map(_hashes, gone, which))
    return tx.execute(f"DELETE FROM memories WHERE {_LISTED}", which)  # noqa: S608 - constants


def _listed(keys: Sequence[Row]) -> str:
    return json.dumps([number for (number,) in keys])


def store_forgotten_hashes(tx: WriteTx, memory_id: str, at: str) -> None:
    """Store the hashes of a memory that is about to be permanently deleted, live or not.

    Code that deletes a memory's row calls this first, in the same transaction.
    """
    one = f"SELECT ifnull(deleted_at, ?), {_MARKED} FROM memories WHERE id = ?"  # noqa: S608 - a constant
    _store(tx, tx.map(_hashes, one, (at, memory_id)))


def _store(tx: WriteTx, marks: Sequence[list[tuple[str, str]]]) -> None:
    tx.execute(
        "INSERT INTO forgotten(digest, forgotten_at) "
        "SELECT unhex(value ->> 0), value ->> 1 FROM json_each(?) WHERE true "
        # The tombstone of an earlier deletion may be purged after a later one was erased.
        "ON CONFLICT(digest) DO UPDATE SET "
        "forgotten_at = max(forgotten_at, excluded.forgotten_at)",
        (json.dumps(list(chain.from_iterable(marks))),),
    )


def _hashes(  # noqa: PLR0913, PLR0917 - the columns of a row
    at: str,
    kind: str,
    source_id: str | None,
    agent: str,
    project: str | None,
    visibility: Visibility,
    content_hash: bytes,
) -> list[tuple[str, str]]:
    """Return a memory's forgotten-content hashes in hex, each with the time it was forgotten."""
    by_source = retention.source_hash(Source(kind, source_id))
    by_content = retention.scoped_hash(Scope(agent, project, visibility), content_hash)
    return [(mark.hex(), at) for mark in (by_source, by_content) if mark is not None]


def find_forgotten(
    tx: ReadTx, scope: Scope, source: Source, content_hash: bytes, said_at: str
) -> str | None:
    """Check whether this source was forgotten, or this content in its scope after it was said.

    So a copied transcript restores nothing, while a new statement counts as new. Returns the
    tombstone's id (empty if it is purged), or None if it wasn't forgotten.
    """
    found = tx.scalar(
        str,
        "SELECT id FROM memories WHERE source_id = ? AND source_type = ? AND is_deleted = 1",
        (source.id, source.type),
    ) or tx.scalar(
        str,
        "SELECT id FROM memories WHERE content_hash = ? AND agent_id = ? AND visibility = ? "
        "AND ifnull(project, '') = ifnull(?, '') AND is_deleted = 1 AND deleted_at >= ?",
        (
            retention.stored_hash(content_hash),
            scope.agent_id,
            scope.visibility,
            scope.project,
            said_at,
        ),
    )
    if found is not None:
        return found
    # What is permanently deleted is known by the project's key at that time.
    marks = [
        mark.hex()
        for key in (scope.project, *former_keys(tx, scope.project))
        for mark in retention.content_marks(replace(scope, project=key), content_hash)
    ]
    known = tx.count(
        "SELECT count(*) FROM forgotten WHERE digest = ? OR "
        "(digest IN (SELECT unhex(value) FROM json_each(?)) AND forgotten_at >= ?)",
        (retention.source_hash(source), json.dumps(marks), said_at),
    )
    return "" if known else None


def allow_again(tx: WriteTx, scope: Scope, source: Source, content_hash: bytes) -> None:
    """Allow forgotten content again, because someone explicitly asks for it."""
    for key in (scope.project, *former_keys(tx, scope.project)):
        own = retention.content_marks(replace(scope, project=key), content_hash)
        marks = (retention.source_hash(source), *own)
        tx.execute("DELETE FROM forgotten WHERE digest IN (?, ?, ?)", marks)


def expired_hashes(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List forgotten-content hashes from before a time."""
    return tx.all("SELECT digest FROM forgotten WHERE forgotten_at < ? LIMIT ?", (before, limit))


def purge_hash(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a forgotten-content hash."""
    return tx.execute(
        "DELETE FROM forgotten WHERE digest = ? AND forgotten_at < ?", (key[0], before)
    )


def expired_history(tx: ReadTx, before: str, now: str, limit: int) -> list[Row]:
    """List changes recorded before a time, from the start of the log.

    A ``created`` row gets its content from the first change after it, so it never outlives that.
    """
    rows = tx.rows(
        tuple[int, int],
        "SELECT seq, created_at FROM memory_history ORDER BY seq LIMIT ?",
        (limit,),
    )
    dated = [(number, iso_of_ms(at)) for number, at in rows]
    return [(number,) for number in retention.expired_prefix(dated, before, now)]


def purge_changes(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete recorded changes; they are never rewritten, so they are still expired."""
    return tx.execute(
        "DELETE FROM memory_history WHERE seq IN (SELECT value FROM json_each(?))", (_listed(keys),)
    )
