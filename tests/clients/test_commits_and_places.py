"""The real Claude Code is told the commit that answers a prompt, and what became of a file."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from clients.conftest import Machine, blocks_of
from fakes.daemon import Daemon
from fakes.git import git
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

SUBJECT: Final = "Keep leases under sixty seconds"
REASON: Final = (
    "Proxies close idle connections after ninety seconds. A lease that outlives its connection is "
    "taken twice, so two workers send the same invoice. Sixty seconds is the shortest idle timeout "
    "that we know of, at the payment provider; a longer lease sends invoices twice, as last spring "
    "when four hundred customers were reminded of what they had paid long before."
)
DOUBLE: Final = (
    "Two workers sent the same invoice last night: it looks as if a lease was taken twice while a "
    "proxy closed the idle connection. Please find out why in src/leases.py and mend it."
)
STAFF: Final = "Only staff may call show_refunds in src/refunds.py."
WHO: Final = "Who may call show_refunds in src/refunds.py, staff only or customers as well?"


def commit(project: Path, *message: str) -> None:
    git(project, "add", "--all")
    git(project, "commit", "-q", *(part for each in message for part in ("-m", each)))


def count(daemon: Daemon, query: str) -> int:
    with closing(sqlite3.connect(f"{daemon.paths.database.as_uri()}?mode=ro", uri=True)) as held:
        return int(held.execute(query).fetchone()[0])


def test_a_commit_and_what_became_of_a_file_are_told_once(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("shop")
    source = project / "src"
    source.mkdir()
    (source / "refunds.py").write_text("def show_refunds():\n    return []\n")
    (source / "leases.py").write_text("LEASE_S = 50\n")
    commit(project, SUBJECT, REASON)
    with machine.daemon() as daemon:
        machine.claude.ask("Hello.", project)
        wait_for(lambda: count(daemon, "SELECT count(*) FROM commits") == 1, "the commit")
        wait_for(
            lambda: count(daemon, "SELECT count(*) FROM code_readings WHERE head <> ''") == 1,
            "the index",
        )
        machine.intaglio("remember", STAFF, "--project", str(project), "--type", "rule")
        wait_for(lambda: count(daemon, "SELECT count(*) FROM memory_places") == 1, "the place")
        (source / "refunds.py").unlink()
        machine.model.requests.clear()
        with machine.claude.session(project) as session:
            for prompt in (DOUBLE, WHO, WHO):
                session.say(prompt)
        last = [each for each in machine.model.requests if each.get("tools")][-1]
    blocks = blocks_of(last)
    assert sum("decided in commit" in block and REASON[:40] in block for block in blocks) == 1
    assert sum(STAFF in block and "file gone since)" in block for block in blocks) == 1
