"""The real Claude Code: what a compacted session, and the one after a crash, are told."""

import contextlib
import json
import sqlite3
from typing import Any

import pytest

from clients.conftest import Machine, blocks_of
from fakes.daemon import Daemon
from fakes.model_api import ToolUse
from fakes.waiting import wait_for
from intaglio.sessions.continuity.wording import GUIDELINES

pytestmark = [pytest.mark.clients, pytest.mark.slow]

ASKED = "Please move the invoice cache from Redis to SQLite."
CLOSING = """The invoice cache is in SQLite now.

Still open:
- The migration has no test yet."""
SUMMARY = "<summary>The user had the cache of the invoices moved.</summary>"


def _last(request: dict[str, Any]) -> str:
    return json.dumps(request["messages"][-3:])


def _is_summary(request: dict[str, Any]) -> bool:
    return GUIDELINES in _last(request)


def _answer(request: dict[str, Any]) -> str | ToolUse:
    return SUMMARY if _is_summary(request) else CLOSING


def _checkpoints(daemon: Daemon) -> list[str]:
    """Return what the session's checkpoints were written for, latest last."""
    with contextlib.closing(sqlite3.connect(daemon.paths.database)) as database:
        found = database.execute("SELECT cause FROM checkpoints ORDER BY seq").fetchall()
    return [str(cause) for (cause,) in found]


def _messages(daemon: Daemon) -> int:
    with contextlib.closing(sqlite3.connect(daemon.paths.database)) as database:
        return int(database.execute("SELECT count(*) FROM transcript_messages").fetchone()[0])


def test_where_a_session_stood_is_in_the_first_request_after_its_compaction(
    machine: Machine,
) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    shop = machine.project("shop")
    machine.model.answer = _answer
    with machine.daemon() as daemon, machine.claude.session(shop) as session:
        session.say(ASKED)
        session.say("/compact")
        asked_for = [each for each in machine.model.requests if _is_summary(each)]
        assert asked_for
        machine.model.requests.clear()
        session.say("And now?")
        told = blocks_of(machine.model.requests[0])[-1]
        assert f'the user asked: "{ASKED}"' in told.partition("## Where this session stood")[2]
        assert 'open, the agent said: "The migration has no test yet."' in told
        wait_for(lambda: "compaction" in _checkpoints(daemon), "a checkpoint with the summary")


def test_the_session_after_one_that_was_killed_is_told_where_it_stood(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    shop = machine.project("shop")
    machine.model.answer = _answer
    with machine.daemon() as daemon:
        with contextlib.suppress(AssertionError), machine.claude.session(shop) as session:
            session.say(ASKED)
            # The end of the turn is reported in the background.
            wait_for(lambda: _messages(daemon) == 2, "both sides' words")
            session.process.kill()
        machine.model.requests.clear()
        machine.claude.ask("Hello again.", shop)
    told = blocks_of(machine.model.requests[0])[-1]
    block = told.partition("## Where the last session stood")[2]
    assert f'the user asked: "{ASKED}"' in block
    assert 'the agent said last: "The invoice cache is in SQLite now."' in block
