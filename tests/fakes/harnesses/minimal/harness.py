"""The minimal harness: events such as ``{"kind": "turn-over", "talk": "t1"}``, replies in text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.errors import InvalidInputError
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.fence.marks import strip_injected
from intaglio.harness.events import (
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    KeptTranscript,
    Prompt,
    SessionEnd,
    SessionStart,
    Transcript,
    TurnEnd,
)
from intaglio.harness.kept_transcripts import SessionFiles
from intaglio.harness.own_files import COMMON_FILES, MemoryFolder
from intaglio.harness.protocol import Harness, HarnessLimits, Reply
from intaglio.harness.transcript import file_may_have_grown, read_json_lines


class _Payload(msgspec.Struct):
    kind: str
    talk: str
    folder: str | None = None
    log: str | None = None
    words: str = ""


class _Line(msgspec.Struct):
    number: int
    by: str
    words: str


_PAYLOAD: Final = msgspec.json.Decoder(_Payload)
_LINE: Final = TolerantDecoder(_Line)


class MinimalHarness:
    """Writes its transcripts to ``*.log``, and takes little text."""

    name = "minimal"
    label = "Minimal Agent"
    limits = HarnessLimits(reply_chars=400, prompt_chars=1_000)
    older_paths: tuple[str, ...] = ("/api/hooks/minimal-agent",)
    transcript_suffix = ".log"
    tags = ("minimal-aside",)

    def read_event(self, body: bytes) -> HarnessEvent:
        try:
            told = _PAYLOAD.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidInputError(f"This is no event of {self.label}: {error}") from error
        origin = EventOrigin(session=told.talk, cwd=told.folder, transcript=told.log)
        if told.kind == "prompt":
            return Prompt(origin, strip_injected(told.words))
        return self.spooled_event(told.kind, origin, "")

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        match name:
            case "begin":
                return SessionStart(origin)
            case "turn-over":
                return TurnEnd(origin)
            case "end":
                return SessionEnd(origin, reason)
            case _:
                return IgnoredEvent(name)

    def write_reply(self, event: HarnessEvent, reply: Reply) -> bytes:
        return reply.text.encode() if isinstance(event, SessionStart | Prompt) else b""

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        del env
        return [base / "logs" for base in (home / ".minimal", *folders)]

    def read_transcript(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        path = transcript.path

        def messages(line: _Line) -> list[TranscriptMessage]:
            message = TranscriptMessage(
                session=path.stem,
                message_id=f"{path.stem}-{line.number}",
                role="user" if line.by == "me" else "assistant",
                text=line.words,
            )
            return [message]

        return read_json_lines(path, position, limit_bytes, _LINE, messages, context_bytes)

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        return file_may_have_grown(path, position, since)

    def past_sessions(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        files = SessionFiles(pattern="*.log")
        return files.sessions(roots, self.transcript_suffix, self.read_transcript)

    def told_files(
        self, home: Path, env: Mapping[str, str], place: SessionPlace
    ) -> Sequence[ToldFile]:
        """List the files that it tells its model by itself."""
        return COMMON_FILES.told(home, env, place)

    def memory_places(
        self, home: Path, env: Mapping[str, str], projects: tuple[str, ...]
    ) -> Sequence[MemoryFolder]:
        """List the folders of a memory of its own: it has none."""
        return COMMON_FILES.memory(home, env, projects)


HARNESS: Final[Harness] = MinimalHarness()
