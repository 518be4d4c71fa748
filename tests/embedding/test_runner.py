"""The embed stage: vectors come in the background, and a bad provider is contained and told."""

from pathlib import Path

import pytest

from fakes.embedder import Mood, MoodyEmbedder
from fakes.semantic_index import ACTOR, Index, indexed, over
from fakes.waiting import PATIENCE_S
from intaglio.base.events import Changed
from intaglio.inference.ports import ModelIdentity
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change
from intaglio.store.tx import ReadTx

WHY = Audit(ACTOR)
TEXTS = [f"fact number {number} about x{'x' * number}" for number in range(12)]
BAD: list[Mood] = ["down", "raises", "hangs", "short", "nan", "zero", "missing"]


def moody(index: Index) -> MoodyEmbedder:
    assert isinstance(index.embedder, MoodyEmbedder)
    return index.embedder


def jobs(tx: ReadTx) -> list[tuple[object, ...]]:
    return list(tx.all("SELECT status, attempts FROM jobs ORDER BY id"))


async def test_texts_of_about_one_length_are_embedded_together(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        for text in reversed(TEXTS):
            await index.remember(text)
        assert await index.work() == 12
        assert [list(asked) for asked in index.embedder.asked] == [TEXTS[:8], TEXTS[8:]]
        status = await index.embed.progress()
        assert (status.live, status.embedded, status.pending) == (12, 12, 0)


async def test_embedded_memories_are_published(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        kept = await index.remember("a fact")
        await index.work()
        assert index.store.events[-1] == Changed("embeddings", "updated", (kept,))


async def test_a_done_job_leaves_no_row(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        await index.work()
        assert await index.store.db.read(jobs) == []


async def test_a_forgotten_memory_is_not_embedded(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        kept = await index.remember("a fact")
        await index.store.remove.forget(kept, WHY)
        await index.work()
        assert index.embedder.asked == []
        assert await index.store.db.read(jobs) == []


async def test_content_changed_meanwhile_is_embedded_in_its_new_form(tmp_path: Path) -> None:
    class Slow(MoodyEmbedder):
        async def embed(self, texts, *, timeout_s):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - the signature is the port's
            if texts == ["before"]:
                await index.store.revise.modify(kept, Change(content="after"), WHY)
            return await super().embed(texts, timeout_s=timeout_s)

    async with indexed(tmp_path, Slow()) as index:
        index.embed.timeout_s = PATIENCE_S
        kept = await index.remember("before")
        await index.work()
        assert (await index.embed.progress()).embedded == 0
        await index.work()
        assert (await index.embed.progress()).embedded == 1
        assert await index.found("after") == ["after"]


@pytest.mark.parametrize("mood", BAD)
async def test_a_failing_provider_rests_and_no_job_fails(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path) as index:
        for text in TEXTS:
            await index.remember(text)
        moody(index).mood = mood
        rests: list[float] = []
        for _ in range(8):
            await index.work()
            status = await index.embed.progress()
            assert status.trouble
            assert (status.embedded, status.pending, status.dead) == (0, 12, 0)
            rests.append(status.rest_s)
            assert index.embed.capacity == 0
            index.forward(status.rest_s)
        assert rests == [1, 2, 4, 8, 16, 30, 30, 30]
        assert {attempts for _, attempts in await index.store.db.read(jobs)} == {0}


@pytest.mark.parametrize("mood", BAD)
async def test_a_recovered_provider_embeds_everything(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path) as index:
        for text in TEXTS:
            await index.remember(text)
        moody(index).mood = mood
        await index.work()
        moody(index).mood = "well"
        index.forward(60)
        await index.work(rounds=20)
        status = await index.embed.progress()
        assert (status.embedded, status.pending, status.trouble) == (12, 0, "")


@pytest.mark.parametrize("mood", BAD)
async def test_only_the_text_that_fails_is_given_up(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path) as index:
        for text in TEXTS:
            await index.remember(text)
        moody(index).mood, moody(index).odd = mood, "number 5"
        for _ in range(40):
            await index.work(rounds=20)
            index.forward(60)
            # What keeps coming in shows that the provider is well.
            await index.remember(f"news {index.seconds.now}")
        status = await index.embed.progress()
        assert status.dead == 1
        assert status.live - status.embedded <= 2


@pytest.mark.parametrize("mood", BAD)
async def test_a_failing_text_is_given_up_without_others(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path) as index:
        moody(index).mood, moody(index).odd = mood, "number 5"
        await index.remember(TEXTS[5])
        for _ in range(3):
            await index.work()
            index.forward(60)
        status = await index.embed.progress()
        assert (status.dead, status.pending, status.trouble) == (1, 0, "")


@pytest.mark.parametrize("mood", BAD)
async def test_a_single_waiting_text_survives_an_outage(tmp_path: Path, mood: Mood) -> None:
    async with indexed(tmp_path) as index:
        await index.remember(TEXTS[5])
        moody(index).mood = mood
        for _ in range(12):
            await index.work()
            index.forward(60)
        assert (await index.embed.progress()).dead == 0
        moody(index).mood = "well"
        await index.work()
        assert (await index.embed.progress()).embedded == 1


async def test_without_a_model_jobs_complete_without_work(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        index.embed.replace_embedder(UnavailableEmbedder("none", "", "off"))
        await index.work()
        assert await index.store.db.read(jobs) == []


async def test_a_late_answer_of_a_replaced_model_is_dropped(
    tmp_path: Path,
) -> None:
    class Slow(MoodyEmbedder):
        async def embed(self, texts, *, timeout_s):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - the signature is the port's
            index.embed.replace_embedder(MoodyEmbedder(ModelIdentity("fake", "new", "1", 64)))
            return await super().embed(texts, timeout_s=timeout_s)

    async with indexed(tmp_path, Slow()) as index:
        index.embed.timeout_s = PATIENCE_S
        await index.remember("a fact")
        await index.work()
        assert (await index.embed.progress()).embedded == 0
        assert await index.store.db.read(jobs) == [("pending", 0)]
        await index.work()
        assert (await index.embed.progress()).embedded == 1


async def test_a_damaged_model_is_not_retried(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        moody(index).mood = "broken"
        await index.work()
        assert index.embed.rest_s == 3600
        assert index.embed.trouble == "the file was altered"


async def test_keyword_recall_works_without_a_provider(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        moody(index).mood = "down"
        await index.remember("the apple is red")
        await index.work()
        assert (await index.search("apple")).method == "none"


async def test_failed_jobs_are_retried_after_a_start(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        await index.store.db.write(lambda tx: tx.execute("UPDATE jobs SET status = 'dead'"))
        await index.embed.begin()
        await index.work()
        assert (await index.embed.progress()).embedded == 1


async def test_a_restart_forgets_the_providers_failures(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path) as index:
        await index.remember("a fact")
        moody(index).mood = "broken"
        assert await index.work() == 1
        anew = await over(index.store, MoodyEmbedder())
        assert await anew.work() == 1
        assert (await anew.embed.progress()).embedded == 1
