"""A rollout gives what the user and the agent said, and nothing that was put in between."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from intaglio.capture.transcripts import HarnessTitle, TranscriptMessage, TranscriptReading
from intaglio.fence.outgoing import Fence
from intaglio.harness.codex.rollouts import Rollouts
from intaglio.harness.events import Transcript

LIMIT: Final = 50_000_000
THREAD: Final = "01a21bd6-0091-7e00-981d-c3646aa1da6e"
AT: Final = "2026-11-27T07:08:59.700Z"
TERMINAL: Final = {"source": "cli", "thread_source": "user"}


def _line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"timestamp": AT, "ordinal": 1, "type": kind, "payload": payload}


def _session(thread: str = THREAD, **more: object) -> dict[str, Any]:
    return _line("session_meta", {"session_id": THREAD, "id": thread, "cwd": "/p", **more})


def _item(kind: str, item_id: str, *content: object, thread: str = THREAD) -> dict[str, Any]:
    item = {"type": kind, "id": item_id, "content": list(content)}
    return _line("event_msg", {"type": "item_completed", "thread_id": thread, "item": item})


def _user(text: str, item_id: str = "u-1", thread: str = THREAD) -> dict[str, Any]:
    return _item("UserMessage", item_id, {"type": "text", "text": text}, thread=thread)


def _sent(role: str, text: str) -> dict[str, Any]:
    """Return a record of what the model was sent, or said."""
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    return _line("response_item", {"type": "message", "role": role, "content": content})


def _write(folder: Path, *records: object) -> Path:
    file = folder / "sessions" / "2026" / "11" / "27" / f"rollout-{THREAD}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def _read(file: Path, position: str = "", context_bytes: int = 0) -> TranscriptReading:
    return Rollouts().read(Transcript(file, THREAD), position, LIMIT, context_bytes)


def _texts(file: Path) -> list[str]:
    return [message.text for message in _read(file).messages]


def test_a_turn_gives_the_users_words_and_the_agents(tmp_path: Path) -> None:
    file = _write(
        tmp_path,
        _session(**TERMINAL),
        _line("event_msg", {"type": "task_started", "turn_id": "t-1"}),
        _sent("developer", "<skills_instructions>Always use skills.</skills_instructions>"),
        _sent("user", "# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nUse tabs.\n"),
        _line("world_state", {"state": {"agents_md": {"text": "Use tabs."}}}),
        _line("turn_context", {"turn_id": "t-1", "cwd": "/p/sub"}),
        _sent("user", "Never push to main."),
        _user("Never push to main."),
        _sent("developer", Fence().wrap("a memory", {})),
        _item("FileChange", "c-1"),
        _item("AgentMessage", "msg_1", {"type": "Text", "text": "Understood."}),
        _sent("assistant", "Understood."),
        _line("event_msg", {"type": "task_complete", "last_agent_message": "Understood."}),
    )
    user, agent = _read(file).messages
    assert (user.role, user.text, user.cwd) == ("user", "Never push to main.", "/p/sub")
    assert (user.session, user.message_id) == (THREAD, "u-1")
    assert user.time is not None
    assert not user.from_program
    assert (agent.role, agent.text, agent.message_id) == ("assistant", "Understood.", "msg_1")


def test_an_older_versions_events_give_the_same(tmp_path: Path) -> None:
    file = _write(
        tmp_path,
        _session(source="vscode"),
        _line("event_msg", {"type": "user_message", "message": "<env>", "kind": "environment"}),
        _line("event_msg", {"type": "user_message", "message": "Hi.", "images": []}),
        _line("event_msg", {"type": "agent_message", "message": "Hello."}),
    )
    messages = _read(file).messages
    assert [(each.role, each.text) for each in messages] == [
        ("user", "Hi."),
        ("assistant", "Hello."),
    ]
    assert len({each.message_id for each in messages}) == 2


def test_reading_goes_on_where_it_ended_with_the_same_session(tmp_path: Path) -> None:
    begun = [_session(**TERMINAL), _user("One.")]
    position = _read(_write(tmp_path, *begun)).position
    resumed = [*begun, _line("event_msg", {"type": "task_started"}), _user("Two.", "u-2")]
    found = _read(_write(tmp_path, *resumed), position, context_bytes=10_000)
    (new,), (before,) = found.messages, found.preceding
    assert (before.text, new.text, new.session, new.cwd) == ("One.", "Two.", THREAD, "/p")


@pytest.mark.parametrize(
    "of",
    [
        {"source": {"subagent": {"thread_spawn": {"depth": 1}}}},
        {"source": {"subagent": "review"}, "thread_source": "subagent"},
        {"source": {"internal": "memory_consolidation"}},
        {"source": "cli", "thread_source": "subagent"},
    ],
)
def test_a_subagents_rollout_gives_nothing(tmp_path: Path, of: dict[str, Any]) -> None:
    assert _texts(_write(tmp_path, _session("sub", **of), _user("Use tabs.", thread="sub"))) == []


def test_another_threads_words_in_the_rollout_are_left_out(tmp_path: Path) -> None:
    review = _user("Review this.", "u-2", thread="of-the-review")
    assert _texts(_write(tmp_path, _session(**TERMINAL), _user("Hi."), review)) == ["Hi."]


def test_a_compaction_repeats_nothing(tmp_path: Path) -> None:
    replaced = {"message": "Summary: Use tabs.", "replacement_history": [_sent("user", "Hi.")]}
    records = [_user("Hi."), _line("compacted", replaced), _item("ContextCompaction", "c-1")]
    assert _texts(_write(tmp_path, _session(**TERMINAL), *records)) == ["Hi."]


def test_a_former_sessions_beginning_leaves_the_session_unchanged(tmp_path: Path) -> None:
    former = _session("former", source="exec")
    (message,) = _read(_write(tmp_path, _session(**TERMINAL), former, _user("Hi."))).messages
    assert (message.session, message.from_program) == (THREAD, False)


@pytest.mark.parametrize(
    "of", [{"source": "exec"}, {"source": "mcp"}, {"source": "vscode", "thread_source": "schedule"}]
)
def test_what_a_program_sent_is_marked(tmp_path: Path, of: dict[str, Any]) -> None:
    (message,) = _read(_write(tmp_path, _session(**of), _user("Hi."))).messages
    assert message.from_program


def test_images_leave_no_trace(tmp_path: Path) -> None:
    parts = ({"type": "local_image", "path": "/x.png"}, {"type": "text", "text": "See [Image #1]."})
    file = _write(tmp_path, _session(**TERMINAL), _item("UserMessage", "u-1", *parts))
    assert _texts(file) == ["See."]


def test_injected_text_is_left_out(tmp_path: Path) -> None:
    fenced = Fence().wrap("Never push.", {})
    said = _item("AgentMessage", "a-1", {"type": "Text", "text": f"You said {fenced}"})
    assert _texts(_write(tmp_path, _session(**TERMINAL), _user(f"Hi. {fenced}"), said)) == [
        "Hi.",
        "You said",
    ]


def test_the_title_is_the_latest_in_the_list(tmp_path: Path) -> None:
    file = _write(tmp_path, _session(**TERMINAL), _user("Hi."))
    assert _read(file).title is None
    lines = (
        {"id": THREAD, "thread_name": "First"},
        {"id": THREAD, "thread_name": "Second"},
        {"id": "another", "thread_name": "Third"},
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "session_index.jsonl").write_text(f"{text}{{broken\n")
    assert _read(file).title == HarnessTitle("Second", session=THREAD)


def test_records_of_odd_shapes_are_passed_over(tmp_path: Path) -> None:
    item = _line("event_msg", {"type": "item_completed", "item": 3})
    odd: list[object] = [{"type": "event_msg"}, [], 3, item]
    file = _write(tmp_path, _session(**TERMINAL), *odd, _user("Hi."))
    found = _read(file)
    assert [message.text for message in found.messages] == ["Hi."]
    assert found.skipped == 3


def test_the_archived_sessions_are_among_the_roots(tmp_path: Path) -> None:
    roots = Rollouts().roots(tmp_path, {"CODEX_HOME": str(tmp_path / "own")}, [tmp_path / "third"])
    assert roots == [
        tmp_path / base / name
        for base in (".codex", "own", "third")
        for name in ("sessions", "archived_sessions")
    ]


def test_messages_are_of_their_session_in_each_reading(tmp_path: Path) -> None:
    file = _write(tmp_path, _session(**TERMINAL), _user("One."), _user("Two.", "u-2"))
    first = Rollouts().read(Transcript(file, THREAD), "", 1, 0)
    messages = list[TranscriptMessage](first.messages)
    while first.more:
        first = Rollouts().read(Transcript(file, THREAD), first.position, 1, 0)
        messages += first.messages
    assert [(each.text, each.session) for each in messages] == [("One.", THREAD), ("Two.", THREAD)]
