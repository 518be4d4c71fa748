"""SQL on the index of what projects' code defines."""

import json
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from intaglio.code.values import CodeReading, IndexedFile
from intaglio.store.tx import ReadTx, Row, WriteTx

_COLUMNS = "seq, project, head, read_at, stopped, placed"


def _reading(*row: Any) -> CodeReading:  # noqa: ANN401 - the columns of a STRICT table
    return CodeReading(*row)


def reading(tx: ReadTx, project: str) -> CodeReading | None:
    """Return the index of a project."""
    sql = f"SELECT {_COLUMNS} FROM code_readings WHERE project = ?"  # noqa: S608 - a constant
    found = tx.map(_reading, sql, (project,))
    return found[0] if found else None


def number_of(tx: ReadTx, project: str) -> int | None:
    """Return the number of a project's index."""
    return tx.scalar(int, "SELECT seq FROM code_readings WHERE project = ?", (project,))


def begin(tx: WriteTx, project: str) -> CodeReading:
    """Return the index of a project, an empty one if it has none."""
    tx.execute("INSERT OR IGNORE INTO code_readings(project) VALUES (?)", (project,))
    found = reading(tx, project)
    if found is None:
        raise LookupError("no index of the project")
    return found


def finish(tx: WriteTx, number: int, head: str, at: str, stopped: str) -> None:
    """Record up to which commit a project was read, and why that is incomplete."""
    tx.execute(
        "UPDATE code_readings SET head = ?, read_at = ?, stopped = ? WHERE seq = ?",
        (head, at, stopped, number),
    )


def set_placed(tx: WriteTx, number: int, memory: int) -> None:
    """Record the last memory of a project whose places were looked for."""
    tx.execute("UPDATE code_readings SET placed = ? WHERE seq = ?", (memory, number))


def blobs(tx: ReadTx, number: int) -> dict[str, str]:
    """Return the blob of each file of an index, by path."""
    sql = "SELECT path, blob FROM code_files WHERE reading = ?"
    return dict(tx.rows(tuple[str, str], sql, (number,)))


def put_files(tx: WriteTx, number: int, files: Sequence[IndexedFile]) -> None:
    """Write files and their terms; their paths are without secrets already."""
    drop_files(tx, number, [each.path for each in files])
    listed = json.dumps([[each.path, each.blob] for each in files], ensure_ascii=False)
    tx.execute(
        "INSERT OR IGNORE INTO code_files(reading, path, blob) "
        "SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)",
        (number, listed),
    )
    known = _numbers(tx, number, [each.path for each in files])
    terms, owners = array("q"), array("q")
    targets: list[list[object]] = []
    for each in files:
        seq = known.get(tx.as_stored(each.path))
        if seq is None:
            continue
        terms.extend(each.terms)
        owners.extend([seq] * len(each.terms))
        targets.extend([seq, target] for target in each.imports)
    # Both arrays are read in step: the rows of a carray are numbered.
    tx.execute(
        "INSERT OR IGNORE INTO code_terms(term, file) "
        "SELECT t.value, f.value FROM (SELECT row_number() OVER () AS n, value FROM carray(?)) t "
        "JOIN (SELECT row_number() OVER () AS n, value FROM carray(?)) f ON f.n = t.n",
        (tx.bind_integers(terms), tx.bind_integers(owners)),
    )
    if targets:
        tx.execute(
            "INSERT OR IGNORE INTO code_imports(file, target) "
            "SELECT value ->> 0, value ->> 1 FROM json_each(?)",
            (json.dumps(targets, ensure_ascii=False),),
        )


def drop_files(tx: WriteTx, number: int, paths: Sequence[str]) -> None:
    """Delete files of an index, by path."""
    _drop(tx, _numbers(tx, number, paths).values())


def _numbers(tx: ReadTx, number: int, paths: Sequence[str]) -> dict[str, int]:
    sql = (
        "SELECT path, seq FROM code_files WHERE reading = ? "
        "AND path IN (SELECT value FROM json_each(?))"
    )
    params = (number, json.dumps(list(paths), ensure_ascii=False))
    return dict(tx.rows(tuple[str, int], sql, params))


def _drop(tx: WriteTx, files: Iterable[int]) -> int:
    numbers = array("q", files)
    if not numbers:
        return 0
    listed = "IN (SELECT value FROM carray(?))"
    bound = (tx.bind_integers(numbers),)
    tx.execute(f"DELETE FROM code_terms WHERE file {listed}", bound)  # noqa: S608 - a constant
    tx.execute(f"DELETE FROM code_imports WHERE file {listed}", bound)  # noqa: S608 - a constant
    return tx.execute(f"DELETE FROM code_files WHERE seq {listed}", bound)  # noqa: S608 - a constant


