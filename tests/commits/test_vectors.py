"""Vectors of commit messages, by the included model."""

from collections.abc import AsyncGenerator

import pytest

from fakes.commit_messages import hash_of, new_commit
from fakes.commits import CommitHouse
from intaglio.base.bus import EventBus
from intaglio.base.paths import built_folder
from intaglio.commits import rows
from intaglio.commits.search import CommitQuestion, CommitWords
from intaglio.commits.vectors import rows as vectors
from intaglio.commits.vectors.embedding import MOST_EMBEDDED, CommitEmbedding
from intaglio.commits.vectors.job_types import EMBED_COMMITS
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import NotEmbedded
from intaglio.jobs.job_type import Job
from intaglio.recall.commits.commit_recall import CommitMatch, CommitRecall
from intaglio.store.tx import WriteTx

PROJECT = "/work/shop"
BODIES = (
    "Customers were charged twice when the payment provider answered late.",
    "The list of colours is sorted by name, as designers asked for.",
    "Fonts are loaded once, since each page took two seconds more.",
)
# Shares no word with the first message.
ASKED = "why do people pay more than once?"


@pytest.fixture
async def embedding(house: CommitHouse) -> AsyncGenerator[CommitEmbedding]:
    model = OnnxEmbedder(built_folder("model"))

    def work(tx: WriteTx) -> None:
        for number, body in enumerate(BODIES, 1):
            rows.add(tx, PROJECT, new_commit(body, number=number, subject=f"Change {number}"))

    await house.bench.db.write(work)
    made = CommitEmbedding(house.bench.db, EventBus(), house.bench.context, lambda: model)
    await made.run(Job(0, EMBED_COMMITS, PROJECT, None, 1, 1, "lease"))
    yield made
    await model.close()


async def found(embedding: CommitEmbedding) -> list[CommitMatch]:
    embedder = embedding.embedder()
    assert isinstance(embedder, OnnxEmbedder)
    asked = await embedder.embed_question(ASKED, timeout_s=60)
    assert not isinstance(asked, NotEmbedded)
    recall = CommitRecall(CommitWords(), embedding.model)
    question = CommitQuestion(ASKED, {})
    return await embedding.db.read(lambda tx: recall.find(tx, question, PROJECT, asked))


async def test_a_commit_is_found_by_its_meaning_alone(embedding: CommitEmbedding) -> None:
    matches = await found(embedding)
    best = max(matches, key=lambda each: each.signals.meaning.match if each.signals.meaning else 0)
    assert best.commit.body == BODIES[0]
    assert best.matched == ()


async def test_what_is_embedded_lacks_nothing(embedding: CommitEmbedding) -> None:
    model = embedding.model()
    lacking = await embedding.db.read(
        lambda tx: vectors.lacking(tx, PROJECT, model, MOST_EMBEDDED, 10)
    )
    assert lacking == []


async def test_a_forgotten_commit_has_no_vector_and_is_found_no_more(
    embedding: CommitEmbedding,
) -> None:
    assert len(await found(embedding)) == len(BODIES)
    at = embedding.context.now
    await embedding.db.write(lambda tx: rows.forget(tx, PROJECT, hash_of(1), at))
    assert {each.commit.body for each in await found(embedding)} == {*BODIES[1:]}
    left = await embedding.db.read(lambda tx: tx.count("SELECT count(*) FROM commit_vectors"))
    assert left == len(BODIES) - 1


async def test_only_the_newest_commits_are_embedded(embedding: CommitEmbedding) -> None:
    newer = new_commit("It was renamed to say what it does.", number=20)
    await embedding.db.write(lambda tx: rows.add(tx, PROJECT, newer))
    model = embedding.model()
    lacking = await embedding.db.read(lambda tx: vectors.lacking(tx, PROJECT, model, 1, 10))
    [commit] = await embedding.db.read(lambda tx: rows.read_many(tx, lacking))
    assert commit.hash == newer.hash
