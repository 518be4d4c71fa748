"""The harnesses that are descriptions: their payloads, replies and transcripts.

The payloads and lines of Gemini CLI 0.61.0, Qwen Code 0.15.10 and GitHub Copilot CLI 1.0.102 are as
the real clients sent and wrote them, paths shortened; those of Cursor follow its documentation and
sessions that others have published.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from intaglio.connect.hook_json import HookJsonConnector
from intaglio.harness import registry
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
from intaglio.harness.protocol import Reply

CHAT: Final = "/h/.gemini/tmp/p/chats/session-2026-11-27T07-08-5a540d6b.jsonl"
GEMINI: Final = {"session_id": "5a", "transcript_path": CHAT, "cwd": "/p", "timestamp": "2026"}
QWEN: Final = {"session_id": "b0", "transcript_path": "/h/b0.jsonl", "cwd": "/p"}
COPILOT: Final = {"session_id": "c0", "timestamp": "2026-11-27T07:09:40.121Z", "cwd": "/p"}
CURSOR: Final = {
    "conversation_id": "d0",
    "generation_id": "g0",
    "model": "m",
    "cursor_version": "2.4.1",
    "workspace_roots": ["/p", "/q"],
    "user_email": None,
    "transcript_path": "/h/d0.jsonl",
}
START_CONTEXT: Final = (
    "<hook_context>&lt;intaglio-memory&gt;x&lt;/intaglio-memory&gt;</hook_context>"
)
IN_GEMINI: Final = EventOrigin(session="5a", cwd="/p", transcript=CHAT)
IN_QWEN: Final = EventOrigin(session="b0", cwd="/p", transcript="/h/b0.jsonl")
IN_COPILOT: Final = EventOrigin(session="c0", cwd="/p")
IN_CURSOR: Final = EventOrigin(session="d0", cwd="/p", transcript="/h/d0.jsonl")
IN_TERMINAL: Final = EventOrigin(session="d0", cwd="/p")

EVENTS: Final[Sequence[tuple[str, Mapping[str, Any], HarnessEvent]]] = (
    (
        "gemini-cli",
        {**GEMINI, "hook_event_name": "SessionStart", "source": "startup"},
        SessionStart(IN_GEMINI, "startup"),
    ),
    (
        "gemini-cli",
        {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": f"{START_CONTEXT}\n\nUse <b>."},
        Prompt(IN_GEMINI, "Use <b>."),
    ),
    (
        "gemini-cli",
        {
            **GEMINI,
            "hook_event_name": "AfterTool",
            "tool_name": "write_file",
            "tool_input": {"file_path": "/p/made.txt", "content": "hi"},
            "tool_response": {"llmContent": "Successfully created"},
        },
        ToolUse(IN_GEMINI, "write_file", "/p/made.txt"),
    ),
    (
        "gemini-cli",
        {
            **GEMINI,
            "hook_event_name": "AfterAgent",
            "prompt": "x",
            "prompt_response": "Understood.",
            "stop_hook_active": False,
        },
        TurnEnd(IN_GEMINI),
    ),
    (
        "gemini-cli",
        {**GEMINI, "hook_event_name": "SessionEnd", "reason": "exit"},
        SessionEnd(IN_GEMINI, "exit"),
    ),
    # Sent before each request, whether or not anything is compressed.
    (
        "gemini-cli",
        {**GEMINI, "hook_event_name": "PreCompress", "trigger": "auto"},
        IgnoredEvent("PreCompress"),
    ),
    (
        "gemini-cli",
        {**GEMINI, "hook_event_name": "AfterAgent", "transcript_path": ""},
        TurnEnd(EventOrigin(session="5a", cwd="/p")),
    ),
    (
        "qwen-code",
        {**QWEN, "hook_event_name": "UserPromptSubmit", "prompt": "We decided."},
        Prompt(IN_QWEN, "We decided."),
    ),
    (
        "qwen-code",
        {
            **QWEN,
            "hook_event_name": "PostToolUse",
            "permission_mode": "yolo",
            "tool_name": "edit",
            "tool_input": {"file_path": "/p/a.py", "old_string": "a", "new_string": "b"},
            "tool_response": {"llmContent": "x"},
            "tool_use_id": "t",
        },
        ToolUse(IN_QWEN, "edit", "/p/a.py"),
    ),
    (
        "qwen-code",
        {**QWEN, "hook_event_name": "PreCompact", "trigger": "auto"},
        Compaction(IN_QWEN),
    ),
    (
        "qwen-code",
        {**QWEN, "hook_event_name": "PostCompact", "trigger": "auto", "compact_summary": "So far."},
        CompactionEnd(IN_QWEN, "So far."),
    ),
    (
        "qwen-code",
        {**QWEN, "hook_event_name": "Stop", "last_assistant_message": "Understood."},
        TurnEnd(IN_QWEN),
    ),
    # What its hooks reply is thrown away: nothing may count as told.
    (
        "qwen-code",
        {**QWEN, "hook_event_name": "SessionStart", "source": "startup"},
        IgnoredEvent("SessionStart"),
    ),
    (
        "copilot-cli",
        {**COPILOT, "hook_event_name": "SessionStart", "source": "new", "initial_prompt": "x"},
        SessionStart(IN_COPILOT, "startup"),
    ),
    (
        "copilot-cli",
        {**COPILOT, "hook_event_name": "UserPromptSubmit", "prompt": "We decided."},
        Prompt(IN_COPILOT, "We decided."),
    ),
    (
        "copilot-cli",
        {
            **COPILOT,
            "hook_event_name": "PostToolUse",
            "tool_name": "Write",
            "tool_input": {"path": "/p/made.txt", "file_text": "hi"},
            "tool_result": {"result_type": "success", "text_result_for_llm": "Created"},
        },
        ToolUse(IN_COPILOT, "Write", "/p/made.txt"),
    ),
    (
        "copilot-cli",
        {
            **COPILOT,
            "hook_event_name": "Stop",
            "transcript_path": "/h/.copilot/session-state/c0/events.jsonl",
            "stop_reason": "end_turn",
        },
        TurnEnd(
            EventOrigin(
                session="c0", cwd="/p", transcript="/h/.copilot/session-state/c0/events.jsonl"
            )
        ),
    ),
    (
        "copilot-cli",
        {**COPILOT, "hook_event_name": "SessionEnd", "reason": "complete"},
        SessionEnd(IN_COPILOT, "complete"),
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "sessionStart",
            "session_id": "d0",
            "is_background_agent": False,
            "composer_mode": "agent",
        },
        SessionStart(IN_CURSOR),
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "postToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": "/p/a.py", "content": "x"},
            "tool_output": "{}",
            "duration": 36.841,
        },
        ToolUse(IN_CURSOR, "Write", "/p/a.py"),
    ),
    (
        "cursor",
        {
            **CURSOR,
            "hook_event_name": "postToolUse",
            "tool_name": "StrReplace",
            "tool_input": {"path": "/p/a.py", "old_string": "x", "new_string": "y"},
        },
        ToolUse(IN_CURSOR, "StrReplace", "/p/a.py"),
    ),
    (
        "cursor",
        {**CURSOR, "hook_event_name": "preCompact", "trigger": "auto", "message_count": 40},
        Compaction(IN_CURSOR),
    ),
    # The command line names no transcript.
    (
        "cursor",
        {**CURSOR, "hook_event_name": "stop", "transcript_path": None, "status": "completed"},
        TurnEnd(IN_TERMINAL),
    ),
    # Its reply reaches no model: nothing may count as told.
    (
        "cursor",
        {**CURSOR, "hook_event_name": "beforeSubmitPrompt", "prompt": "x", "attachments": []},
        IgnoredEvent("beforeSubmitPrompt"),
    ),
)

CONTEXT: Final[Mapping[str, tuple[HarnessEvent, object]]] = {
    "gemini-cli": (
        SessionStart(IN_GEMINI),
        {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "a fact"}},
    ),
    "qwen-code": (
        Prompt(IN_QWEN, "x"),
        {
            "hookSpecificOutput": {
                "hookEventName": "UserPromptSubmit",
                "additionalContext": "a fact",
            }
        },
    ),
    "copilot-cli": (ToolUse(IN_COPILOT), {"additionalContext": "a fact"}),
    "cursor": (SessionStart(IN_CURSOR), {"additional_context": "a fact"}),
}

TALK: Final = [("user", "We decided to use Postgres."), ("assistant", "Understood.")]
TRANSCRIPTS: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "gemini-cli": (
        {"sessionId": "5a", "projectHash": "e2", "kind": "main"},
        {"$set": {"messages": [{"id": "d0", "type": "user", "content": [{"text": "<session"}]}]}},
        {
            "id": "0c",
            "timestamp": "2026-11-27T07:08:00.752Z",
            "type": "user",
            "content": [
                {"text": f"{START_CONTEXT}\n\nWe decided to use Postgres."},
                {"text": START_CONTEXT},
            ],
        },
        {"$set": {"lastUpdated": "2026-11-27T07:08:00.753Z"}},
        {"id": "0d", "type": "user", "content": [{"functionResponse": {"id": "1", "name": "x"}}]},
        {"id": "0e", "type": "user", "content": "Please continue."},
        {"id": "0f", "type": "info", "content": "Compressed."},
        {
            "id": "c4",
            "timestamp": "2026-11-27T07:08:00.950Z",
            "type": "gemini",
            "content": "Understood.",
            "thoughts": [],
            "tokens": {"input": 10, "output": 5, "total": 15},
            "model": "gemini-2.5-flash",
        },
    ),
    "qwen-code": (
        {
            "uuid": "af",
            "parentUuid": None,
            "sessionId": "b0",
            "timestamp": "2026-11-27T07:08:56.940Z",
            "type": "user",
            "cwd": "/p",
            "version": "0.15.10",
            "message": {
                "role": "user",
                "parts": [
                    {"text": "We decided to use Postgres."},
                    {"text": "&lt;intaglio-memory&gt;x&lt;/intaglio-memory&gt;"},
                ],
            },
        },
        {"uuid": "97", "sessionId": "b0", "type": "system", "subtype": "attribution_snapshot"},
        {
            "uuid": "98",
            "sessionId": "b0",
            "type": "user",
            "subtype": "cron",
            "message": {"role": "user", "parts": [{"text": "Always run the nightly job."}]},
        },
        {
            "uuid": "f5",
            "sessionId": "b0",
            "type": "assistant",
            "cwd": "/p",
            "message": {
                "role": "model",
                "parts": [{"text": "Hm.", "thought": True}, {"text": "Understood."}],
            },
        },
    ),
    "copilot-cli": (
        {"type": "session.start", "data": {"sessionId": "c0", "context": {"cwd": "/p"}}, "id": "6"},
        {
            "type": "user.message",
            "data": {
                "content": "We decided to use Postgres.",
                "transformedContent": "<current_datetime>x</current_datetime>\n\nWe decided",
                "messageId": "b0",
            },
            "id": "c3",
            "timestamp": "2026-11-27T07:09:41.078Z",
        },
        {"type": "system.message", "data": {"role": "system", "content": "You are"}, "id": "c4"},
        {
            "type": "user.message",
            "data": {"content": "Never do that.", "source": "skill"},
            "id": "c5",
        },
        {
            "type": "assistant.message",
            "data": {"content": "I looked.", "parentToolCallId": "call_1"},
            "id": "c6",
        },
        {"type": "assistant.message", "data": {"content": "", "toolRequests": [{}]}, "id": "c7"},
        {"type": "assistant.message", "data": {"content": "Understood."}, "id": "c8"},
    ),
    "cursor": (
        {
            "role": "user",
            "message": {
                "content": [
                    {
                        "type": "text",
                        "text": "<timestamp>Friday</timestamp>\n<user_query>\n"
                        "We decided to use Postgres.\n</user_query>",
                    }
                ]
            },
        },
        {"role": "user", "message": {"content": [{"type": "text", "text": "<open_files>x"}]}},
        {
            "role": "assistant",
            "message": {
                "content": [
                    {"type": "text", "text": "Understood."},
                    {"type": "tool_use", "name": "Shell", "input": {"command": "ls"}},
                ]
            },
        },
        {"type": "turn_ended", "status": "success"},
    ),
}


@pytest.mark.parametrize(
    ("name", "payload", "event"),
    EVENTS,
    ids=[
        f"{number} {name} {payload['hook_event_name']}"
        for number, (name, payload, _) in enumerate(EVENTS)
    ],
)
def test_a_payload_becomes_an_event(
    name: str, payload: Mapping[str, Any], event: HarnessEvent
) -> None:
    assert registry.harnesses()[name].read_event(json.dumps(payload).encode()) == event


@pytest.mark.parametrize("name", CONTEXT)
def test_context_has_the_keys_that_the_harness_reads(name: str) -> None:
    event, reply = CONTEXT[name]
    assert json.loads(registry.harnesses()[name].write_reply(event, Reply("a fact"))) == reply


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_a_transcript_has_what_the_user_and_the_agent_said(name: str, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in TRANSCRIPTS[name]))
    reading = registry.harnesses()[name].read_transcript(Transcript(file, "s"), "", 100_000)
    assert [(each.role, each.text) for each in reading.messages] == TALK
    assert reading.skipped == 0
    assert len({each.message_id for each in reading.messages}) == len(TALK)


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_only_events_that_are_read_are_hooked(name: str) -> None:
    connector, harness = registry.connectors()[name], registry.harnesses()[name]
    assert isinstance(connector, HookJsonConnector)
    for event in connector.hooks:
        read = harness.spooled_event(event, EventOrigin(session="s"), "")
        assert not isinstance(read, IgnoredEvent)
