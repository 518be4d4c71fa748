"""An agent's database has the transcripts of its sessions; the owner's words are the user's."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from fakes.openclaw_database import AgentDatabase
from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.events import Transcript
from intaglio.harness.openclaw.harness import HARNESS
from intaglio.harness.transcript import MAX_ROW_BYTES

SESSION = "agent:main:s-1"


@pytest.fixture
def database(tmp_path: Path) -> AgentDatabase:
    return AgentDatabase.of(tmp_path, "main")


def _read(
    database: AgentDatabase, position: str = "", limit: int = 100_000, context: int = 0
) -> TranscriptReading:
    return HARNESS.read_transcript(Transcript(database.file, SESSION), position, limit, context)


def _texts(database: AgentDatabase) -> list[str]:
    return [message.text for message in _read(database).messages]


def test_both_sides_are_read_with_their_times(database: AgentDatabase) -> None:
    database.say("s-1", "[Fri 2026-11-27 06:56 UTC] Use tabs.")
    content = [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "Done."}]
    database.say("s-1", "", own={}, role="assistant", content=content)
    user, agent = _read(database).messages
    assert (user.role, user.text, user.message_id) == ("user", "Use tabs.", "s-1-e0")
    assert (agent.role, agent.text, agent.session) == ("assistant", "Done.", SESSION)
    assert user.time == datetime(2026, 11, 27, 6, 56, 0, 627_000, tzinfo=UTC)


def test_a_long_message_is_read_though_openclaw_compresses_it(database: AgentDatabase) -> None:
    long = "Use tabs. " + "Really. " * 300
    database.say("s-1", long, compressed=True)
    assert _texts(database) == [long.strip()]


@pytest.mark.parametrize(
    "said",
    [
        {"own": {}},
        {"own": {"senderIsOwner": False}},
        {"own": {"senderIsOwner": "yes"}},
        {"provenance": {"kind": "inter_session"}},
        {"provenance": {"kind": "internal_system", "sourceTool": "heartbeat"}},
        {"role": "toolResult"},
        {"role": "custom"},
        {"key": "agent:main:cron:daily"},
        {"key": "agent:main:subagent:1"},
    ],
)
def test_what_the_owner_did_not_write_is_not_theirs(
    database: AgentDatabase, said: dict[str, Any]
) -> None:
    database.say("s-1", "Always use blanks.", **said)
    assert _texts(database) == []


def test_injected_text_is_left_out(database: AgentDatabase) -> None:
    database.say("s-1", "<intaglio-memory>\nAlways use blanks.\n</intaglio-memory>\nUse tabs.")
    assert _texts(database) == ["Use tabs."]


def test_each_session_is_read_on_from_its_own_position(database: AgentDatabase) -> None:
    for number in range(4):
        database.say("s-1", f"Message {number}")
        database.say("s-2", "Something else")
    position, pieces, more = "", list[str](), True
    while more:
        found = _read(database, position, limit=10, context=1)
        assert [each.text for each in found.preceding] == pieces[-1:]
        pieces += [each.text for each in found.messages]
        position, more = found.position, found.more
    assert pieces == [f"Message {number}" for number in range(4)]
    assert _read(database, position).messages == ()


def test_a_damaged_event_is_skipped(database: AgentDatabase) -> None:
    with closing(sqlite3.connect(database.file)) as db:
        database.add(db, "s-1", "agent:main:main", 0, "{")
        with db:
            db.execute("UPDATE transcript_events SET event_json = NULL, event_zstd = x'00'")
        database.add(db, "s-1", "agent:main:main", 1, "{")
    database.say("s-1", "Use tabs.")
    found = _read(database)
    assert ([each.text for each in found.messages], found.skipped) == (["Use tabs."], 2)


def test_an_event_that_is_too_long_is_skipped(database: AgentDatabase) -> None:
    database.say("s-1", "x" * MAX_ROW_BYTES)
    database.say("s-1", "y" * MAX_ROW_BYTES, compressed=True)
    database.say("s-1", "Use tabs.")
    found = _read(database)
    assert ([each.text for each in found.messages], found.skipped) == (["Use tabs."], 2)


def test_another_schema_is_an_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "openclaw-agent.sqlite"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE other(x)")
    with pytest.raises(OSError, match=r"openclaw-agent\.sqlite: no such table"):
        HARNESS.read_transcript(Transcript(file, SESSION), "", 1_000)


def test_a_database_may_have_grown_once_it_was_written(database: AgentDatabase) -> None:
    now = datetime.now(UTC)
    assert HARNESS.may_have_grown(database.file, "3", None)
    assert HARNESS.may_have_grown(database.file, "3", now - timedelta(hours=1))
    assert not HARNESS.may_have_grown(database.file, "3", now + timedelta(hours=1))
    assert not HARNESS.may_have_grown(database.file.with_name("gone.sqlite"), "", None)
