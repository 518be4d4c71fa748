"""Repeated questions are embedded once, and only as many are kept as was said."""

from collections.abc import Sequence

import numpy as np

from intaglio.base.paths import built_folder
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import (
    Embedded,
    Embedder,
    EmbedderState,
    ModelIdentity,
    NotEmbedded,
    QuestionTokens,
    QuestionVector,
    TextInContext,
    TokenEmbedder,
)
from intaglio.inference.token_table import TokenTable


class Counting:
    """Counts what it is asked; fails while it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.failing = False
        self.identity = ModelIdentity("fake", "counting", "", 1)
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
        await vectors.ask(question, timeout_s=1)


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
    assert isinstance(await vectors.ask("a", timeout_s=1), NotEmbedded)
    embedder.failing = False
    assert not isinstance(await vectors.ask("a", timeout_s=1), NotEmbedded)


class WithStates(Counting):
    """Has a token state for each word."""

    async def embed_question(self, text: str, *, timeout_s: float) -> QuestionVector | NotEmbedded:
        await self.embed([text], timeout_s=timeout_s)
        words = tuple(text.split())
        table = TokenTable(built_folder("model"))
        tokens = QuestionTokens(np.ones((len(words), 1), np.float32), words, table)
        return QuestionVector(np.ones(1, np.float32), tokens)

    async def embed_memories(
        self, texts: Sequence[TextInContext], *, timeout_s: float
    ) -> NotEmbedded:
        raise NotImplementedError


async def test_a_repeated_question_has_its_token_states_again() -> None:
    embedder = WithStates()
    assert isinstance(embedder, TokenEmbedder)
    vectors = QueryVectors(embedder)
    first = await vectors.ask("which port", timeout_s=1)
    again = await vectors.ask("which port", timeout_s=1)
    assert isinstance(again, QuestionVector)
    assert again is first
    assert again.tokens is not None
    assert again.tokens.words == ("which", "port")


async def test_long_questions_leave_less_room_for_others() -> None:
    embedder = WithStates()
    await ask(QueryVectors(embedder, most_states=4), "a b", "c", "d e", "c", "a b")
    assert embedder.asked == ["a b", "c", "d e", "a b"]


async def test_a_question_that_is_too_long_to_keep_is_answered() -> None:
    embedder = WithStates()
    vectors = QueryVectors(embedder, most_states=2)
    assert isinstance(await vectors.ask("a b c", timeout_s=1), QuestionVector)
    await ask(vectors, "a b c", "a")
    assert embedder.asked == ["a b c", "a b c", "a"]


class Slow(Counting):
    """Takes as long as it is told on a clock of the test's, and then fails in its own way."""

    def __init__(self, taken_s: float) -> None:
        super().__init__()
        self.now, self.taken_s, self.calls = 0.0, taken_s, 0

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        self.calls += 1
        self.now += self.taken_s
        if self.failing:
            raise LookupError("no such thing")
        return await super().embed(texts, timeout_s=timeout_s)


async def test_a_provider_that_raises_is_a_question_without_a_vector() -> None:
    embedder = Slow(0)
    embedder.failing = True
    outcome = await QueryVectors(embedder).ask("a", timeout_s=1)
    assert outcome == NotEmbedded("refused", "no such thing")


async def test_after_a_timeout_the_next_questions_do_not_wait() -> None:
    embedder = Slow(3)
    embedder.failing = True
    vectors = QueryVectors(embedder, monotonic_s=lambda: embedder.now)
    await ask(vectors, "a", "b", "c")
    assert embedder.calls == 1
    embedder.now, embedder.failing = embedder.now + 10, False
    await ask(vectors, "d")
    assert embedder.asked == ["d"]


async def test_a_short_deadline_does_not_mark_the_provider_as_failing() -> None:
    embedder = Slow(0.3)
    embedder.failing = True
    await ask(QueryVectors(embedder, monotonic_s=lambda: embedder.now), "a", "b", "c")
    assert embedder.calls == 3


async def test_a_kept_vector_answers_while_the_provider_rests() -> None:
    embedder = Slow(3)
    vectors = QueryVectors(embedder, monotonic_s=lambda: embedder.now)
    await ask(vectors, "a")
    embedder.failing = True
    await ask(vectors, "b")
    assert not isinstance(await vectors.ask("a", timeout_s=1), NotEmbedded)
