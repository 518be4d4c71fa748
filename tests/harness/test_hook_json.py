"""A harness by a description: payloads become events, replies its JSON."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

import pytest
from msgspec import Struct

from intaglio.base.errors import InvalidInputError
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.connect.hook_json import PayloadFields
from intaglio.fence.outgoing import Fence
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionStart,
    ToolUse,
    Transcript,
    TurnEnd,
)
from intaglio.harness.hook_json import (
    EditedFile,
    HookFormat,
    HookJsonHarness,
    JsonLines,
    ReplyKeys,
)
from intaglio.harness.protocol import Harness, HarnessLimits, Reply


class _Line(Struct):
    role: str
    text: str


def _folders(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    del env
    return [base / "logs" for base in (home / ".agent", *folders)]


def _messages(transcript: Transcript, line: _Line) -> list[TranscriptMessage]:
    role: Literal["user", "assistant"] = "user" if line.role == "user" else "assistant"
    return [TranscriptMessage(line.text, role, line.text, session=transcript.session)]


def _harness(format_: HookFormat) -> Harness:
    return HookJsonHarness(
        name="agent",
        label="Agent",
        format=format_,
        transcripts=JsonLines(folders=_folders, decoder=TolerantDecoder(_Line), messages=_messages),
        tags=("agent-note",),
        limits=HarnessLimits(reply_chars=1_000),
    )


CLAUDE_LIKE: Final = _harness(
    HookFormat(
        events={
            "SessionStart": SessionStart,
            "UserPromptSubmit": Prompt,
            "PostToolUse": ToolUse,
            "PostToolUseFailure": ToolUse,
            "PreCompact": Compaction,
            "PostCompact": CompactionEnd,
            "Stop": TurnEnd,
            "SessionEnd": SessionEnd,
        },
        sources={"new": "startup"},
        user_sources=("", "user"),
        edits={
            "Write": EditedFile("file_path"),
            "Patch": EditedFile("patch", lambda patch: patch.partition("\n")[0]),
        },
    )
)
PLAIN: Final = _harness(
    HookFormat(
        fields=PayloadFields(
            event="event", session="conversation_id", cwd="workspace_roots", cwd_is_list=True
        ),
        events={"sessionStart": SessionStart, "beforePrompt": Prompt, "stop": TurnEnd},
        reply=ReplyKeys(events=(SessionStart,), context="additional_context", inside="", notice=""),
    )
)
ORIGIN: Final = EventOrigin(session="s-1", cwd="/w", transcript="/t.jsonl")
GIVEN: Final[Mapping[str, object]] = {
    "session_id": "s-1",
    "cwd": "/w",
    "transcript_path": "/t.jsonl",
    "more": [1, None],
}


def _read(harness: Harness, payload: object) -> HarnessEvent:
    return harness.read_event(json.dumps(payload).encode())


@pytest.mark.parametrize(
    ("payload", "event"),
    [
        ({"hook_event_name": "SessionStart", "source": "new"}, SessionStart(ORIGIN, "startup")),
        ({"hook_event_name": "SessionStart", "source": "resume"}, SessionStart(ORIGIN, "resume")),
        ({"hook_event_name": "SessionStart", "source": None}, SessionStart(ORIGIN)),
        (
            {"hook_event_name": "UserPromptSubmit", "prompt": " x\x00 ", "prompt_id": "p"},
            Prompt(ORIGIN, "x", prompt_id="p"),
        ),
        (
            {"hook_event_name": "UserPromptSubmit", "prompt": "x", "source": "cron"},
            Prompt(ORIGIN, "x", by_user=False),
        ),
        (
            {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"a": 1}},
            ToolUse(ORIGIN, "Bash"),
        ),
        (
            {
                "hook_event_name": "PostToolUse",
                "tool_name": "Write",
                "tool_input": {"line": 1, "file_path": "/w/a.py"},
            },
            ToolUse(ORIGIN, "Write", "/w/a.py"),
        ),
        (
            {
                "hook_event_name": "PostToolUse",
                "tool_name": "Patch",
                "tool_input": {"patch": "a.py\n" + "+\n" * 5_000},
            },
            ToolUse(ORIGIN, "Patch", "a.py"),
        ),
        (
            {"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": ["odd"]},
            ToolUse(ORIGIN, "Write"),
        ),
        ({"hook_event_name": "PreCompact"}, Compaction(ORIGIN)),
        (
            {"hook_event_name": "PostCompact", "compact_summary": "We talked."},
            CompactionEnd(ORIGIN, "We talked."),
        ),
        ({"hook_event_name": "Stop"}, TurnEnd(ORIGIN)),
        ({"hook_event_name": "SessionEnd", "reason": "exit"}, SessionEnd(ORIGIN, "exit")),
        ({"hook_event_name": "Other"}, IgnoredEvent("Other")),
    ],
)
def test_a_payload_becomes_an_event(payload: Mapping[str, object], event: HarnessEvent) -> None:
    assert _read(CLAUDE_LIKE, {**GIVEN, **payload}) == event


@pytest.mark.parametrize(
    "payload",
    [
        {"session_id": ""},
        {"session_id": "\x00"},
        {"session_id": "s" * 201},
        {"session_id": None},
        {"cwd": 7},
        {"cwd": "/" * 5_000},
        {"tool_name": "Write", "tool_input": {"file_path": "/" * 5_000}},
        {"tool_name": "Write", "tool_input": {"file_path": [1]}},
    ],
)
def test_a_payload_without_its_session_directory_or_file_is_refused(
    payload: Mapping[str, object],
) -> None:
    with pytest.raises(InvalidInputError, match="Agent"):
        _read(CLAUDE_LIKE, {"hook_event_name": "PostToolUse", **GIVEN, **payload})


def test_what_was_injected_into_a_prompt_is_not_part_of_it() -> None:
    prompt = f"Why?\n{Fence().wrap('a fact', {})}"
    event = _read(CLAUDE_LIKE, {**GIVEN, "hook_event_name": "UserPromptSubmit", "prompt": prompt})
    assert event == Prompt(ORIGIN, "Why?")


def test_fields_have_the_names_that_the_harness_gives_them() -> None:
    payload = {"event": "stop", "conversation_id": "s-1", "workspace_roots": ["/w", "/v"]}
    assert _read(PLAIN, payload) == TurnEnd(EventOrigin(session="s-1", cwd="/w"))
    assert _read(PLAIN, {**payload, "workspace_roots": []}) == TurnEnd(EventOrigin(session="s-1"))


def test_a_spooled_event_keeps_its_reason() -> None:
    assert CLAUDE_LIKE.spooled_event("SessionEnd", ORIGIN, "exit") == SessionEnd(ORIGIN, "exit")
    assert CLAUDE_LIKE.spooled_event("UserPromptSubmit", ORIGIN, "") == Prompt(ORIGIN, "")


def test_a_reply_names_its_event_and_shows_a_notice() -> None:
    reply = CLAUDE_LIKE.write_reply(ToolUse(ORIGIN), Reply("a fact", "one line"))
    assert json.loads(reply) == {
        "systemMessage": "one line",
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "a fact"},
    }
    assert CLAUDE_LIKE.write_reply(SessionStart(ORIGIN), Reply(" ")) == b""


def test_a_reply_has_only_keys_that_the_harness_knows() -> None:
    reply = PLAIN.write_reply(SessionStart(ORIGIN), Reply("a fact", "one line"))
    assert json.loads(reply) == {"additional_context": "a fact"}
    assert PLAIN.write_reply(Prompt(ORIGIN, "x"), Reply("a fact")) == b""


def test_its_transcripts_are_read_from_a_position_on(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text('{"role": "user", "text": "one"}\n{"role": "agent", "text": "two"}\n')
    whole = CLAUDE_LIKE.read_transcript(Transcript(file, "s-1"), "", 10)
    rest = CLAUDE_LIKE.read_transcript(Transcript(file, "s-1"), whole.position, 1_000)
    assert [each.text for each in (*whole.messages, *rest.messages)] == ["one", "two"]
    assert CLAUDE_LIKE.may_have_grown(file, whole.position, None)
    assert not CLAUDE_LIKE.may_have_grown(file, rest.position, None)
