"""The `Harness` implementation for Claude Code."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.claude_code import payloads
from intaglio.harness.claude_code.connector import LABEL, NAME, OLDER_PATHS
from intaglio.harness.claude_code.tags import TAGS
from intaglio.harness.claude_code.transcript import read_new, transcript_roots
from intaglio.harness.events import EventOrigin, HarnessEvent, Transcript
from intaglio.harness.protocol import Harness, HarnessLimits, Reply
from intaglio.harness.transcript import file_may_have_grown

# Claude Code replaces a longer string with a file and a short preview. It counts UTF-16 units.
_LIMITS: Final = HarnessLimits(reply_chars=9_500, prompt_chars=100_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCode:
    """Claude Code: JSON hooks, and append-only transcripts with one record per line."""

    name: str = NAME
    label: str = LABEL
    older_paths: tuple[str, ...] = OLDER_PATHS
    transcript_suffix: str = ".jsonl"
    limits: HarnessLimits = _LIMITS
    tags: tuple[str, ...] = TAGS

    def read_event(self, body: bytes) -> HarnessEvent:
        """Read a hook's JSON."""
        return payloads.read_event(body)

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        """Create an event from what the hook program spooled."""
        return payloads.make_event(name, origin, reason=reason)

    def write_reply(self, event: HarnessEvent, reply: Reply) -> bytes:
        """Return the JSON reply to an event."""
        return payloads.write_reply(event, reply)

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        """List the folders that may contain transcripts."""
        return transcript_roots(home, env, folders)

    def read_transcript(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        return read_new(transcript.path, position, limit_bytes, context_bytes)

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the file goes beyond a position and was written after ``since``."""
        return file_may_have_grown(path, position, since)


HARNESS: Final[Harness] = ClaudeCode()
