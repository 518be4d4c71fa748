"""Finds the transcript of a session among those that may be read, and who can read it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.events import Transcript
from intaglio.harness.protocol import Harness
from intaglio.harness.transcript import transcript_allowed
from intaglio.sessions.values import KnownSession


@dataclass(frozen=True, slots=True)
class FoundTranscript:
    """A readable transcript and the harness that can read it."""

    harness: Harness
    transcript: Transcript

    def read(self, position: str, limit_bytes: int, context_bytes: int = 0) -> TranscriptReading:
        """Read the messages from a position on, like `Harness.read_transcript`."""
        return self.harness.read_transcript(self.transcript, position, limit_bytes, context_bytes)


@dataclass(frozen=True, slots=True)
class TranscriptFiles:
    """The transcripts of all harnesses; ``roots`` lists a harness's transcript folders."""

    harnesses: Mapping[str, Harness]
    roots: Callable[[Harness], list[Path]]

    def find(self, harness: str, session: str, path: str) -> FoundTranscript | None:
        """Return a session's transcript; None if it's gone or outside the allowed folders."""
        for one in self._candidates(harness):
            file = transcript_allowed(path, self.roots(one), one.transcript_suffix)
            if file is not None:
                return FoundTranscript(one, Transcript(file, session))
        return None

    def may_have_grown(self, known: KnownSession, since: datetime | None) -> bool:
        """Whether a session's transcript may have new messages, written after ``since``."""
        path = Path(known.ref.transcript or "")
        return any(
            one.may_have_grown(path, known.position, since)
            for one in self._candidates(known.ref.harness)
        )

    def _candidates(self, harness: str) -> tuple[Harness, ...]:
        # Clients of the contract may send any name; the transcript's folder identifies the harness.
        known = self.harnesses.get(harness)
        return (known,) if known else tuple(self.harnesses.values())
