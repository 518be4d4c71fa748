"""What is read of the conversations in exports of ChatGPT and Claude."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from fakes.exports import (
    START_S,
    Said,
    chatgpt_conversation,
    chatgpt_message,
    chatgpt_tree,
    claude_conversation,
    claude_message,
    claude_said,
)
from intaglio.base.json.tolerant import REFUSED
from intaglio.history_import.exports.chatgpt import read_chatgpt
from intaglio.history_import.exports.claude_ai import read_claude_ai
from intaglio.history_import.exports.conversations import ExportedConversation

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def chatgpt(record: object) -> ExportedConversation:
    found = read_chatgpt(json.dumps(record).encode(), NOW)
    assert found is not None
    return found


def claude(record: object) -> ExportedConversation:
    found = read_claude_ai(json.dumps(record).encode(), NOW)
    assert found is not None
    return found


def texts(found: ExportedConversation) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in found.messages]


def test_a_conversation_of_chatgpt_has_its_ids_times_and_title() -> None:
    said: list[Said] = [("user", "We deploy on Fridays."), ("assistant", "Noted.")]
    found = chatgpt(chatgpt_conversation("c1", said, title="Deploying"))
    assert (found.service, found.id, found.title) == ("chatgpt", "c1", "Deploying")
    assert texts(found) == said
    assert [each.id for each in found.messages] == ["c1-0", "c1-1"]
    assert found.times == [datetime.fromtimestamp(START_S + 60 * n, UTC) for n in (0, 1)]


def test_only_the_current_branch_of_chatgpt_is_read() -> None:
    record = chatgpt_tree(
        "c1",
        [
            ("root", None, None),
            ("old", "root", chatgpt_message("old", "user", ["We use npm."])),
            (
                "old-reply",
                "old",
                chatgpt_message("old-reply", "assistant", ["Fine."], START_S + 900),
            ),
            ("new", "root", chatgpt_message("new", "user", ["We use pnpm."])),
            ("reply", "new", chatgpt_message("reply", "assistant", ["Good."])),
        ],
        "reply",
    )
    assert texts(chatgpt(record)) == [("user", "We use pnpm."), ("assistant", "Good.")]
    # Without a current node, the branch that was written last.
    record["current_node"] = "gone"
    assert texts(chatgpt(record))[0] == ("user", "We use npm.")


@pytest.mark.parametrize(
    "message",
    [
        chatgpt_message(
            "m",
            "user",
            [],
            content={
                "content_type": "user_editable_context",
                "user_profile": "I am a nurse.",
                "user_instructions": "Be brief.",
            },
        ),
        chatgpt_message("m", "system", ["You are helpful."]),
        chatgpt_message("m", "tool", ["42"]),
        chatgpt_message("m", "user", ["Hidden."], metadata={"is_user_system_message": True}),
        chatgpt_message(
            "m", "user", ["Hidden."], metadata={"is_visually_hidden_from_conversation": True}
        ),
        chatgpt_message("m", "assistant", ["search('x')"], recipient="browser"),
        chatgpt_message("m", "assistant", ["Thinking."], channel="analysis"),
        chatgpt_message(
            "m",
            "assistant",
            [],
            content={"content_type": "thoughts", "thoughts": [{"content": "x"}]},
        ),
        chatgpt_message("m", "assistant", [], content={"content_type": "code", "text": "print(1)"}),
        chatgpt_message(
            "m",
            "user",
            [],
            content={
                "content_type": "multimodal_text",
                "parts": [{"content_type": "audio_transcription", "text": "Spoken."}],
            },
        ),
        None,
    ],
)
def test_what_nobody_typed_in_chatgpt_is_left_out(message: dict[str, Any] | None) -> None:
    typed = chatgpt_message("typed", "user", ["Typed."])
    found = chatgpt(chatgpt_tree("c1", [("m", None, message), ("typed", "m", typed)], "typed"))
    assert texts(found) == [("user", "Typed.")]


def test_of_a_message_with_pictures_the_typed_text_is_read() -> None:
    content = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file-1"},
            "What is it?",
        ],
    }
    message = chatgpt_message("m", "user", [], content=content)
    assert texts(chatgpt(chatgpt_tree("c1", [("m", None, message)], "m"))) == [
        ("user", "What is it?")
    ]


def test_a_conversation_of_the_oldest_exports_is_named_by_its_first_node() -> None:
    record = chatgpt_conversation("c1", [("user", "Hello.")])
    del record["id"], record["conversation_id"]
    assert chatgpt(record).id == "c1-root"


def test_branches_that_go_in_circles_end() -> None:
    one = chatgpt_message("one", "user", ["One."])
    two = chatgpt_message("two", "assistant", ["Two."])
    found = chatgpt(chatgpt_tree("c1", [("one", "two", one), ("two", "one", two)], "two"))
    assert texts(found) == [("user", "One."), ("assistant", "Two.")]


def test_a_conversation_of_claude_has_its_ids_times_and_title() -> None:
    found = claude(claude_said("c2", [("user", "We use Go."), ("assistant", "Good.")]))
    assert (found.service, found.id, found.title) == ("claude-ai", "c2", "A conversation")
    assert texts(found) == [("user", "We use Go."), ("assistant", "Good.")]
    assert [each.id for each in found.messages] == ["c2-0", "c2-1"]
    assert found.times[1] == datetime(2026, 1, 1, 10, 1, tzinfo=UTC)


def test_attachments_reasoning_and_tools_of_claude_are_left_out() -> None:
    asked = claude_message(
        "m1",
        "user",
        "See the file.",
        attachments=[{"file_name": "a.txt", "extracted_content": "We use Perl."}],
        files=[{"file_name": "b.png"}],
    )
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Here it is."},
        {"type": "tool_use", "name": "artifacts", "input": {"content": "code"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "done"}]},
    ]
    reply = claude_message(
        "m2", "assistant", "```\nThis block is not supported\n```", content=blocks
    )
    found = claude(claude_conversation("c2", [asked, reply]))
    assert texts(found) == [("user", "See the file."), ("assistant", "Here it is.")]


def test_messages_of_older_claude_exports_have_text_only() -> None:
    message = claude_message("m1", "user", "Plain.")
    del message["content"]
    assert texts(claude(claude_conversation("c2", [message]))) == [("user", "Plain.")]


def test_only_the_current_branch_of_claude_is_read() -> None:
    root = "00000000-0000-4000-8000-000000000000"
    record = claude_conversation(
        "c2",
        [
            claude_message("a", "user", "We use npm.", parent_message_uuid=root),
            claude_message("b", "assistant", "Fine.", parent_message_uuid="a"),
            claude_message("c", "user", "We use pnpm.", parent_message_uuid=root),
            claude_message(
                "d", "assistant", "Good.", "2026-01-01T12:00:00Z", parent_message_uuid="c"
            ),
        ],
    )
    assert texts(claude(record)) == [("user", "We use pnpm."), ("assistant", "Good.")]
    record["current_leaf_message_uuid"] = "b"
    assert texts(claude(record)) == [("user", "We use npm."), ("assistant", "Fine.")]


def test_secrets_are_removed_before_anything_is_written() -> None:
    key = "AKI" + "AQ3EGRIWP7ZLD5TBC"
    record = chatgpt_conversation("c1", [("user", f"The key is {key}.")], title=f"Key {key}")
    assert key not in repr(chatgpt(record))


@pytest.mark.parametrize("seconds", [float("1e30"), -1.0, 0.0, 4_000_000_000.0, None])
def test_a_time_that_cannot_be_true_is_that_of_the_message_before(seconds: float | None) -> None:
    record = chatgpt_conversation("c1", [("user", "One."), ("user", "Two.")])
    record["mapping"]["c1-1"]["message"]["create_time"] = seconds
    assert chatgpt(record).messages[1].time == datetime.fromtimestamp(START_S, UTC)


@pytest.mark.parametrize("wrong", [None, 1, 1.5, True, "x", [], [1], {}, {"a": {"b": [None]}}])
def test_a_value_of_a_wrong_type_costs_its_field_only(wrong: object) -> None:
    """Any field may hold anything: the conversation is read without it, or refused as a whole."""
    for record, read in (
        (chatgpt_conversation("c", [("user", "One."), ("user", "Two.")]), read_chatgpt),
        (claude_said("c", [("user", "One."), ("user", "Two.")]), read_claude_ai),
    ):
        original = json.dumps(record)
        for path in _paths(record):
            changed = json.loads(original)
            at = changed
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = wrong
            try:
                found = read(json.dumps(changed).encode(), NOW)
            except REFUSED:
                assert path in {("mapping",), ("chat_messages",)}
                continue
            assert found is None or all(each.id and each.text for each in found.messages)


def _paths(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401 - any JSON value
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        pairs = [*cast("dict[str, Any]", value).items()]
    elif isinstance(value, list):
        pairs = [*enumerate(cast("Sequence[Any]", value))]
    here = [(*above, key) for key, _ in pairs]
    return here + [path for key, each in pairs for path in _paths(each, (*above, key))]
