"""Reads Codex's rollouts: a session's file with one JSON record per line, which only grows.

The records of what is shown to the user (``event_msg``) hold the user's words as they were typed,
and what the agent said. Those that are sent to the model (``response_item``) hold the same again
among instructions, hooks' text and tools' results, and aren't read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from intaglio.base.clock import parse_moment
from intaglio.base.files.regular_file import open_regular
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import HarnessTitle, TranscriptMessage, TranscriptReading
from intaglio.fence.marks import strip_injected
from intaglio.harness.codex.connector import FOLDER
from intaglio.harness.codex.typed_text import typed_text
from intaglio.harness.events import KeptTranscript, Transcript
from intaglio.harness.kept_transcripts import SessionFiles, SessionOrigin
from intaglio.harness.transcript import file_may_have_grown, read_json_lines

_FOLDERS: Final = ("sessions", "archived_sessions")
# Where prompts come from: from a program as a rule (`codex exec`, Codex as another's tool), or
# from an agent.
_PROGRAMS: Final = frozenset({"exec", "mcp"})
_AGENTS: Final = frozenset({"subagent", "internal"})
_TITLES: Final = "session_index.jsonl"
_TITLE_BYTES: Final = 256_000
# A rollout's name ends with the id of its thread.
_ID_CHARS: Final = 36


class _Part(Struct):
    type: str = ""
    text: str = ""


class _Item(Struct):
    type: str = ""
    id: str = ""
    content: list[_Part] = []


class _RolloutPayload(Struct):
    type: str = ""
    # What begins a session or a turn
    id: str = ""
    session_id: str = ""
    cwd: str | None = None
    source: str | dict[str, object] | None = None
    thread_source: str | None = None
    # What was said; older versions write the message alone
    thread_id: str = ""
    item: _Item | None = None
    message: str = ""
    kind: str | None = None


class _RolloutRecord(Struct):
    payload: _RolloutPayload
    type: str = ""
    timestamp: str | None = None


class _Title(Struct):
    id: str
    thread_name: str = ""


_RECORDS: Final = TolerantDecoder(_RolloutRecord)
_TITLE: Final = TolerantDecoder(_Title)


@dataclass(frozen=True, slots=True)
class Rollouts:
    """The rollouts of a user's sessions, the archived ones too."""

    suffix: str = ".jsonl"

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List the folders that rollouts may be read from."""
        return [base / name for base in FOLDER.places(home, env, folders) for name in _FOLDERS]

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        reader = _RolloutReader()
        read_json_lines(transcript.path, "", 1, _RECORDS, reader.messages)
        reading = read_json_lines(
            transcript.path, position, limit_bytes, _RECORDS, reader.messages, context_bytes
        )
        return replace(reading, title=_title(transcript.path, reader.thread, reader.session))

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the file goes beyond a position and was written after ``since``."""
        return file_may_have_grown(path, position, since)

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions, the archived ones too."""
        return _SESSIONS.sessions(roots, self.suffix, self.read)


@dataclass(slots=True)
class _RolloutReader:
    """Reads records in order; the first one, that of the session, comes before all others.

    ``others`` is set if what is called the user is an agent, as in the rollout of a subagent.
    """

    thread: str = ""
    session: str = ""
    cwd: str | None = None
    others: bool = False
    from_program: bool = False

    def messages(self, record: _RolloutRecord) -> list[TranscriptMessage]:
        """Return the message of a record, if it has one of the session."""
        payload = record.payload
        if record.type == "session_meta":
            self._begin(payload)
        elif record.type == "turn_context":
            self.cwd = payload.cwd or self.cwd
        elif record.type == "event_msg" and not self.others:
            said = _said(payload)
            # The words of a review's own thread stand in that of its session too.
            is_own = payload.thread_id in {"", self.thread}
            if said is not None and said[1] and is_own:
                return self._message(record, *said)
        return []

    def _begin(self, payload: _RolloutPayload) -> None:
        # A continued session's rollout may hold the beginning of the former one, too.
        if self.thread:
            return
        self.thread = payload.id
        self.session = payload.session_id or payload.id
        self.cwd = payload.cwd
        source = payload.source
        kinds = {source} if isinstance(source, str) else set[str](source or ())
        self.others = payload.thread_source == "subagent" or not _AGENTS.isdisjoint(kinds)
        is_other = payload.thread_source not in {None, "user"}
        self.from_program = is_other or not _PROGRAMS.isdisjoint(kinds)

    def _message(
        self, record: _RolloutRecord, role: Literal["user", "assistant"], text: str
    ) -> list[TranscriptMessage]:
        item = record.payload.item
        message_id = item.id if item else f"{self.session}#{role}#{record.timestamp or ''}"
        return [
            TranscriptMessage(
                session=scrub(self.session),
                message_id=scrub(message_id),
                role=role,
                text=scrub(text),
                time=parse_moment(record.timestamp) if record.timestamp else None,
                cwd=self.cwd,
                from_program=self.from_program,
            )
        ]


def _origin(rollout: Path) -> SessionOrigin | None:
    """Return the session of a rollout; None for a subagent's."""
    reader = _RolloutReader()
    began: list[str | None] = []

    def messages(record: _RolloutRecord) -> list[TranscriptMessage]:
        began.append(record.timestamp)
        return reader.messages(record)

    read_json_lines(rollout, "", 1, _RECORDS, messages)
    if reader.others:
        return None
    started = parse_moment(began[0]) if began and began[0] else None
    session = scrub(reader.session) or rollout.stem[-_ID_CHARS:]
    return SessionOrigin(session, started, reader.cwd)


_SESSIONS: Final = SessionFiles(pattern="**/rollout-*.jsonl", origin=_origin)


def _said(payload: _RolloutPayload) -> tuple[Literal["user", "assistant"], str] | None:
    """Return who said what in an event; None if nobody did."""
    item = payload.item if payload.type == "item_completed" else None
    match item.type if item else payload.type:
        case "UserMessage" if item and item.id:
            return "user", typed_text(_text(item))
        case "AgentMessage" if item and item.id:
            return "assistant", strip_injected(_text(item)).strip()
        case "user_message" if payload.kind in {None, "plain"}:
            return "user", typed_text(payload.message)
        case "agent_message":
            return "assistant", strip_injected(payload.message).strip()
        case _:
            return None


def _text(item: _Item) -> str:
    return "\n\n".join(part.text for part in item.content if part.type.lower() == "text")


def _title(rollout: Path, thread: str, session: str) -> HarnessTitle | None:
    """Return the latest title of a session that Codex lists, not far from the list's end."""
    base = next((each.parent for each in rollout.parents if each.name in _FOLDERS), None)
    if base is None or not thread:
        return None
    try:
        with open_regular(base / _TITLES) as stream:
            stream.seek(max(0, stream.seek(0, 2) - _TITLE_BYTES))
            lines = stream.read(_TITLE_BYTES).splitlines()
    except OSError:
        return None
    for line in reversed(lines):
        try:
            found = _TITLE.decode(line)
        except REFUSED:
            continue
        if found.id == thread and found.thread_name:
            return HarnessTitle(scrub(found.thread_name), session=scrub(session))
    return None
