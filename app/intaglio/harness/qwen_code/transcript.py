"""Reads Qwen Code's transcripts: ``~/.qwen/projects/<project>/chats/<session>.jsonl``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.clock import parse_moment
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.harness.events import Transcript
from intaglio.harness.hook_json import JsonLines
from intaglio.harness.kept_transcripts import SessionFiles
from intaglio.harness.qwen_code.connector import FOLDER


class _Part(Struct):
    text: str | None = None
    thought: bool | None = None


class _Message(Struct):
    parts: list[_Part] = []


class _Line(Struct, rename="camel"):
    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    # A schedule or a task of the client's own that speaks in the user's place has one.
    subtype: str | None = None
    cwd: str | None = None
    message: _Message | None = None


def _folders(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    return [base / "projects" for base in FOLDER.places(home, env, folders)]


def _messages(transcript: Transcript, line: _Line) -> list[TranscriptMessage]:
    if not line.uuid or line.message is None or line.subtype:
        return []
    texts = [part.text for part in line.message.parts if part.text and not part.thought]
    if line.type not in {"user", "assistant"} or not texts:
        return []
    role: Literal["user", "assistant"] = "user" if line.type == "user" else "assistant"
    # The user's words are the first part; files and the hooks' context follow.
    text = (texts[0] if role == "user" else "".join(texts)).strip()
    return [
        TranscriptMessage(
            message_id=scrub(line.uuid),
            role=role,
            text=scrub(text),
            time=parse_moment(line.timestamp) if line.timestamp else None,
            cwd=line.cwd,
            session=scrub(line.session_id or transcript.session),
        )
    ]


TRANSCRIPTS: Final = JsonLines(
    folders=_folders,
    decoder=TolerantDecoder(_Line),
    messages=_messages,
    files=SessionFiles(pattern="*/chats/*.jsonl"),
)
