"""Another SQLite program checkpoints and empties the log of the open database."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from intaglio.store.checkpoints import Checkpoints
from intaglio.store.connection import open_beside, open_writer
from intaglio.store.files.file_identity import FileFault, FileGuard
from intaglio.store.tx import run

NAME = "intaglio.db"
JOB = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"
EMPTY_LOG = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
print(*db.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()[0])
for subject in sys.argv[3:]:
    db.execute(sys.argv[2], (subject,))
"""


@pytest.mark.parametrize("more", [(), ("one of its own",)])
def test_a_log_emptied_by_another_program_loses_nothing(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    connection = open_writer(tmp_path / NAME)
    run(connection, "CREATE TABLE jobs(type TEXT, subject TEXT, created_at TEXT)")
    guard = FileGuard(connection, tmp_path / NAME)
    checkpoints = Checkpoints(partial(open_beside, tmp_path / NAME), guard)
    checkpoints.follow(connection)

    def found_after(subject: str) -> FileFault | None:
        run(connection, JOB, (subject,))
        guard.note_commit(checkpoints.pages)
        return guard.fault()

    assert not any(found_after(subject) for subject in ("a", "b", "c", "d", "e"))
    arguments = (sys.executable, "-c", EMPTY_LOG, str(tmp_path / NAME), JOB, *more)
    assert subprocess.check_output(arguments, text=True).split() == ["0", "0", "0"]
    assert [guard.fault(thorough=True), guard.fault(), found_after("goes on")] == [None] * 3
    found_after("and on")
    os.truncate(tmp_path / f"{NAME}-wal", 0)
    fault = guard.fault()
    assert fault is not None
    assert fault.cause == "log_lost"
    connection.close()
    guard.close()
