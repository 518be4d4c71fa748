"""How much sessions are about the same subject."""

from dataclasses import dataclass
from typing import Final

SAME_SUBJECT: Final = 4.8
"""The likeness of sessions of which the later may change what the earlier settled.

Of 24 conversations that do, 22 reach it, and one in 150 of all other pairs.
"""
LEAST_LIKENESS: Final = 4.0
"""The least likeness that is stored."""
CONTRADICTS: Final = 0.65
"""How likely statements of both must contradict each other to make up for less likeness.

Of five conversations that change something and reach `LEAST_LIKENESS` only, three reach it, and 17
of 67 other pairs of sessions.
"""
AGREES: Final = 0.3
"""Less than this, and what both settled holds side by side."""


@dataclass(frozen=True, slots=True)
class TranscriptHead:
    """Whose a transcript is, and how much it holds: it has changed if any of this has."""

    agent_id: str
    project: str | None
    last_number: int
    characters: int


@dataclass(frozen=True, slots=True)
class EarlierTranscript:
    """An earlier transcript on the subject of a later one, as it was when they were compared."""

    transcript: int
    head: TranscriptHead
    likeness: float


@dataclass(frozen=True, slots=True)
class SessionRelations:
    """The earlier transcripts on the subject of a transcript.

    ``head`` is what was compared, and ``compared`` with how many.
    """

    transcript: int
    head: TranscriptHead
    compared: int
    found: tuple[EarlierTranscript, ...] = ()
