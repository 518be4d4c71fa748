"""Embedders that need no model: one that hashes words, and one that misbehaves on command."""

import asyncio
import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from intaglio.base.text import words
from intaglio.memory.embeddings.values import Identity

Mood = Literal["well", "down", "hangs", "short", "nan", "zero", "missing"]


def _component(word: str, place: int) -> float:
    digest = hashlib.blake2b(f"{word} {place // 16}".encode(), digest_size=32).digest()
    start = place % 16 * 2
    return int.from_bytes(digest[start : start + 2], "big") / 32768 - 1


@dataclass
class HashEmbedder:
    """The sum of a pseudo-random vector for each word: equal words, near vectors."""

    identity: Identity = field(default_factory=lambda: Identity("fake", "words", "1", 64))
    asked: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    def vector(self, text: str) -> list[float]:
        size = self.identity.dimensions
        parts = [[_component(word, place) for place in range(size)] for word in words(text) or [""]]
        summed = [math.fsum(column) for column in zip(*parts, strict=True)]
        length = math.sqrt(math.fsum(value * value for value in summed))
        return [value / length for value in summed]

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(tuple(texts))
        return [self.vector(text) for text in texts]


@dataclass
class MoodyEmbedder(HashEmbedder):
    """Fails in the way it is told, for all texts or for those that hold ``odd``."""

    mood: Mood = "well"
    odd: str = ""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors = await super().embed(texts)
        hit = [not self.odd or self.odd in text for text in texts]
        if self.mood == "well" or not any(hit):
            return vectors
        size = self.identity.dimensions
        match self.mood:
            case "down":
                raise ConnectionError("connection refused")
            case "hangs":
                await asyncio.sleep(3600)
                return vectors
            case "missing":
                return vectors[:-1]
            case "short":
                bad = [0.5] * (size - 1)
            case "nan":
                bad = [math.nan] * size
            case "zero":
                bad = [0.0] * size
        return [bad if odd else good for odd, good in zip(hit, vectors, strict=True)]
