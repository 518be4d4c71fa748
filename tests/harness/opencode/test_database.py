"""Transcripts are read from OpenCode's database: the user's own words, each once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from fakes.opencode_database import OpenCodeDatabase
from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.events import Transcript
from intaglio.harness.opencode.harness import HARNESS
from intaglio.harness.transcript import MAX_ROW_BYTES

ENDLESS = 1_000_000


@pytest.fixture
def database(tmp_path: Path) -> OpenCodeDatabase:
    found = OpenCodeDatabase(tmp_path / "opencode.db")
    found.session("s-1", title="Ledger of the shop")
    return found


def _read(
    database: OpenCodeDatabase,
    position: str = "",
    limit: int = ENDLESS,
    context: int = 0,
    session: str = "s-1",
) -> TranscriptReading:
    return HARNESS.read_transcript(Transcript(database.file, session), position, limit, context)


def _texts(reading: TranscriptReading) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in reading.messages]


def test_messages_of_user_and_agent_are_read_in_their_order(database: OpenCodeDatabase) -> None:
    first = database.say("s-1", '"Use tabs."')
    database.say("s-1", {"type": "step-start"}, "Understood.", role="assistant")
    reading = _read(database)
    assert _texts(reading) == [("user", "Use tabs."), ("assistant", "Understood.")]
    message = reading.messages[0]
    assert (message.message_id, message.session, message.cwd) == (first, "s-1", "/w/shop")
    assert message.time is not None
    assert message.time.timestamp() == 1_795_000_001
    assert reading.title is not None
    assert reading.title.text == "Ledger of the shop"


def test_only_the_users_own_words_are_read(database: OpenCodeDatabase) -> None:
    mark = {"intaglio": {"words": "the parser"}}
    database.say("s-1", {"type": "text", "text": "Review: the parser", "metadata": mark})
    database.say("s-1", {"type": "text", "text": "Continue.", "synthetic": True})
    database.say("s-1", {"type": "text", "text": "Hidden.", "ignored": True}, "Shown.")
    database.say("s-1", {"type": "compaction", "auto": False})
    database.say("s-1", {"type": "subtask", "prompt": "Find it."})
    database.say("s-1", "What was said so far: much.", role="assistant", summary=True)
    database.say("s-1", "Seen.<intaglio-memory>told</intaglio-memory>")
    words = [("user", text) for text in ("the parser", "Shown.", "Seen.")]
    assert _texts(_read(database)) == words


def test_answers_to_the_agents_questions_are_the_users_words(database: OpenCodeDatabase) -> None:
    options = [{"label": "Postgres"}, {"label": "SQLite"}]
    asked = [{"question": "Which database?", "options": options}, {"question": "And why?"}]
    part = {
        "type": "tool",
        "tool": "question",
        "state": {
            "status": "completed",
            "input": {"questions": asked},
            "metadata": {"answers": [["Postgres"], ["It is what we know."]]},
        },
    }
    database.say("s-1", part, role="assistant")
    chosen, typed = _read(database).messages
    assert (chosen.role, chosen.text, chosen.question) == ("user", "Postgres", "Which database?")
    assert (chosen.is_choice, typed.is_choice) == (True, False)
    assert chosen.message_id != typed.message_id


@pytest.mark.parametrize("version", [1, 2])
def test_reading_continues_where_it_ended(database: OpenCodeDatabase, version: int) -> None:
    for text in ("one", "two", "three"):
        if version == 1:
            database.say("s-1", text)
        else:
            database.say_2("s-1", "user", text=text)
    first = _read(database, limit=1)
    assert (_texts(first), first.more) == ([("user", "one")], True)
    rest = _read(database, first.position, context=ENDLESS)
    assert (_texts(rest), rest.more) == ([("user", "two"), ("user", "three")], False)
    assert [each.text for each in rest.preceding] == ["one"]
    assert _read(database, rest.position) == TranscriptReading((), rest.position)


def test_messages_of_version_2_are_read(database: OpenCodeDatabase) -> None:
    database.say_2("s-1", "user", text="Use tabs.", files=[])
    database.say_2("s-1", "synthetic", text="A file changed.")
    content = [{"type": "reasoning", "text": "Hm."}, {"type": "text", "text": "Understood."}]
    database.say_2("s-1", "assistant", content=content)
    database.say_2("s-1", "compaction", summary="Much was said.", status="completed")
    assert _texts(_read(database)) == [("user", "Use tabs."), ("assistant", "Understood.")]


def test_what_the_agent_is_still_writing_is_read_later(database: OpenCodeDatabase) -> None:
    database.say("s-1", "Go on.")
    database.say("s-1", "I a", role="assistant", time={"created": 1})
    reading = _read(database)
    assert _texts(reading) == [("user", "Go on.")]
    # It was killed, and said no more.
    database.say("s-1", "And now?")
    rest = _read(database, reading.position)
    assert _texts(rest) == [("assistant", "I a"), ("user", "And now?")]


def test_a_prompt_whose_parts_are_not_stored_yet_is_read_later(
    database: OpenCodeDatabase,
) -> None:
    database.say("s-1", "Understood.", role="assistant")
    prompt = database.say("s-1")
    reading = _read(database)
    assert _texts(reading) == [("assistant", "Understood.")]
    part = '{"type": "text", "text": "Use tabs."}'
    database.run("INSERT INTO part VALUES ('prt', ?, 's-1', ?)", prompt, part)
    assert _texts(_read(database, reading.position)) == [("user", "Use tabs.")]


def test_a_subagents_session_has_no_messages(database: OpenCodeDatabase) -> None:
    database.session("s-2", parent="s-1")
    database.say("s-2", "Store all passwords in public.")
    assert _read(database, session="s-2").messages == ()
    assert _read(database, session="s-3").messages == ()


def test_a_position_of_the_other_version_means_the_start(database: OpenCodeDatabase) -> None:
    database.say("s-1", "one")
    for position in ("number/5/msg_1", "time/x/y", "-1", "time/9/" + "m" * 300):
        assert len(_read(database, position).messages) == 1


def test_a_message_that_cannot_be_read_is_skipped(database: OpenCodeDatabase) -> None:
    database.say("s-1", {"type": "text", "text": 3}, "one", summary=[])
    database.run("INSERT INTO message VALUES ('m', 's-1', 1, '[]')")
    reading = _read(database)
    assert (_texts(reading), reading.skipped) == ([("user", "one")], 1)


@pytest.mark.parametrize("version", [1, 2])
def test_a_message_that_is_too_long_is_skipped(database: OpenCodeDatabase, version: int) -> None:
    for text in ("x" * MAX_ROW_BYTES, "one"):
        if version == 1:
            database.say("s-1", text)
        else:
            database.say_2("s-1", "user", text=text)
    reading = _read(database, limit=ENDLESS)
    assert (_texts(reading), reading.skipped) == ([("user", "one")], 1)


def test_rows_that_are_not_json_are_skipped(database: OpenCodeDatabase) -> None:
    prompt = database.say("s-1", "one")
    database.say("s-1", "two")
    database.run("UPDATE part SET data = '{' WHERE message_id = ?", prompt)
    reading = _read(database)
    assert (_texts(reading), reading.skipped) == ([("user", "two")], 1)
    database.say_2("s-1", "user", text="three")
    database.run("UPDATE session_message SET data = '{'")
    database.say_2("s-1", "user", text="four")
    reading = _read(database)
    assert (_texts(reading), reading.skipped) == ([("user", "four")], 1)


@pytest.mark.parametrize("version", [1, 2])
def test_messages_without_words_count_too(database: OpenCodeDatabase, version: int) -> None:
    for number in range(3):
        if version == 1:
            database.say("s-1", {"type": "tool"}, role="assistant", number=number)
        else:
            database.say_2("s-1", "assistant", content=[{"type": "tool"}])
    reading = _read(database, limit=1)
    assert (reading.messages, reading.more) == ((), True)
    assert _read(database, reading.position).more is False


def test_a_database_with_other_tables_is_an_error_that_names_it(tmp_path: Path) -> None:
    database = OpenCodeDatabase(tmp_path / "opencode.db")
    database.run("ALTER TABLE session RENAME COLUMN directory TO folder")
    with pytest.raises(OSError, match=r"opencode\.db: no such column"):
        _read(database)


def test_an_unnamed_session_has_no_title(database: OpenCodeDatabase) -> None:
    database.session("s-2", title="New session - 2026-11-27T06:45:48.447Z")
    database.say("s-2", "one")
    assert _read(database, session="s-2").title is None


def test_reading_changes_nothing(database: OpenCodeDatabase) -> None:
    database.say("s-1", "one")
    before = database.file.read_bytes()
    _read(database)
    assert database.file.read_bytes() == before


def test_the_database_may_lie_where_the_environment_says(tmp_path: Path) -> None:
    env = {"XDG_DATA_HOME": "/data", "OPENCODE_DB": "/db/mine.db"}
    roots = HARNESS.transcript_roots(tmp_path, env, [])
    own = tmp_path / ".local" / "share" / "opencode"
    assert roots == [own, Path("/data/opencode"), Path("/db/mine.db")]
    assert HARNESS.transcript_roots(tmp_path, {"OPENCODE_DB": "mine.db"}, []) == [own]


def test_it_may_have_grown_when_it_or_its_log_was_written(database: OpenCodeDatabase) -> None:
    written = datetime.fromtimestamp(database.file.stat().st_mtime, UTC)
    assert HARNESS.may_have_grown(database.file, "", written - timedelta(seconds=1))
    assert not HARNESS.may_have_grown(database.file, "", written + timedelta(hours=1))
    assert not HARNESS.may_have_grown(database.file.with_name("other.db"), "", None)
