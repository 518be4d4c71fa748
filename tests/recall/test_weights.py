"""What words weigh: as the index says, and as common as they are where they are asked."""

from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.recall import keywords
from intaglio.recall.values import Question
from intaglio.recall.vocabulary import VocabularyCache
from intaglio.store.tx import ReadTx

ME = Actor("me")
NOISE = ("granite", "maple", "river", "lantern", "copper", "harbour", "meadow")


async def keep(store: Bench, content: str, project: str | None = None, tags: str = "") -> str:
    kept = await store.ingest.remember(
        Remember(content=content, actor=ME, project=project, tags=tags or None)
    )
    assert isinstance(kept, Saved)
    return kept.id


async def fill(store: Bench) -> None:
    for number in range(40):
        words = [NOISE[(number * step) % len(NOISE)] for step in range(1, 3 + number % 5)]
        await keep(store, f"{' '.join(words)} number{number}", tags=NOISE[number % 7])
    gone = await keep(store, "granite maple granite maple granite")
    await store.remove.forget(gone, Audit(ME))


@pytest.mark.parametrize(
    "text",
    ["granite", "maple river", "number7", "lantern copper number3 meadow", "harbour unheard"],
)
async def test_term_weights_match_the_index(tmp_path: Path, text: str) -> None:
    async with bench(tmp_path) as store:
        await fill(store)

        def both(tx: ReadTx) -> list[tuple[float, float]]:
            asked = Question(text=text)
            found = keywords.find(tx, asked, VocabularyCache(), budget=10_000, limit=50)
            held = rows.texts_by_seq(tx, list(found.scores))
            return [(found.scores[seq], found.scorer.bm25(tx, held[seq])) for seq in found.scores]

        pairs = await store.db.read(both)
    assert pairs
    for by_index, by_us in pairs:
        assert by_us == pytest.approx(by_index, abs=1e-3)


async def test_a_name_frequent_in_a_project_weighs_little(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for number in range(20):
            name = "melanie" if number % 2 else "caroline"
            await keep(store, f"{name} said thing{number}", "/chat")
        await keep(store, "a pottery class was booked", "/chat")
        for number in range(60):
            await keep(store, f"pottery shelf{number}", "/shop")

        async def first(project: str | None) -> str:
            wanted = Filter(project=project)
            found = (
                await store.recall.recall(Question(text="melanie pottery", filters=wanted))
            ).hits
            return found[0].memory.content

        # In the whole store the name is the rarer word; in the project it is the common one.
        assert await first(None) in {f"melanie said thing{number}" for number in range(20)}
        assert await first("/chat") == "a pottery class was booked"
