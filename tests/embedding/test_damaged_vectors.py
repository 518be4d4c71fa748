"""Vectors of any size and content: questions are answered, and the vectors made anew."""

from pathlib import Path

import pytest

from fakes.hybrid import contents, hybrid

BROKEN = ("x''", "x'ff'", "randomblob(7)", "randomblob(5000)")


@pytest.mark.parametrize("value", BROKEN)
async def test_a_vector_of_another_size_hides_nothing_and_is_made_anew(
    tmp_path: Path, value: str
) -> None:
    async with hybrid(tmp_path) as both:
        first, *_ = await both.keep("the car is red", "the doctor is in", "a boat on the sea")
        db = both.index.store.db
        change = f"UPDATE embeddings SET vector = {value} WHERE memory = 1"  # noqa: S608 - constants
        await db.write(lambda tx: tx.execute(change))
        both.index.index_sync.rebuild()
        await both.index.follow()
        assert "the car is red" in contents(await both.ask("car red"))
        assert "the doctor is in" in contents(await both.ask("physician"))
        await both.similar(first)
        await both.index.begin()
        await both.index.work(rounds=3)
        await both.index.follow()
        assert contents(await both.ask("automobile")) == ["the car is red"]
        sizes = "SELECT count(DISTINCT length(vector)) FROM embeddings"
        assert await db.read(lambda tx: tx.count(sizes)) == 1
