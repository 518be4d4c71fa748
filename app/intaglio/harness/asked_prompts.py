"""Reads the user's prompts of a session from its transcript, for display; stores nothing."""

import asyncio
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal, TypeAlias

from intaglio.base.clock import Clock
from intaglio.base.text import clip
from intaglio.capture.transcripts import TranscriptMessage
from intaglio.harness.transcript_files import FoundTranscript, TranscriptFiles
from intaglio.pauses import bypass_rows
from intaglio.pauses import rows as pauses
from intaglio.pauses.values import Pause, outside_pauses
from intaglio.redaction.redact import clean
from intaglio.store.database import Database

ReadState: TypeAlias = Literal["read", "missing", "unreadable", "none"]
"""Whether the prompts were read; else the transcript is gone, unreadable, or was never reported."""

_READ_BYTES: Final = 4_000_000
_MAX_READINGS: Final = 16
_MAX_PROMPTS: Final = 500
_MAX_CHARS: Final = 4_000


@dataclass(frozen=True, slots=True)
class PromptsRead:
    """The user's prompts, oldest first, whether the transcript could be read, and to its end."""

    state: ReadState
    prompts: tuple[TranscriptMessage, ...] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class AskedPrompts:
    """Reads the user's prompts from transcripts."""

    files: TranscriptFiles
    db: Database
    clock: Clock

    async def read(self, harness: str, session_id: str, transcript: str | None) -> PromptsRead:
        """Return a session's prompts without secrets; those of pauses and bypasses are left out.

        At most 500 prompts of 4,000 characters, from the first 64 MB.
        """
        if transcript is None:
            return PromptsRead("none")
        spans = await self.db.read(
            lambda tx: [
                *pauses.since(tx, None),
                *bypass_rows.spans(tx, harness, session_id, None),
            ]
        )
        now = self.clock()
        return await asyncio.to_thread(self._read, harness, session_id, transcript, spans, now)

    def _read(
        self, harness: str, session_id: str, transcript: str, spans: list[Pause], now: datetime
    ) -> PromptsRead:
        found = self.files.find(harness, session_id, transcript)
        if found is None:
            return PromptsRead("unreadable" if Path(transcript).exists() else "missing")
        try:
            messages, has_more = _user_messages(found, session_id)
        except OSError:
            return PromptsRead("unreadable")
        outside = outside_pauses([each.time for each in messages], spans, None, now)
        return PromptsRead(
            "read",
            tuple(
                _shown(each)
                for each, is_outside in zip(messages, outside, strict=True)
                if is_outside
            ),
            has_more,
        )


def _user_messages(found: FoundTranscript, session_id: str) -> tuple[list[TranscriptMessage], bool]:
    """Return the first messages of the user, and whether there may be more."""
    messages: list[TranscriptMessage] = []
    position, more = "", True
    for _ in range(_MAX_READINGS):
        if not more or len(messages) > _MAX_PROMPTS:
            break
        reading = found.read(position, _READ_BYTES)
        # A continued session's transcript can begin with the messages of the former one.
        messages += (
            each for each in reading.messages if each.role == "user" and each.session == session_id
        )
        position, more = reading.position, reading.more
    return messages[:_MAX_PROMPTS], more or len(messages) > _MAX_PROMPTS


def _shown(message: TranscriptMessage) -> TranscriptMessage:
    text = f"{message.question}\n{message.text}" if message.question else message.text
    return replace(message, text=clip(clean(text), _MAX_CHARS))
