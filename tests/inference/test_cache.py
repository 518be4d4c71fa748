"""Repeated questions are embedded once, and only as many are kept as was said."""

from collections.abc import Sequence

import numpy as np

from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import (
    Embedded,
    Embedder,
    EmbedderState,
    Identity,
    NotEmbedded,
)


class Counting:
    """Counts what it is asked; fails while it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.failing = False
        self.identity = Identity("fake", "counting", "", 1)
        self.state = EmbedderState("ready")

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        if self.failing:
            return NotEmbedded("timeout", f"{timeout_s}")
        self.asked += texts
        return Embedded(tuple(np.ones(1, np.float32) for _ in texts))

    async def close(self) -> None:
        self.asked.clear()


async def ask(vectors: QueryVectors, *questions: str) -> None:
    for question in questions:
        await vectors.embed(question, timeout_s=1)


async def test_a_repeated_question_is_embedded_once_whatever_its_blanks() -> None:
    embedder = Counting()
    as_port: Embedder = embedder
    await ask(QueryVectors(as_port), "Which port?", "  Which \n port? ", "which port?")
    assert embedder.asked == ["Which port?", "which port?"]


async def test_the_question_asked_longest_ago_goes_first() -> None:
    embedder = Counting()
    await ask(QueryVectors(embedder, size=2), "a", "b", "a", "c", "a", "b")
    assert embedder.asked == ["a", "b", "c", "b"]


async def test_a_failure_is_not_kept() -> None:
    embedder = Counting()
    vectors = QueryVectors(embedder)
    embedder.failing = True
    assert isinstance(await vectors.embed("a", timeout_s=1), NotEmbedded)
    embedder.failing = False
    assert not isinstance(await vectors.embed("a", timeout_s=1), NotEmbedded)
