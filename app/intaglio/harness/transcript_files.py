"""Finds the transcript of a session among those that may be read, and who can read it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from intaglio.harness.protocol import Harness
from intaglio.harness.transcript import transcript_allowed


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """A readable transcript and the harness that can read it."""

    harness: Harness
    path: Path


@dataclass(frozen=True, slots=True)
class TranscriptFiles:
    """The transcripts of all harnesses; ``roots`` lists a harness's transcript folders."""

    harnesses: Mapping[str, Harness]
    roots: Callable[[Harness], list[Path]]

    def find(self, harness: str, path: str) -> TranscriptFile | None:
        """Return a session's transcript; None if it's gone or outside the allowed folders."""
        known = self.harnesses.get(harness)
        # Clients of the contract may send any name; the transcript's folder identifies the harness.
        for one in (known,) if known else self.harnesses.values():
            file = transcript_allowed(path, self.roots(one), one.transcript_suffix)
            if file is not None:
                return TranscriptFile(one, file)
        return None
