"""Vectors of a transcript's messages, as stored and as they are searched."""

from array import array
from dataclasses import dataclass
from typing import Final

VECTOR_BYTES: Final = 384
MAX_EMBEDDED_CHARS: Final = 1_500
"""Of a longer message, the beginning is embedded."""
MAX_EMBEDDED_MESSAGES: Final = 200
"""Of a transcript, so many messages have a vector: the latest ones."""


@dataclass(frozen=True, slots=True)
class SpokenVector:
    """A message's vector: signed bytes, ascending distinct word pieces as little-endian uint16."""

    number: int
    vector: bytes
    pieces: bytes


@dataclass(frozen=True, slots=True)
class TranscriptVectors:
    """The vectors of a transcript's messages, packed in the order of ``numbers``.

    ``centroid`` is the mean of their directions, of any length. ``numbers`` are the rows of the
    messages, ``lengths`` the bytes of each one's word pieces.
    """

    transcript: int
    centroid: bytes
    numbers: "array[int]"
    vectors: bytes
    lengths: "array[int]"
    pieces: bytes

    def unpacked(self) -> list[SpokenVector]:
        """Return the vectors one by one."""
        found: list[SpokenVector] = []
        at = 0
        for place, (number, length) in enumerate(zip(self.numbers, self.lengths, strict=True)):
            vector = self.vectors[place * VECTOR_BYTES : (place + 1) * VECTOR_BYTES]
            found.append(SpokenVector(number, vector, self.pieces[at : at + length]))
            at += length
        return found


def packed(transcript: int, vectors: list[SpokenVector]) -> TranscriptVectors:
    """Pack the latest vectors of a transcript."""
    kept = sorted(vectors, key=lambda each: each.number)[-MAX_EMBEDDED_MESSAGES:]
    joined = b"".join(each.vector for each in kept)
    return TranscriptVectors(
        transcript,
        _centroid(joined),
        array("q", [each.number for each in kept]),
        joined,
        array("H", [len(each.pieces) for each in kept]),
        b"".join(each.pieces for each in kept),
    )


def _centroid(joined: bytes) -> bytes:
    # numpy takes a tenth of the daemon's start; here, the model has loaded it.
    import numpy as np  # noqa: PLC0415 - see above

    rows = np.frombuffer(joined, np.int8).reshape(-1, VECTOR_BYTES).astype(np.float32)
    if not len(rows):
        return bytes(VECTOR_BYTES)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    mean = rows.mean(axis=0)
    largest = float(np.abs(mean).max()) or 1.0
    return bytes((mean * (127 / largest)).round().astype(np.int8).tobytes())
