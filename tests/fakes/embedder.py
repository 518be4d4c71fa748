"""Embedders that need no model: one that hashes words, and one that misbehaves on command."""

import asyncio
import hashlib
import math
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from intaglio.inference.context import context_of
from intaglio.inference.ports import (
    Embedded,
    EmbedderPhase,
    EmbedderState,
    MemoryVector,
    ModelIdentity,
    NotEmbedded,
    QuestionVector,
    TextInContext,
)

Mood = Literal["well", "down", "raises", "hangs", "broken", "short", "nan", "zero", "missing"]


def _component(word: str, place: int) -> float:
    digest = hashlib.blake2b(f"{word} {place // 16}".encode(), digest_size=32).digest()
    start = place % 16 * 2
    return int.from_bytes(digest[start : start + 2], "big") / 32768 - 1


def as_embedded(vectors: Sequence[Sequence[float]]) -> Embedded:
    return Embedded(tuple(np.array(vector, np.float32) for vector in vectors))


def words(text: str) -> list[str]:
    """Split into lower-case words."""
    return re.findall(r"\w+", text.lower())


@dataclass
class HashEmbedder:
    """The sum of a pseudo-random vector for each word: equal words, near vectors."""

    identity: ModelIdentity = field(default_factory=lambda: ModelIdentity("fake", "words", "1", 64))
    asked: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    phase: EmbedderPhase = "ready"

    def vector(self, text: str) -> list[float]:
        size = self.identity.dimensions
        parts = [[_component(word, place) for place in range(size)] for word in words(text) or [""]]
        summed = [math.fsum(column) for column in zip(*parts, strict=True)]
        length = math.sqrt(math.fsum(value * value for value in summed))
        return [value / length for value in summed]

    @property
    def state(self) -> EmbedderState:
        return EmbedderState(self.phase)

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        assert timeout_s > 0
        self.asked.append(tuple(texts))
        return as_embedded([self.vector(text) for text in texts])

    async def close(self) -> None:
        """Nothing is held."""


@dataclass
class MoodyEmbedder(HashEmbedder):
    """Fails in the way it is told, for all texts or for those that hold ``odd``."""

    mood: Mood = "well"
    odd: str = ""

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        given = await super().embed(texts, timeout_s=timeout_s)
        hit = [not self.odd or self.odd in text for text in texts]
        if self.mood == "well" or not any(hit):
            return given
        size, bad = self.identity.dimensions, list[float]()
        match self.mood:
            case "down":
                return NotEmbedded("unreachable", "connection refused")
            case "broken":
                return NotEmbedded("damaged", "the file was altered")
            case "raises":
                raise LookupError("no such thing")
            case "hangs":
                await asyncio.sleep(3600)
            case "missing":
                return as_embedded([self.vector(text) for text in texts[1:]])
            case "short":
                bad = [0.5] * (size - 1)
            case "nan":
                bad = [math.nan] * size
            case "zero":
                bad = [0.0] * size
        pairs = zip(hit, texts, strict=True)
        return as_embedded([bad if odd else self.vector(text) for odd, text in pairs])


@dataclass
class TokenHashEmbedder(HashEmbedder):
    """Takes each word for a word piece; the words before a text move its vector halfway.

    ``meanwhile`` runs once during the next call, as what others write while a model works.
    """

    meanwhile: Callable[[], Awaitable[None]] | None = None

    def memory(self, given: TextInContext) -> MemoryVector:
        own = piece_ids(given.text)
        before = context_of(own, [piece_ids(text) for text in given.before])
        mixed = np.array(self.vector(given.text))
        for number in before:
            mixed += 0.5 / len(before) * np.array(self.vector(str(number)))
        vector = np.array(mixed / np.linalg.norm(mixed), np.float32)
        return MemoryVector(vector, np.unique(np.array(own, "<u2")).tobytes(), len(own))

    async def embed_memories(
        self, texts: Sequence[TextInContext], *, timeout_s: float
    ) -> tuple[MemoryVector, ...] | NotEmbedded:
        assert timeout_s > 0
        if (meanwhile := self.meanwhile) is not None:
            self.meanwhile = None
            await meanwhile()
        return tuple(self.memory(text) for text in texts)

    async def embed_question(self, text: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        assert timeout_s > 0
        return QuestionVector(np.array(self.vector(text), np.float32))


def piece_ids(text: str) -> list[int]:
    """Return the number of each word, as if it were a word piece."""
    return [
        int.from_bytes(hashlib.blake2b(word.encode(), digest_size=2).digest()) % 30_000
        for word in words(text)
    ]
