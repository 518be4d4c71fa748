"""Broken databases that were set aside go in time, with their side files, and nothing else does."""

from datetime import UTC, datetime
from pathlib import Path

from intaglio.store.backup import list_set_aside, purge_set_aside

OLD = "intaglio.db.broken-20260101T080000000000Z"
FRESH = "intaglio.db.broken-20260131T080000000000Z"
NOT_OURS = ("intaglio.db", "intaglio.db.broken-by-hand", "other.db.broken-20260101T080000000000Z")
BEFORE = datetime(2026, 1, 15, tzinfo=UTC)


def lay_out(folder: Path) -> Path:
    for name in (OLD, f"{OLD}-wal", f"{OLD}-shm", FRESH, f"{FRESH}-wal", *NOT_OURS):
        (folder / name).write_bytes(b"x")
    return folder / "intaglio.db"


def test_databases_set_aside_are_listed_without_side_files(tmp_path: Path) -> None:
    assert [file.name for file in list_set_aside(lay_out(tmp_path))] == [OLD, FRESH]


def test_expired_databases_set_aside_are_deleted_with_side_files(tmp_path: Path) -> None:
    database = lay_out(tmp_path)
    assert purge_set_aside(database, BEFORE) == 1
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {FRESH, f"{FRESH}-wal", *NOT_OURS}


def test_purging_is_idempotent(tmp_path: Path) -> None:
    database = lay_out(tmp_path)
    purge_set_aside(database, BEFORE)
    assert purge_set_aside(database, BEFORE) == 0
