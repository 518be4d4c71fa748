"""A store of an earlier version is reviewed by a real daemon, also one that is killed meanwhile."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from fakes.captured import add_captured, present_judge
from fakes.daemon import NO_MODEL, killed_daemon, running_daemon, write_settings
from fakes.shell import Shell, shell_of
from fakes.store import MovableClock
from fakes.waiting import wait_for
from intaglio.base.paths import find_paths
from intaglio.daemon.packages import PACKAGES
from intaglio.store import migrations
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

EARLIER = 20
"""The newest step of the schema before captured memories were reviewed."""
MANY = 100


def fill(file: Path, texts: list[str]) -> None:
    """Write what an earlier version had captured, in its schema."""
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = open_writer(file)
    tx = WriteTx(connection)
    for step in migrations.pending(tx, PACKAGES.schema):
        if step.number <= EARLIER:
            migrations.apply(tx, step, MovableClock())
    add_captured(tx, texts)
    connection.close()


def queue_review(file: Path) -> None:
    """Queue the review as the daemon's loop does within its first minute."""
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "INSERT INTO capture_judges(judge, since) VALUES (?, '2026-02-01')", (present_judge(),)
        )
        database.execute(
            "INSERT INTO jobs(type, subject, created_at) VALUES "
            "('review_captured', 'captured memories', '2026-02-01')"
        )


def reviewed(file: Path) -> list[str]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return [str(row[0]) for row in database.execute("SELECT memory_id FROM capture_reviews")]


def is_finished(file: Path) -> bool:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        found = database.execute("SELECT finished_at FROM capture_judges").fetchone()
    return found is not None and found[0] is not None


def test_a_killed_daemon_goes_on_with_its_review(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon:
        file, port = daemon.paths.database, daemon.port
    for each in file.parent.glob(f"{file.name}*"):
        each.unlink()
    fill(file, [f"Why does step {number} of the build fail?" for number in range(MANY)])
    with running_daemon(tmp_path, port):
        # It carries the store over.
        pass
    queue_review(file)
    with killed_daemon(tmp_path, port):
        wait_for(lambda: reviewed(file), "the first results")
    before = len(reviewed(file))

    with running_daemon(tmp_path, port):
        wait_for(lambda: is_finished(file), "the end of the review")

    found = reviewed(file)
    assert before > 0
    assert len(found) == len(set(found)) == MANY


@pytest.fixture
def shell(tmp_path: Path) -> Generator[Shell]:
    with shell_of(tmp_path) as opened:
        write_settings(opened.home, "backup: {enabled: false}\n" + NO_MODEL)
        yield opened


def test_at_the_command_line_memories_are_kept_forgotten_and_restored(shell: Shell) -> None:
    file = find_paths(shell.env).database
    fill(file, ["Why does the\x1b[2J build fail?", "Where is the chart?", "What is this table?"])
    shell.start()
    shell("daemon", "stop")
    queue_review(file)
    shell.start()
    wait_for(lambda: is_finished(file), "the end of the review")

    first_reply = shell("capture", "review")
    assert first_reply.returncode == 0, first_reply.stderr
    listed = first_reply.stdout
    assert listed.count("A question") == 3
    assert "\x1b[2J" not in listed
    rows = json.loads(shell("capture", "review", "--json").stdout)
    assert [row["confidence"] for row in rows] == sorted(row["confidence"] for row in rows)
    first = rows[0]["id"]

    assert shell("capture", "review", "--keep", first[-8:]).stdout == "Kept 1 memory.\n"
    forgot = shell("capture", "review", "--forget-all", "--yes").stdout
    assert forgot.startswith("Forgot 2 memories.\nUndo with: ")
    assert shell("capture", "review").stdout == "Capture would keep all that it has saved.\n"
    assert shell("capture", "review", "--restore-all").stdout == "Restored 2 memories.\n"
    assert len(json.loads(shell("capture", "review", "--json").stdout)) == 2

    unknown = shell("capture", "review", "--forget", first)
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert "The review has no memory" in unknown.stderr
    for wrong in (("--forget",), ("x",), ("--keep",), ("--json", "--forget-all")):
        assert shell("capture", "review", *wrong).returncode == 2
