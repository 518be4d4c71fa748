"""The requests of a session in a terminal, and as files."""

import json
from pathlib import Path
from typing import Final

from intaglio.cli.pipeline.show_prompts import request_text, write_requests
from intaglio.wire.pipeline_prompts import ShownRequest, ShownRequests

NOTES: Final = ShownRequest(
    stage="notes",
    subject="messages 1 to 3",
    prompt="session_notes",
    version=1,
    provider="ollama",
    model="small",
    system="Read the session.",
    user="[1] user: \x1b[31mhello",
    schema={"type": "object"},
    max_tokens=4_000,
    temperature=0.1,
)


def test_a_request_is_shown_as_it_would_be_sent() -> None:
    lines = request_text(ShownRequests(session="7", requests=[NOTES]))
    assert lines[:3] == [
        "=== notes: messages 1 to 3",
        "session_notes v1, ollama/small, at most 4,000 tokens, temperature 0.1",
        "--- system",
    ]
    assert "Read the session." in lines
    # A terminal obeys no sequence that somebody said.
    assert "\x1b" not in "".join(lines)


def test_a_session_without_messages_has_none() -> None:
    [line] = request_text(ShownRequests(session="7", requests=[]))
    assert line.startswith("Nothing of this session is stored")


def test_each_request_is_a_file_of_its_own_that_others_cannot_read(tmp_path: Path) -> None:
    shown = ShownRequests(session="7", requests=[NOTES, NOTES])
    assert write_requests(tmp_path / "prompts", shown) == 2
    first, second = sorted((tmp_path / "prompts").iterdir())
    assert (first.name, second.name) == (
        "session-7-001-notes.json",
        "session-7-002-notes.json",
    )
    assert json.loads(first.read_text())["user"] == NOTES.user
    assert first.stat().st_mode & 0o077 == 0
