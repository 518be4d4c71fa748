"""Similar memories over a real database."""

from pathlib import Path

from fakes.hybrid import hybrid
from intaglio.base.agents.reader import SharedReader
from intaglio.recall.similar import NoVector

FAR = ("granite quarry", "lantern festival", "copper mine")


async def test_similar_memories_are_the_others_nearest_first(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        [asked, *_] = await room.keep(
            "red car", "red automobile", "red automobile of the town", *FAR
        )
        alike = await room.similar(asked)
        assert not isinstance(alike, NoVector)
        assert [each.memory.content for each in alike][:2] == [
            "red automobile",
            "red automobile of the town",
        ]
        assert asked not in {each.memory.id for each in alike}
        assert [each.cosine for each in alike] == sorted(
            (each.cosine for each in alike), reverse=True
        )
        few = await room.similar(asked, limit=1)
        assert not isinstance(few, NoVector)
        assert [each.memory.content for each in few] == ["red automobile"]


async def test_similar_memories_pass_the_filter(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        [asked] = await room.keep("red car")
        await room.keep("blue car", type="rule")
        await room.keep("green car", agent_id="x", visibility="private")
        rules = await room.similar(asked, type="rule")
        assert not isinstance(rules, NoVector)
        assert [each.memory.content for each in rules] == ["blue car"]
        seen = await room.similar(asked, reader=SharedReader("x"))
        assert not isinstance(seen, NoVector)
        assert {each.memory.content for each in seen} == {"blue car", "green car"}


async def test_what_is_not_for_the_asker_has_nothing_similar(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        [hidden] = await room.keep("red car", agent_id="x", visibility="private")
        await room.keep("red automobile", *FAR)
        assert isinstance(await room.similar(hidden), NoVector)
        assert not isinstance(await room.similar(hidden, reader=SharedReader("x")), NoVector)


async def test_what_has_no_vector_has_nothing_similar(tmp_path: Path) -> None:
    async with hybrid(tmp_path) as room:
        await room.keep("red car")
        waiting = await room.index.remember("not embedded yet")
        assert isinstance(await room.similar(waiting), NoVector)
        assert isinstance(await room.similar("unknown"), NoVector)
