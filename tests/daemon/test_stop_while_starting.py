"""A daemon that is told to stop while it starts."""

import signal
import sqlite3
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, Daemon, start_daemon, write_settings
from fakes.waiting import PATIENCE_S

# Runs the daemon as a user does, but with a check of the database that never ends.
ENDLESS_CHECK = """
import sys
from intaglio.store import database
from intaglio.store.tx import run

FOREVER = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
database.check = lambda connection: str(run(connection, FOREVER).fetchall())

from intaglio.daemon.main import run as run_daemon

sys.exit(run_daemon())
"""
# Signals itself while a module is imported, which is most of a start.
SIGNAL_WHILE_IMPORTING = """
import os, signal, sys

# A shell's background jobs ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.{signal})
        return None

sys.meta_path.insert(0, Finder())
sys.argv[1:] = {words}
from intaglio.__main__ import main

sys.exit(main())
"""


def started(home: Path, script: str) -> Daemon:
    program = home / "program.py"
    program.write_text(script)
    write_settings(home, NO_MODEL)
    return start_daemon(home, None, program)


@pytest.mark.slow
def test_a_check_that_never_ends_does_not_delay_a_stop(tmp_path: Path) -> None:
    memory = tmp_path / "agents" / "memory"
    memory.mkdir(parents=True)
    (memory / "intaglio.db.open").touch()
    with sqlite3.connect(memory / "intaglio.db") as connection:
        connection.execute("PRAGMA application_id = 0x494E5447")
    connection.close()
    daemon = started(tmp_path, ENDLESS_CHECK)
    daemon.wait_until("checking")
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.process.wait(PATIENCE_S) == 0
    assert "Traceback" not in daemon.said
    assert not daemon.paths.lock.exists()


@pytest.mark.parametrize(
    ("words", "module", "name"),
    [
        (["daemon", "run"], "intaglio.daemon.main", "SIGINT"),
        (["daemon", "run"], "intaglio.daemon.composition", "SIGTERM"),
        (["tray", "--no-icon"], "intaglio.desktop.controller", "SIGTERM"),
    ],
)
def test_a_stop_before_the_daemon_listens_is_clean(
    tmp_path: Path, words: list[str], module: str, name: str
) -> None:
    script = SIGNAL_WHILE_IMPORTING.format(signal=name, module=module, words=words)
    daemon = started(tmp_path, script)
    assert daemon.process.wait(PATIENCE_S) == 0
    assert daemon.said == ""
    assert not daemon.paths.lock.exists()
