"""SQL on memory files and their statements; no other module writes these tables."""

from typing import Any, Final

from intaglio.memory_files.values import FileVersion, KnownFile, KnownLine
from intaglio.store.tx import ReadTx, Row, WriteTx

_LINE: Final = "path, line, memory_id, item_id, removed_at"


def _file(path: str, harness: str, waiting: int, *version: Any) -> KnownFile:  # noqa: ANN401 - the columns of a STRICT table
    return KnownFile(path, harness, FileVersion(*version), waiting)


def files(tx: ReadTx) -> dict[str, KnownFile]:
    """Return the files that were read, by their paths."""
    found = tx.map(
        _file,
        "SELECT path, harness, waiting, modified_ns, size, inode FROM memory_files ORDER BY path",
    )
    return {each.path: each for each in found}


def put_file(tx: WriteTx, file: KnownFile, at: str) -> None:
    """Record that a version of a file was read."""
    tx.execute(
        "INSERT OR REPLACE INTO memory_files(path, harness, waiting, modified_ns, size, inode, "
        "read_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            file.path,
            file.harness,
            file.waiting,
            file.version.modified_ns,
            file.version.size,
            file.version.inode,
            at,
        ),
    )


def delete_file(tx: WriteTx, path: str) -> None:
    """Delete the record of a file that is gone."""
    tx.execute("DELETE FROM memory_files WHERE path = ?", (path,))


def rename_file(tx: WriteTx, old: str, new: str) -> list[str]:
    """Give a file's statements to its new path; return the ids of their memories."""
    tx.execute("UPDATE OR REPLACE memory_file_lines SET path = ? WHERE path = ?", (new, old))
    delete_file(tx, old)
    return tx.column(
        str,
        "SELECT memory_id FROM memory_file_lines WHERE path = ? AND memory_id IS NOT NULL",
        (new,),
    )


def lines(tx: ReadTx, path: str) -> list[KnownLine]:
    """Return what became of a file's statements, those that went included."""
    return tx.map(
        KnownLine,
        f"SELECT {_LINE} FROM memory_file_lines WHERE path = ?",  # noqa: S608 - a constant
        (path,),
    )


def put_line(tx: WriteTx, known: KnownLine) -> None:
    """Record what became of a statement."""
    tx.execute(
        f"INSERT OR REPLACE INTO memory_file_lines({_LINE}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - a constant
        (known.path, known.id, known.memory_id, known.item_id, known.removed_at),
    )


def delete_line(tx: WriteTx, known: KnownLine) -> None:
    """Delete the record of a statement."""
    tx.execute("DELETE FROM memory_file_lines WHERE path = ? AND line = ?", (known.path, known.id))


def is_stated_elsewhere(tx: ReadTx, known: KnownLine) -> bool:
    """Whether another statement, of any file, is the same memory."""
    sql = (
        "SELECT EXISTS (SELECT 1 FROM memory_file_lines WHERE memory_id = ? "
        "AND removed_at IS NULL AND NOT (path = ? AND line = ?))"
    )
    return bool(tx.count(sql, (known.memory_id, known.path, known.id)))


def count_of_others(tx: ReadTx, path: str) -> int:
    """Count the statements that stand in other files."""
    return tx.count(
        "SELECT count(*) FROM memory_file_lines WHERE removed_at IS NULL AND path <> ?", (path,)
    )


def counts(tx: ReadTx) -> dict[str, int]:
    """Count the live memories that were read in each file, by its path."""
    found = tx.rows(
        tuple[str, int],
        "SELECT l.path, count(*) FROM memory_file_lines l JOIN memories m ON m.id = l.memory_id "
        "WHERE l.removed_at IS NULL AND m.is_deleted = 0 GROUP BY l.path",
    )
    return dict(found)


def removed(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List statements that went before a time."""
    return tx.all(
        "SELECT path, line FROM memory_file_lines WHERE removed_at < ? LIMIT ?", (before, limit)
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete the record of a statement that still is gone."""
    return tx.execute(
        "DELETE FROM memory_file_lines WHERE path = ? AND line = ? AND removed_at < ?",
        (*key, before),
    )
