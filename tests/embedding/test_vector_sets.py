"""A change of the model: a second set grows beside the old one, which serves until it is whole."""

from pathlib import Path

from fakes.embedder import HashEmbedder, MoodyEmbedder
from fakes.semantic_index import Index, indexed, over
from intaglio.embedding import rows
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES, REEMBED
from intaglio.embedding.values import VectorSetIdentity
from intaglio.inference import ports
from intaglio.inference.ports import Embedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs import rows as jobs
from intaglio.store.tx import ReadTx

OLD = ports.ModelIdentity("fake", "words", "1", 64)
NEW = ports.ModelIdentity("fake", "better", "1", 96)
TEXTS = [f"the {colour} apple" for colour in ("red", "green", "yellow", "brown")]


def counts(tx: ReadTx) -> dict[str, int]:
    """Count the vectors by the name of their model."""
    found = tx.all(
        "SELECT m.model, count(e.id) FROM embedding_models m "
        "LEFT JOIN embeddings e ON e.model = m.id GROUP BY m.id"
    )
    return {str(name): int(str(count)) for name, count in found}


def old_again(identity: VectorSetIdentity) -> Embedder | None:
    """Make the old model's embedder, as long as it can be had."""
    return HashEmbedder(OLD) if identity.model == OLD.model else None


async def embedded(index: Index) -> None:
    """Remember all texts and embed them by the first model."""
    for text in TEXTS:
        await index.remember(text)
    await index.work()
    await index.tracker.fill_if_low()


async def change(index: Index, embedder: HashEmbedder) -> None:
    """Want another model, as a change of the settings does."""
    index.embed.replace_embedder(embedder)
    index.embedder = embedder
    await index.begin()


async def test_the_old_set_is_searched_until_the_new_one_is_whole(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, HashEmbedder(NEW))
        assert index.sets.fallback_model == "words"
        assert index.vectors.model is not None
        assert index.vectors.model.dimensions == 64
        await index.work()
        assert await index.store.db.read(counts) == {"words": 4, "better": 4}
        await index.tracker.fill_if_low()
        assert index.sets.fallback_model == ""
        assert index.vectors.model.dimensions == 96
        assert await index.found("the green apple", limit=1) == ["the green apple"]


async def test_questions_are_embedded_by_the_model_whose_vectors_are_searched(
    tmp_path: Path,
) -> None:
    first, second = HashEmbedder(OLD), HashEmbedder(NEW)
    async with indexed(tmp_path, first) as index:
        await embedded(index)
        await change(index, second)
        await index.sets.questions.ask("during", timeout_s=1)
        await index.work()
        await index.tracker.fill_if_low()
        await index.sets.questions.ask("afterwards", timeout_s=1)
        assert first.asked[-1] == ("during",)
        assert second.asked[-1] == ("afterwards",)


async def test_the_old_set_is_deleted_once_the_new_one_is_whole(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, HashEmbedder(NEW))
        await index.work()
        await index.tracker.fill_if_low()
        assert await index.store.db.read(counts) == {"words": 0, "better": 4}


async def test_an_interrupted_change_of_model_continues_after_a_restart(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, MoodyEmbedder(NEW))
        index.embed.batch = lambda: 1
        clock = index.store.clock
        taken = await index.store.db.write(lambda tx: jobs.lease(tx, [(REEMBED, 2)], "t", clock()))
        await index.embed.run(taken)
        assert await index.store.db.read(counts) == {"words": 4, "better": 2}
        anew = await over(index.store, MoodyEmbedder(NEW), former=old_again)
        assert anew.sets.fallback_model == "words"
        await anew.work()
        await anew.tracker.fill_if_low()
        assert anew.sets.fallback_model == ""
        assert await index.store.db.read(counts) == {"words": 0, "better": 4}


async def test_without_the_old_model_keywords_answer(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        anew = await over(index.store, MoodyEmbedder(NEW, mood="down"))
        assert anew.sets.fallback_model == ""
        assert anew.vectors.model is not None
        assert anew.vectors.model.dimensions == 64
        answer = await anew.sets.questions.ask("apple", timeout_s=1)
        assert isinstance(answer, ports.NotEmbedded)


async def test_the_wanted_model_never_searches_the_old_vectors(tmp_path: Path) -> None:
    same_size = ports.ModelIdentity("fake", "better", "1", 64)
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        anew = await over(index.store, HashEmbedder(same_size))
        answer = await anew.sets.questions.ask("apple", timeout_s=1)
        assert isinstance(answer, ports.NotEmbedded)
        await anew.work()
        await anew.tracker.fill_if_low()
        answer = await anew.sets.questions.ask("apple", timeout_s=1)
        assert not isinstance(answer, ports.NotEmbedded)


async def test_a_silent_provider_leaves_the_old_vectors_in_use(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, MoodyEmbedder(NEW, mood="down"))
        for _ in range(5):
            await index.work()
            index.forward(60)
            await index.tracker.fill_if_low()
        assert await index.store.db.read(counts) == {"words": 4}
        assert (await index.embed.progress()).pending == 4


async def test_a_failing_text_does_not_delay_the_change_of_model(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, MoodyEmbedder(NEW, mood="nan", odd="green"))
        for _ in range(8):
            await index.work(rounds=5)
            index.forward(60)
        await index.tracker.fill_if_low()
        assert index.sets.fallback_model == ""
        assert await index.store.db.read(counts) == {"words": 0, "better": 3}
        marked = "SELECT count(*) FROM memories WHERE embedding_model IS NOT NULL"
        assert await index.store.db.read(lambda tx: tx.count(marked)) == 3


async def test_returning_to_the_former_model_embeds_nothing_again(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        await change(index, MoodyEmbedder(NEW, mood="down"))
        back = HashEmbedder(OLD)
        await change(index, back)
        await index.work()
        assert back.asked == []
        assert (await index.embed.progress()).embedded == 4


async def test_switching_embedding_off_and_on_stops_and_resumes_search(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        index.embed.replace_embedder(UnavailableEmbedder("none", "", "off"))
        await index.begin()
        assert (await index.search("apple")).method == "none"
        await change(index, HashEmbedder(OLD))
        assert (await index.search("apple")).method != "none"
        assert await index.store.db.read(counts) == {"words": 4}


async def test_gaps_are_found_whatever_mark_a_memory_has(tmp_path: Path) -> None:
    async with indexed(tmp_path, HashEmbedder(OLD)) as index:
        await embedded(index)
        model = index.embed.model
        await index.store.db.write(
            lambda tx: tx.execute("UPDATE memories SET embedding_model = '0' WHERE seq = 1")
        )
        await index.store.db.write(
            lambda tx: tx.execute("UPDATE memories SET embedding_model = '9' WHERE seq = 2")
        )
        await index.store.db.write(
            lambda tx: tx.execute("UPDATE memories SET embedding_model = NULL WHERE seq = 3")
        )
        names = EMBEDDING_TYPE_NAMES
        gaps = await index.store.db.read(lambda tx: rows.gaps(tx, model, names, 10))
        assert len(gaps) == 3
        assert await index.store.db.read(lambda tx: rows.count_lacking(tx, model)) == 3