def files_of(tx: ReadTx, terms: Sequence[int], most: int) -> dict[int, list[int]]:
    """Return the numbers of at most so many files that have each term."""
    if not terms:
        return {}
    sql = (
        "SELECT a.value, (SELECT json_group_array(file) FROM "
        "(SELECT file FROM code_terms WHERE term = a.value LIMIT ?)) FROM carray(?) a"
    )
    found = tx.rows(tuple[int, str], sql, (most, tx.bind_integers(array("q", terms))))
    return {asked: json.loads(listed) for asked, listed in found if listed != "[]"}


def have(tx: ReadTx, asked: int, files: Sequence[int]) -> list[int]:
    """Return which of these files have a term."""
    sql = "SELECT file FROM code_terms WHERE term = ? AND file IN (SELECT value FROM carray(?))"
    return tx.column(int, sql, (asked, tx.bind_integers(array("q", files))))


def paths_of(tx: ReadTx, number: int, files: Iterable[int]) -> dict[int, str]:
    """Return the paths of files of an index, by number."""
    # The plus keeps the planner from reading all files of the index.
    sql = (
        "SELECT seq, path FROM code_files WHERE seq IN (SELECT value FROM carray(?)) "
        "AND +reading = ?"
    )
    numbers = tx.bind_integers(array("q", files))
    return dict(tx.rows(tuple[int, str], sql, (numbers, number)))


def existing(tx: ReadTx, number: int, paths: Sequence[str]) -> dict[str, str]:
    """Return the blob of those of these paths that an index has."""
    sql = (
        "SELECT path, blob FROM code_files WHERE reading = ? "
        "AND path IN (SELECT value FROM json_each(?))"
    )
    params = (number, json.dumps(list(paths), ensure_ascii=False))
    return dict(tx.rows(tuple[str, str], sql, params)) if paths else {}


def targets_of(tx: ReadTx, number: int, paths: Sequence[str]) -> list[tuple[str, str]]:
    """Return what tests import: path of the test, target."""
    sql = (
        "SELECT f.path, i.target FROM code_files f JOIN code_imports i ON i.file = f.seq "
        "WHERE f.reading = ? AND f.path IN (SELECT value FROM json_each(?))"
    )
    params = (number, json.dumps(list(paths), ensure_ascii=False))
    return tx.rows(tuple[str, str], sql, params) if paths else []


def active_projects(tx: ReadTx, since: str) -> list[tuple[str, str]]:
    """Return the projects with a session since a time, and when one last started or ended there."""
    sql = (
        "SELECT project, max(max(started_at, ifnull(ended_at, ''))) FROM sessions "
        "WHERE last_seen_at >= ? AND project IS NOT NULL GROUP BY project"
    )
    return tx.rows(tuple[str, str], sql, (since,))


_UNUSED = "NOT EXISTS (SELECT 1 FROM sessions s WHERE s.project = r.project)"


def unused_files(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List files of projects that have no session on record."""
    sql = (
        f"SELECT f.seq FROM code_readings r JOIN code_files f ON f.reading = r.seq "  # noqa: S608 - a constant
        f"WHERE {_UNUSED} LIMIT ?"
    )
    return tx.all(sql, (limit,))


def purge_files(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete files whose project still has no session."""
    sql = (
        f"SELECT f.seq FROM code_readings r JOIN code_files f ON f.reading = r.seq "  # noqa: S608 - a constant
        f"WHERE {_UNUSED} AND f.seq IN (SELECT value FROM json_each(?))"
    )
    return _drop(tx, tx.column(int, sql, (json.dumps([seq for (seq,) in keys]),)))


def unused_readings(tx: ReadTx, _before: str, _now: str, limit: int) -> list[Row]:
    """List indexes without files of projects that have no session on record."""
    sql = (
        f"SELECT seq FROM code_readings r WHERE {_UNUSED} "  # noqa: S608 - a constant
        "AND NOT EXISTS (SELECT 1 FROM code_files WHERE reading = r.seq) LIMIT ?"
    )
    return tx.all(sql, (limit,))


def purge_readings(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete these indexes."""
    return tx.execute(
        f"DELETE FROM code_readings AS r WHERE seq IN (SELECT value FROM json_each(?)) "  # noqa: S608 - a constant
        f"AND {_UNUSED} AND NOT EXISTS (SELECT 1 FROM code_files WHERE reading = r.seq)",
        (json.dumps([seq for (seq,) in keys]),),
    )
