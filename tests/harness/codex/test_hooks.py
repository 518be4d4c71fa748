"""Codex's payloads become events, and replies have only the keys that its schema knows."""

import json
from typing import Any, Final

import pytest

from intaglio.harness.codex.harness import HARNESS, patched_file
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    EventOrigin,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionEvent,
    SessionStart,
    SubagentStart,
    SubagentStop,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.protocol import Reply

ROLLOUT: Final = "/home/u/.codex/sessions/2026/11/27/rollout-2026-11-27T07-10-37-s.jsonl"
ORIGIN: Final = EventOrigin(session="s", cwd="/p", transcript=ROLLOUT)
PATCH: Final = "*** Begin Patch\n*** Update File: src/x.py\n@@\n-one\n+two\n*** End Patch\n"
# A schema that refuses other keys: one too many, and the whole reply is void.
UNIVERSAL: Final = {"continue", "stopReason", "suppressOutput", "systemMessage"}


def _event(name: str, **more: object) -> object:
    payload = {
        "session_id": "s",
        "turn_id": "t",
        "transcript_path": ROLLOUT,
        "cwd": "/p",
        "hook_event_name": name,
        "model": "gpt-5.5",
        "permission_mode": "default",
        **more,
    }
    return HARNESS.read_event(json.dumps(payload).encode())


@pytest.mark.parametrize(
    ("name", "more", "event"),
    [
        ("SessionStart", {"source": "resume"}, SessionStart(ORIGIN, "resume")),
        ("UserPromptSubmit", {"prompt": "Hi [Image #1]"}, Prompt(ORIGIN, "Hi", prompt_id="t")),
        (
            "PostToolUse",
            {"tool_name": "apply_patch", "tool_input": {"command": PATCH}},
            ToolUse(ORIGIN, "apply_patch", "src/x.py"),
        ),
        (
            "PostToolUse",
            {"tool_name": "Bash", "tool_input": {"command": "ls"}},
            ToolUse(ORIGIN, "Bash"),
        ),
        ("PreCompact", {"trigger": "auto"}, Compaction(ORIGIN)),
        ("PostCompact", {"trigger": "auto"}, CompactionEnd(ORIGIN)),
        ("Stop", {"last_assistant_message": None}, TurnEnd(ORIGIN)),
        ("SessionEnd", {"reason": "other"}, SessionEnd(ORIGIN, "other")),
        ("PreModelRequest", {"kind": "sampling"}, IgnoredEvent("PreModelRequest")),
    ],
)
def test_a_payload_becomes_its_event(name: str, more: dict[str, object], event: object) -> None:
    assert _event(name, **more) == event


def test_a_subagents_events_name_it() -> None:
    for name in ("UserPromptSubmit", "SubagentStart", "SubagentStop", "PreCompact"):
        event = _event(name, agent_id="a", prompt="Use tabs.")
        assert isinstance(event, Prompt | SubagentStart | SubagentStop | Compaction)
        assert event.origin.agent_id == "a"


def test_a_session_without_a_rollout_has_no_transcript() -> None:
    assert _event("Stop", transcript_path=None) == TurnEnd(EventOrigin(session="s", cwd="/p"))


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (SessionStart(ORIGIN), "SessionStart"),
        (Prompt(ORIGIN, "Hi"), "UserPromptSubmit"),
        (ToolUse(ORIGIN, "apply_patch", "x"), "PostToolUse"),
    ],
)
def test_a_reply_has_no_key_that_the_schema_refuses(event: SessionEvent, name: str) -> None:
    reply: dict[str, Any] = json.loads(HARNESS.write_reply(event, Reply("a fact", "a notice")))
    inner = reply.pop("hookSpecificOutput")
    assert reply == {"systemMessage": "a notice"}
    assert reply.keys() <= UNIVERSAL
    assert inner == {"hookEventName": name, "additionalContext": "a fact"}


@pytest.mark.parametrize(
    "event",
    [Compaction(ORIGIN), CompactionEnd(ORIGIN), SubagentStart(ORIGIN), SubagentStop(ORIGIN)],
)
def test_other_events_are_not_replied_to(event: SessionEvent) -> None:
    assert HARNESS.write_reply(event, Reply("a fact", "a notice")) == b""


@pytest.mark.parametrize(
    ("patch", "path"),
    [
        (PATCH, "src/x.py"),
        (
            "*** Begin Patch\n*** Add File: a b.txt\n+x\n*** Update File: c\n*** End Patch",
            "a b.txt",
        ),
        ("*** Begin Patch\n*** Delete File: x\n*** End Patch", ""),
        ("", ""),
    ],
)
def test_a_patch_names_the_first_file_that_it_changes(patch: str, path: str) -> None:
    assert patched_file(patch) == path
