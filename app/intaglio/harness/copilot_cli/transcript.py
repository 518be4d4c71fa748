"""Reads GitHub Copilot CLI's transcripts: ``~/.copilot/session-state/<session>/events.jsonl``."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.clock import parse_moment
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.fence.marks import strip_injected
from intaglio.harness.copilot_cli.connector import FOLDER
from intaglio.harness.events import Transcript
from intaglio.harness.hook_json import JsonLines
from intaglio.harness.kept_transcripts import SessionFiles, SessionOrigin
from intaglio.harness.transcript import read_json_lines

_ROLES: Final[Mapping[str, Literal["user", "assistant"]]] = {
    "user.message": "user",
    "assistant.message": "assistant",
}


class _Context(Struct):
    cwd: str | None = None


class _Data(Struct, rename="camel"):
    content: str | None = None
    # What the user didn't say themselves names its source; a subagent's message its caller.
    source: str | None = None
    parent_tool_call_id: str | None = None
    # Where the session began
    context: _Context | None = None


class _Line(Struct):
    type: str
    data: _Data | None = None
    id: str | None = None
    timestamp: str | None = None


def _folders(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    # The hooks are in a folder of their own.
    connected = (folder.parent for folder in folders)
    return [base / "session-state" for base in FOLDER.places(home, env, connected)]


def _messages(transcript: Transcript, line: _Line) -> list[TranscriptMessage]:
    role, data = _ROLES.get(line.type), line.data
    if role is None or data is None or not line.id or data.parent_tool_call_id:
        return []
    if role == "user" and data.source not in {None, "user"}:
        return []
    text = strip_injected(data.content or "").strip()
    if not text:
        return []
    return [
        TranscriptMessage(
            message_id=scrub(line.id),
            role=role,
            text=scrub(text),
            time=parse_moment(line.timestamp) if line.timestamp else None,
            session=transcript.session,
        )
    ]


def _origin(file: Path) -> SessionOrigin | None:
    found: list[SessionOrigin] = []

    def note(line: _Line) -> tuple[TranscriptMessage, ...]:
        context = line.data.context if line.data and line.type == "session.start" else None
        started = parse_moment(line.timestamp) if line.timestamp else None
        found.append(SessionOrigin(file.parent.name, started, context.cwd if context else None))
        return ()

    read_json_lines(file, "", 1, _DECODER, note)
    return found[0] if found else SessionOrigin(file.parent.name)


_DECODER: Final = TolerantDecoder(_Line)
TRANSCRIPTS: Final = JsonLines(
    folders=_folders,
    decoder=_DECODER,
    messages=_messages,
    files=SessionFiles(pattern="*/events.jsonl", origin=_origin),
)
