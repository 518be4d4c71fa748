"""Recall with the model that comes with Intaglio."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes.embedder import MoodyEmbedder
from fakes.hybrid import Hybrid, hybrid
from intaglio.base.paths import built_folder
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded, NotEmbedded

FACTS = (
    "We run PostgreSQL on port 5433 behind the firewall.",
    "Ann brought her two cats to the vet on Tuesday.",
    "The user wants indentation by tabs in every file.",
    "Deployments happen on Thursdays after the review meeting.",
    "The heating in the office fails when it freezes outside.",
)


@dataclass
class RealModel(MoodyEmbedder):
    """The real model where the fakes want one of theirs."""

    model: OnnxEmbedder | None = None

    async def embed(self, texts: Sequence[str], *, timeout_s: float) -> Embedded | NotEmbedded:
        assert self.model is not None
        return await self.model.embed(texts, timeout_s=timeout_s)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Hybrid]:
    model = OnnxEmbedder(built_folder("model"))
    async with hybrid(tmp_path, RealModel(model.identity, model=model)) as store:
        store.index.embed.timeout_s = 60.0
        await store.keep(*FACTS)
        yield store
    await model.close()


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Which database listens where?", 0),
        ("pets and their doctor", 1),
        ("whitespace preferences for code", 2),
        ("when do releases go out?", 3),
        ("broken radiators in winter", 4),
    ],
)
async def test_a_question_in_other_words_finds_its_answer_first(
    store: Hybrid, question: str, fact: int
) -> None:
    answer = await store.ask(question, embed_within_s=30.0)
    assert answer.method == "hybrid"
    assert answer.hits[0].memory.content == FACTS[fact]
