"""The sessions that harnesses keep on this machine: whose they are, when and where they began."""

import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.openclaw_database import AgentDatabase
from fakes.opencode_database import OpenCodeDatabase
from intaglio.harness import registry
from intaglio.harness.claude_code.cleanup import kept_days
from intaglio.harness.events import KeptTranscript

AT: Final = "2026-11-03T08:00:00.000Z"
MOMENT: Final = datetime(2026, 11, 3, 8, tzinfo=UTC)
CLAUDE: Final = {
    "type": "user",
    "uuid": "u-1",
    "sessionId": "s-1",
    "timestamp": AT,
    "cwd": "/p",
    "message": {"role": "user", "content": "Hello"},
}
META: Final = {"session_id": "s-1", "id": "s-1", "cwd": "/p", "source": "cli"}
GEMINI: Final = {"sessionId": "s-1", "projectHash": "h", "startTime": AT}
QWEN: Final = {
    "uuid": "u-1",
    "sessionId": "s-1",
    "timestamp": AT,
    "type": "user",
    "cwd": "/p",
    "message": {"parts": [{"text": "Hello"}]},
}
COPILOT: Final = {"type": "session.start", "timestamp": AT, "data": {"context": {"cwd": "/p"}}}
CURSOR: Final = {"role": "user", "message": {"content": "<user_query>Hello</user_query>"}}

FILES: Final[Sequence[tuple[str, str, Mapping[str, Any], datetime | None, str | None]]] = (
    ("claude-code", ".claude/projects/-p/s-1.jsonl", CLAUDE, MOMENT, "/p"),
    (
        "codex",
        ".codex/archived_sessions/rollout-2026-11-03T08-00-00-s-1.jsonl",
        {"type": "session_meta", "timestamp": AT, "payload": META},
        MOMENT,
        "/p",
    ),
    ("gemini-cli", ".gemini/tmp/p/chats/session-2026-11-03-s-1.jsonl", GEMINI, MOMENT, "/p"),
    ("qwen-code", ".qwen/projects/-p/chats/s-1.jsonl", QWEN, MOMENT, "/p"),
    ("copilot-cli", ".copilot/session-state/s-1/events.jsonl", COPILOT, MOMENT, "/p"),
    ("cursor", ".cursor/projects/p/agent-transcripts/s-1/s-1.jsonl", CURSOR, None, None),
)
OTHERS: Final[Sequence[tuple[str, str, Mapping[str, Any]]]] = (
    ("claude-code", ".claude/projects/-p/s-1/subagents/agent-1.jsonl", CLAUDE),
    ("claude-code", ".claude/projects/-p/agent-1.jsonl", CLAUDE),
    (
        "codex",
        ".codex/sessions/2026/11/03/rollout-2026-11-03T08-00-00-s-2.jsonl",
        {"type": "session_meta", "payload": {**META, "thread_source": "subagent"}},
    ),
    ("gemini-cli", ".gemini/tmp/p/chats/s-1/s-2.jsonl", GEMINI),
    ("gemini-cli", ".gemini/tmp/p/chats/session-2.jsonl", {**GEMINI, "kind": "subagent"}),
    ("cursor", ".cursor/projects/p/agent-transcripts/s-1/subagents/s-2.jsonl", CURSOR),
)


def kept(name: str, home: Path) -> list[KeptTranscript]:
    harness = registry.harnesses()[name]
    return list(harness.past_sessions(harness.transcript_roots(home, {}, ())))


def write(file: Path, *records: Mapping[str, Any]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(each) + "\n" for each in records))
    return file


@pytest.mark.parametrize(("name", "path", "record", "started", "cwd"), FILES)
def test_a_session_has_its_id_beginning_and_directory(
    name: str,
    path: str,
    record: Mapping[str, Any],
    started: datetime | None,
    cwd: str | None,
    tmp_path: Path,
) -> None:
    file = write(tmp_path / path, record)
    (tmp_path / ".gemini/tmp/p").mkdir(parents=True, exist_ok=True)
    (tmp_path / ".gemini/tmp/p/.project_root").write_text("/p\n")
    [session] = kept(name, tmp_path)
    assert (session.transcript.session, session.transcript.path) == ("s-1", file)
    assert (session.started, session.cwd, session.size) == (started, cwd, file.stat().st_size)


@pytest.mark.parametrize(("name", "path", "record"), OTHERS)
def test_what_subagents_said_is_no_session(
    name: str, path: str, record: Mapping[str, Any], tmp_path: Path
) -> None:
    write(tmp_path / path, record)
    assert kept(name, tmp_path) == []


def test_the_sessions_of_databases_are_listed(tmp_path: Path) -> None:
    base = OpenCodeDatabase(tmp_path / ".local/share/opencode/opencode.db")
    base.session("s-1", "/p")
    base.session("s-2", "/p", parent="s-1")
    for of in ("s-1", "s-2"):
        base.say(of, "Hello")
    [session] = kept("opencode", tmp_path)
    assert (session.transcript.session, session.cwd) == ("s-1", "/p")
    assert session.started == session.modified == datetime.fromtimestamp(1_795_000_001, UTC)
    state = AgentDatabase.of(tmp_path / ".openclaw", "main")
    state.say("c-1", "Hello")
    state.say("c-2", "Hello", key="agent:main:cron:1")
    [other] = kept("openclaw", tmp_path)
    assert other.transcript.session == "agent:main:c-1"
    assert other.started == datetime(2026, 11, 27, 6, 56, 0, 627_000, tzinfo=UTC)


def test_a_file_that_is_no_database_cannot_be_listed(tmp_path: Path) -> None:
    file = tmp_path / ".local/share/opencode/opencode.db"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5_000)
    with pytest.raises(OSError, match=r"opencode\.db"):
        kept("opencode", tmp_path)
    file.unlink()
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE other(x)")
    with pytest.raises(OSError, match="session"):
        kept("opencode", tmp_path)


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        ('{"cleanupPeriodDays": 7}', 7.0),
        ('{"cleanupPeriodDays": "soon"}', 30.0),
        ("{", 30.0),
        (None, 30.0),
        ('{"cleanupPeriodDays": 99999999}', None),
    ],
)
def test_a_transcript_is_deleted_some_days_after_it_was_last_written(
    settings: str | None, days: float | None, tmp_path: Path
) -> None:
    file = write(tmp_path / ".claude/projects/-p/s-1.jsonl", CLAUDE)
    os.utime(file, (MOMENT.timestamp(), MOMENT.timestamp()))
    if settings is not None:
        (tmp_path / ".claude/settings.json").write_text(settings)
    assert kept_days(tmp_path / ".claude/projects") == days
    [session] = kept("claude-code", tmp_path)
    assert session.expires_at == (None if days is None else MOMENT + timedelta(days=days))


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    file = write(tmp_path / "elsewhere" / "s-1.jsonl", CLAUDE)
    folder = tmp_path / ".claude/projects/-p"
    folder.mkdir(parents=True)
    (folder / "s-1.jsonl").symlink_to(file)
    assert kept("claude-code", tmp_path) == []


def test_a_continued_session_comes_after_the_one_it_continues(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-p"
    later = {**CLAUDE, "uuid": "u-2", "sessionId": "s-2", "timestamp": "2026-11-04T08:00:00.000Z"}
    write(folder / "s-2.jsonl", CLAUDE, later)
    write(folder / "s-1.jsonl", CLAUDE)
    found = sorted(kept("claude-code", tmp_path), key=lambda each: each.order)
    assert [each.transcript.session for each in found] == ["s-1", "s-2"]
