"""Reads a conversation of a Claude (claude.ai) export.

Messages stand in order; newer exports also say which message each follows, as an edited prompt
begins a branch. There is no published format; this is what exports from 2023 to 2026 hold.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.history_import.exports.conversations import (
    ExportedConversation,
    RawMessage,
    made_conversation,
    moment_of_text,
)

_ROLES: Final[dict[str | None, Literal["user", "assistant"]]] = {
    "human": "user",
    "assistant": "assistant",
}


class _Block(Struct):
    """A part of a message: text, reasoning, the use of a tool, or its result."""

    type: str | None = None
    text: str | None = None


class _Message(Struct):
    uuid: str | None = None
    sender: str | None = None
    text: str | None = None
    content: list[_Block] | None = None
    created_at: str | None = None
    parent_message_uuid: str | None = None


class _Record(Struct):
    chat_messages: list[_Message]
    uuid: str | None = None
    name: str | None = None
    created_at: str | None = None
    current_leaf_message_uuid: str | None = None


_DECODER: Final = TolerantDecoder(_Record)


def read_claude_ai(text: bytes, now: datetime) -> ExportedConversation | None:
    """Return the conversation; None if the user says nothing in it.

    Attachments aren't the user's own words and are left out. Raises one of
    `base.json.tolerant.REFUSED` if it can't be read.
    """
    record = _DECODER.decode(text)
    return made_conversation(
        "claude-ai",
        record.uuid or next((each.uuid for each in record.chat_messages if each.uuid), ""),
        record.name or "",
        [
            RawMessage(
                each.uuid or "",
                _ROLES[each.sender],
                _typed(each),
                moment_of_text(each.created_at, now),
            )
            for each in _branch(record)
            if each.sender in _ROLES
        ],
        moment_of_text(record.created_at, now),
    )


def _branch(record: _Record) -> Sequence[_Message]:
    """Return the messages up to the current one; all of them if none says what it follows."""
    messages = record.chat_messages
    by_id: dict[str | None, _Message] = {each.uuid: each for each in messages if each.uuid}
    if all(each.parent_message_uuid not in by_id for each in messages):
        return messages
    at = by_id.get(record.current_leaf_message_uuid) or _latest(messages)
    branch: list[_Message] = []
    seen: set[str] = set()
    while at is not None and at.uuid and at.uuid not in seen:
        seen.add(at.uuid)
        branch.append(at)
        at = by_id.get(at.parent_message_uuid)
    return branch[::-1]


def _latest(messages: Sequence[_Message]) -> _Message | None:
    """Return the latest message that none follows."""
    parents = {each.parent_message_uuid for each in messages}
    leaves = (each for each in messages if each.uuid not in parents)
    # The times have one format, so that they compare as texts.
    return max(leaves, key=lambda each: each.created_at or "", default=None)


def _typed(message: _Message) -> str:
    if not message.content:
        return message.text or ""
    # `text` also says for each use of a tool that it can't be shown.
    blocks = (each.text for each in message.content if each.type == "text")
    return "\n\n".join(text for text in blocks if text)
