"""Reads Cursor's transcripts: ``~/.cursor/projects/<project>/agent-transcripts/…/<session>.jsonl``.

A line has a role and the parts of a message, but neither an id nor a time. What the user typed is
in ``<user_query>``.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.fence.marks import strip_injected
from intaglio.harness.cursor.connector import FOLDER
from intaglio.harness.events import Transcript
from intaglio.harness.hook_json import JsonLines
from intaglio.harness.kept_transcripts import SessionFiles, SessionOrigin

_OPEN: Final = "<user_query>"
_CLOSE: Final = "</user_query>"
_ID_CHARS: Final = 24


class _Part(Struct):
    type: str | None = None
    text: str | None = None


class _Message(Struct):
    content: str | list[_Part] | None = None


class _Line(Struct):
    role: str | None = None
    message: _Message | None = None


def _folders(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    return [base / "projects" for base in FOLDER.places(home, env, folders)]


def _typed(text: str) -> str:
    """Return what the user typed; the client's own words, without the tag, are none of it."""
    _, found, rest = text.partition(_OPEN)
    return rest.rpartition(_CLOSE)[0] if found else ""


def _messages(transcript: Transcript, line: _Line) -> list[TranscriptMessage]:
    if line.role not in {"user", "assistant"} or line.message is None:
        return []
    role: Literal["user", "assistant"] = "user" if line.role == "user" else "assistant"
    content = line.message.content
    texts = (
        [content]
        if isinstance(content, str)
        else [part.text for part in content or () if part.type == "text" and part.text]
    )
    if role == "user":
        texts = [_typed(text) for text in texts]
    text = scrub(strip_injected("\n\n".join(part for part in texts if part)).strip())
    if not text:
        return []
    # Without ids, the same words of the same session are one message.
    known = f"{transcript.session}\n{role}\n{text}"
    digest = hashlib.sha256(known.encode("utf-8", "surrogatepass")).hexdigest()
    return [
        TranscriptMessage(
            message_id=digest[:_ID_CHARS], role=role, text=text, session=transcript.session
        )
    ]


def _origin(file: Path) -> SessionOrigin | None:
    return None if "subagents" in file.parts else SessionOrigin(file.stem)


TRANSCRIPTS: Final = JsonLines(
    folders=_folders,
    decoder=TolerantDecoder(_Line),
    messages=_messages,
    files=SessionFiles(pattern="*/agent-transcripts/**/*.jsonl", origin=_origin),
)
