"""The title that Claude Code, or its user, gave a session."""

import json
from pathlib import Path

from intaglio.capture.transcripts import HarnessTitle
from intaglio.harness.claude_code.transcript import read_new

LIMIT = 1_000_000
GOLDEN = Path(__file__).with_name("claude_code_2_1_330.jsonl")
BY_CLIENT = {"type": "ai-title", "aiTitle": "Fix the payments outage", "sessionId": "s-1"}
BY_USER = {"type": "custom-title", "customTitle": "Outage of March", "sessionId": "s-1"}
PROMPT = {
    "type": "user",
    "uuid": "u-1",
    "sessionId": "s-1",
    "timestamp": "2026-03-02T10:00:00.000Z",
    "cwd": "/p",
    "promptSource": "typed",
    "message": {"role": "user", "content": "Checkout is down."},
}


def title(tmp_path: Path, *records: object, position: str = "") -> HarnessTitle | None:
    file = tmp_path / "s-1.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return read_new(file, position, LIMIT).title


def test_the_clients_title_is_read(tmp_path: Path) -> None:
    found = title(tmp_path, PROMPT, BY_CLIENT)
    assert found == HarnessTitle("Fix the payments outage", by_user=False, session="s-1")


def test_the_latest_title_holds(tmp_path: Path) -> None:
    found = title(tmp_path, PROMPT, BY_CLIENT, {**BY_CLIENT, "aiTitle": "Close the sockets"})
    assert found is not None
    assert found.text == "Close the sockets"


def test_the_users_title_comes_before_the_clients(tmp_path: Path) -> None:
    found = title(tmp_path, PROMPT, BY_USER, BY_CLIENT)
    assert found == HarnessTitle("Outage of March", by_user=True, session="s-1")


def test_a_summary_of_another_session_is_no_title(tmp_path: Path) -> None:
    own = {"type": "summary", "summary": "Payments outage", "leafUuid": "u-1"}
    assert title(tmp_path, {**own, "leafUuid": "elsewhere"}, PROMPT) is None
    found = title(tmp_path, PROMPT, own)
    assert found == HarnessTitle("Payments outage")


def test_a_title_of_an_odd_type_is_ignored(tmp_path: Path) -> None:
    odd = {**BY_CLIENT, "aiTitle": {"text": ["x"]}}
    assert title(tmp_path, PROMPT, odd, {**BY_CLIENT, "aiTitle": ""}) is None


def test_a_transcript_without_a_title_has_none() -> None:
    reading = read_new(GOLDEN, "", LIMIT)
    assert reading.messages
    assert reading.title is None
