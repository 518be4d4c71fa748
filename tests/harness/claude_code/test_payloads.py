"""Claude Code's payloads are read, and its replies written, as the real client does it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.base.errors import InvalidInputError
from intaglio.fence.marks import strip_injected
from intaglio.fence.outgoing import Fence
from intaglio.harness.claude_code.harness import HARNESS
from intaglio.harness.dispatch import reply_to
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
    TurnEnd,
)
from intaglio.harness.protocol import Reply

# As version 2.1.330 sends them, ids shortened.
COMMON = {"session_id": "s-1", "transcript_path": "/t/s-1.jsonl", "cwd": "/p"}
ORIGIN = EventOrigin(session="s-1", cwd="/p", transcript="/t/s-1.jsonl")
PASTE = '\n\n<pasted_content id="56d4">\na log\n</pasted_content id="56d4">\n'
TURN = {"prompt_id": "p-1", "permission_mode": "default"}


@pytest.mark.parametrize(
    ("extra", "event"),
    [
        (
            {"hook_event_name": "SessionStart", "source": "startup"},
            SessionStart(ORIGIN, "startup"),
        ),
        (
            {**TURN, "hook_event_name": "UserPromptSubmit", "prompt": "We use Postgres."},
            Prompt(ORIGIN, "We use Postgres.", prompt_id="p-1"),
        ),
        (
            {"hook_event_name": "UserPromptSubmit", "prompt": f"{PASTE}Why?"},
            Prompt(ORIGIN, "Why?\n\n<pasted_content>\na log\n</pasted_content>"),
        ),
        (
            {"hook_event_name": "UserPromptSubmit", "prompt": "tick", "source": "loop_wakeup"},
            Prompt(ORIGIN, "tick", by_user=False),
        ),
        (
            {
                **TURN,
                "hook_event_name": "Stop",
                "stop_hook_active": False,
                "last_assistant_message": "Done.",
            },
            TurnEnd(ORIGIN),
        ),
        (
            {
                **TURN,
                "hook_event_name": "PostToolUse",
                "tool_name": "Edit",
                "tool_input": {"file_path": "/p/a.py", "old_string": "x", "new_string": "y"},
                "tool_response": {"filePath": "/p/a.py", "originalFile": "x"},
                "tool_use_id": "t-1",
            },
            ToolUse(ORIGIN, "Edit", "/p/a.py"),
        ),
        (
            {
                "hook_event_name": "PostToolUse",
                "tool_name": "NotebookEdit",
                "tool_input": {"notebook_path": "/p/a.ipynb", "new_source": "y"},
            },
            ToolUse(ORIGIN, "NotebookEdit", "/p/a.ipynb"),
        ),
        (
            {
                "hook_event_name": "PostToolUse",
                "tool_name": "Read",
                "tool_input": {"file_path": "/p/a.py"},
            },
            ToolUse(ORIGIN, "Read"),
        ),
        ({"hook_event_name": "SessionEnd", "reason": "other"}, SessionEnd(ORIGIN, "other")),
        ({"hook_event_name": "PreCompact", "trigger": "auto"}, Compaction(ORIGIN)),
        (
            {"hook_event_name": "PostCompact", "compact_summary": "Tea was asked for."},
            CompactionEnd(ORIGIN, "Tea was asked for."),
        ),
        ({"hook_event_name": "PostCompact", "compact_summary": 3}, CompactionEnd(ORIGIN)),
        ({"hook_event_name": "Notification"}, IgnoredEvent("Notification")),
    ],
)
def test_a_payload_becomes_an_event(extra: dict[str, object], event: HarnessEvent) -> None:
    assert HARNESS.read_event(json.dumps({**COMMON, **extra}).encode()) == event


def test_a_subagents_payload_is_marked() -> None:
    body = {**COMMON, "hook_event_name": "Stop", "agent_id": "a-1"}
    event = HARNESS.read_event(json.dumps(body).encode())
    assert isinstance(event, TurnEnd)
    assert event.origin.agent_id == "a-1"


def test_injected_text_in_a_prompt_is_stripped() -> None:
    prompt = Fence().wrap("old fact", {}) + "why?"
    body = {**COMMON, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    assert HARNESS.read_event(json.dumps(body).encode()) == Prompt(ORIGIN, "why?")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff",
        b'{"hook_event_name": "Stop"}',
        b'{"hook_event_name": "Stop", "session_id": ""}',
        b'{"hook_event_name": "Stop", "session_id": "\\u0000"}',
        b'{"hook_event_name": "Stop", "session_id": 5}',
        b'{"hook_event_name": "Stop", "session_id": "s", "cwd": []}',
        b"[" * 100_000,
        json.dumps({**COMMON, "hook_event_name": "Stop", "session_id": "s" * 201}).encode(),
        json.dumps({**COMMON, "hook_event_name": "Stop", "cwd": "/" * 5_000}).encode(),
    ],
)
def test_anything_else_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError):
        HARNESS.read_event(body)


@given(body=st.binary(max_size=40))
def test_no_body_breaks_the_reader(body: bytes) -> None:
    try:
        HARNESS.read_event(body)
    except InvalidInputError:
        return


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (SessionStart(ORIGIN), "SessionStart"),
        (Prompt(ORIGIN, "x"), "UserPromptSubmit"),
        (ToolUse(ORIGIN, "Edit", "/p/a.py"), "PostToolUse"),
    ],
)
def test_the_reply_carries_text_as_additional_context(event: HarnessEvent, name: str) -> None:
    assert json.loads(HARNESS.write_reply(event, Reply("fact"))) == {
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": "fact"}
    }


def test_a_notice_goes_back_as_a_message_to_the_person_beside_the_context_or_alone() -> None:
    line, event = "Intaglio: 2 memories for lantern", SessionStart(ORIGIN)
    assert json.loads(HARNESS.write_reply(event, Reply("fact", line))) == {
        "systemMessage": line,
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "fact"},
    }
    assert json.loads(HARNESS.write_reply(event, Reply("", line))) == {"systemMessage": line}


@pytest.mark.parametrize("event", [SessionStart(ORIGIN), Prompt(ORIGIN, "x"), ToolUse(ORIGIN)])
def test_no_text_is_an_empty_reply(event: HarnessEvent) -> None:
    assert HARNESS.write_reply(event, Reply("  \n")) == b""


@pytest.mark.parametrize("event", [TurnEnd(ORIGIN), SessionEnd(ORIGIN), IgnoredEvent("PreToolUse")])
def test_events_that_could_keep_the_agent_going_get_nothing(event: HarnessEvent) -> None:
    assert HARNESS.write_reply(event, Reply("text", "notice")) == b""


@pytest.mark.parametrize("unit", ["word ", "é", "日本", "😀", "\ud83d"])
def test_a_long_text_is_cut_inside_its_fence(unit: str) -> None:
    text = Fence().wrap((unit * 20_000).encode("utf-8", "replace").decode(), {"project": "p"})
    reply = json.loads(reply_to(HARNESS, SessionStart(ORIGIN), Reply(text)))
    context: str = reply["hookSpecificOutput"]["additionalContext"]
    assert 6_500 < len(context.encode("utf-16-le")) // 2 <= 9_500
    assert strip_injected(context + "after") == "after"


def test_a_field_of_a_wrong_type_does_not_cost_the_directory() -> None:
    payload = {**COMMON, "hook_event_name": "Stop", "tool_input": ["odd"]}
    assert HARNESS.read_event(json.dumps(payload).encode()) == TurnEnd(ORIGIN)
