"""Reads a conversation of a ChatGPT export.

A conversation is a tree: each edited prompt and each repeated answer is a branch, and
``current_node`` is the end of the one that ChatGPT shows. Only that is read. There is no published
format; this is what exports from 2023 to 2026 hold.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal

from msgspec import Struct, field

from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.history_import.exports.conversations import (
    ExportedConversation,
    RawMessage,
    made_conversation,
    moment_of_seconds,
)

# Custom instructions are `user_editable_context`; reasoning, code and what tools return have types
# of their own, too.
_TYPED: Final = frozenset({"text", "multimodal_text"})
_TO_ALL: Final = frozenset({None, "all"})
_SHOWN_CHANNELS: Final = frozenset({None, "final"})


class _Part(Struct):
    """A picture, a file or speech in a message."""

    content_type: str | None = None


class _Content(Struct):
    content_type: str | None = None
    parts: list[str | _Part] | None = None


class _Author(Struct):
    role: str | None = None


class _Metadata(Struct):
    is_hidden: bool | None = field(default=None, name="is_visually_hidden_from_conversation")
    is_user_system_message: bool | None = None


class _Message(Struct):
    id: str | None = None
    author: _Author | None = None
    create_time: float | None = None
    content: _Content | None = None
    metadata: _Metadata | None = None
    recipient: str | None = None
    channel: str | None = None


class _Node(Struct):
    message: _Message | None = None
    parent: str | None = None


class _Record(Struct):
    mapping: dict[str, _Node]
    id: str | None = None
    conversation_id: str | None = None
    title: str | None = None
    create_time: float | None = None
    current_node: str | None = None


_DECODER: Final = TolerantDecoder(_Record)


def read_chatgpt(text: bytes, now: datetime) -> ExportedConversation | None:
    """Return the conversation; None if the user says nothing in it.

    Raises one of `base.json.tolerant.REFUSED` if it can't be read.
    """
    record = _DECODER.decode(text)
    branch = _branch(record)
    # The oldest exports give conversations no id, but the ids of messages are the same in each.
    first = branch[0] if branch else ""
    return made_conversation(
        "chatgpt",
        record.conversation_id or record.id or first,
        record.title or "",
        [
            said
            for node_id in branch
            if (said := _said(node_id, record.mapping[node_id].message, now)) is not None
        ],
        moment_of_seconds(record.create_time, now),
    )


def _branch(record: _Record) -> list[str]:
    """Return the nodes from the first to the current one."""
    nodes = record.mapping
    at = record.current_node
    if at not in nodes:
        at = _latest_leaf(nodes)
    branch: list[str] = []
    seen: set[str] = set()
    while at is not None and at in nodes and at not in seen:
        seen.add(at)
        branch.append(at)
        at = nodes[at].parent
    return branch[::-1]


def _latest_leaf(nodes: Mapping[str, _Node]) -> str | None:
    parents = {each.parent for each in nodes.values()}
    leaves = (node_id for node_id in nodes if node_id not in parents)
    return max(leaves, key=lambda node_id: _time(nodes[node_id]), default=None)


def _time(node: _Node) -> float:
    return (node.message.create_time if node.message else None) or 0.0


def _said(node_id: str, message: _Message | None, now: datetime) -> RawMessage | None:
    """Return what the user typed or the model answered; None for all else."""
    if message is None or message.author is None or message.content is None:
        return None
    role: Literal["user", "assistant"]
    match message.author.role:
        case "user":
            role = "user"
        case "assistant" if message.recipient in _TO_ALL and message.channel in _SHOWN_CHANNELS:
            role = "assistant"
        case _:
            return None
    marks = message.metadata or _Metadata()
    if marks.is_hidden or marks.is_user_system_message:
        return None
    if message.content.content_type not in _TYPED:
        return None
    texts = [part for part in message.content.parts or () if isinstance(part, str)]
    time = moment_of_seconds(message.create_time, now)
    return RawMessage(message.id or node_id, role, "\n\n".join(texts), time)
