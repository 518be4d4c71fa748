"""Reads Gemini CLI's transcripts: ``~/.gemini/tmp/<project>/chats/session-….jsonl``.

A line is a message with its id, or the session's data; a message is written again with the same id
when its tokens are known.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.clock import parse_moment
from intaglio.base.files.regular_file import read_regular
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.harness.events import Transcript
from intaglio.harness.gemini_cli.connector import FOLDER
from intaglio.harness.hook_json import JsonLines
from intaglio.harness.kept_transcripts import SessionFiles, SessionOrigin
from intaglio.harness.transcript import read_json_lines

_OPEN: Final = "<hook_context>"
_CLOSE: Final = "</hook_context>"
# What the client itself says in the user's place.
_OWN_WORDS: Final = ("Please continue.",)
_OWN_START: Final = "<session_context>"
# The file in a project's folder that says where the project is.
_ROOT: Final = ".project_root"
_MAX_PATH: Final = 4_096


class _Part(Struct):
    text: str | None = None
    thought: bool | None = None


class _Session(Struct, rename="camel"):
    session_id: str = ""
    start_time: str | None = None
    kind: str | None = None


class _Line(Struct):
    id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    content: str | list[_Part] | None = None


def without_context(prompt: str) -> str:
    """Return a prompt without what hooks have put before it."""
    text = prompt
    while text.startswith(_OPEN):
        _, _, text = text.partition(_CLOSE)
        text = text.lstrip()
    return text


def _folders(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    return [base / "tmp" for base in FOLDER.places(home, env, folders)]


def _texts(content: str | list[_Part] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part.text for part in content or () if part.text and not part.thought]


def _messages(transcript: Transcript, line: _Line) -> list[TranscriptMessage]:
    texts = _texts(line.content)
    if not line.id or line.type not in {"user", "gemini"} or not texts:
        return []
    role: Literal["user", "assistant"] = "user" if line.type == "user" else "assistant"
    # The user's words are the first part; files and the hooks' context follow.
    text = without_context(texts[0]).strip() if role == "user" else "".join(texts).strip()
    if not text or (role == "user" and (text in _OWN_WORDS or text.startswith(_OWN_START))):
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
    """Return the session that a file's first line names; None for a subagent's."""
    found: list[_Session] = []

    def note(line: _Session) -> tuple[TranscriptMessage, ...]:
        found.append(line)
        return ()

    read_json_lines(file, "", 1, _SESSION, note)
    if not found or not found[0].session_id or found[0].kind == "subagent":
        return None
    started = parse_moment(found[0].start_time) if found[0].start_time else None
    return SessionOrigin(scrub(found[0].session_id), started, _project_root(file.parent.parent))


def _project_root(folder: Path) -> str | None:
    try:
        root = read_regular(folder / _ROOT, _MAX_PATH).decode().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return root.replace("\x00", "") or None


_SESSION: Final = TolerantDecoder(_Session)
# What subagents said is in folders of their sessions.
TRANSCRIPTS: Final = JsonLines(
    folders=_folders,
    decoder=TolerantDecoder(_Line),
    messages=_messages,
    files=SessionFiles(pattern="*/chats/*.jsonl", origin=_origin),
)
