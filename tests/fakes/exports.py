"""Makes exports of ChatGPT and Claude in the shapes that the services give them."""

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

Said: TypeAlias = tuple[Literal["user", "assistant"], str]
"""Who said what."""

START_S = 1_767_261_600.0
"""The first of January 2026, 10:00 UTC."""


def chatgpt_message(
    message_id: str, role: str, parts: Sequence[object], at: float = START_S, **more: object
) -> dict[str, Any]:
    """Return a message of ChatGPT."""
    return {
        "id": message_id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": list(parts)},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {"timestamp_": "absolute"},
        "recipient": "all",
        **more,
    }


def chatgpt_tree(
    conversation_id: str,
    nodes: Iterable[tuple[str, str | None, dict[str, Any] | None]],
    current: str | None,
    *,
    title: object = "A conversation",
    at: float = START_S,
) -> dict[str, Any]:
    """Return a conversation of ChatGPT: nodes with parents and messages."""
    made = list(nodes)
    return {
        "title": title,
        "create_time": at,
        "update_time": at,
        "mapping": {
            node_id: {
                "id": node_id,
                "message": message,
                "parent": parent,
                "children": [other for other, above, _ in made if above == node_id],
            }
            for node_id, parent, message in made
        },
        "moderation_results": [],
        "current_node": current,
        "conversation_id": conversation_id,
        "id": conversation_id,
    }


def chatgpt_conversation(
    conversation_id: str,
    said: Sequence[Said],
    *,
    title: str = "A conversation",
    at: float = START_S,
) -> dict[str, Any]:
    """Return a conversation of ChatGPT without branches, a message a minute."""
    nodes: list[tuple[str, str | None, dict[str, Any] | None]] = [
        (f"{conversation_id}-root", None, None)
    ]
    for number, (role, text) in enumerate(said):
        message_id = f"{conversation_id}-{number}"
        message = chatgpt_message(message_id, role, [text], at + 60 * number)
        nodes.append((message_id, nodes[-1][0], message))
    return chatgpt_tree(conversation_id, nodes, nodes[-1][0], title=title, at=at)


def claude_message(
    message_id: str, role: str, text: str, at: str = "2026-01-01T10:00:00.000000Z", **more: object
) -> dict[str, Any]:
    """Return a message of Claude."""
    return {
        "uuid": message_id,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}],
        "sender": "human" if role == "user" else "assistant",
        "created_at": at,
        "updated_at": at,
        "attachments": [],
        "files": [],
        **more,
    }


def claude_conversation(
    conversation_id: str, messages: Sequence[dict[str, Any]], *, name: object = "A conversation"
) -> dict[str, Any]:
    """Return a conversation of Claude."""
    return {
        "uuid": conversation_id,
        "name": name,
        "created_at": "2026-01-01T10:00:00.000000Z",
        "updated_at": "2026-01-01T11:00:00.000000Z",
        "account": {"uuid": "9f0c"},
        "chat_messages": list(messages),
    }


def claude_said(
    conversation_id: str, said: Sequence[Said], day: str = "2026-01-01"
) -> dict[str, Any]:
    """Return a conversation of Claude without branches, a message a minute."""
    return claude_conversation(
        conversation_id,
        [
            claude_message(f"{conversation_id}-{n}", role, text, f"{day}T10:{n:02}:00.000000Z")
            for n, (role, text) in enumerate(said)
        ],
    )


def zipped(files: Mapping[str, object], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of files: bytes as they are, all else as JSON."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            archive.writestr(name, data)
    return packed.getvalue()
