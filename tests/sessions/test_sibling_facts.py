"""Facts below one aspect of an entity are compared, whatever way they came in."""

from typing import Final

import pytest

from fakes.graph import work
from fakes.sessions import House
from intaglio.jobs import rows as jobs
from intaglio.memory import replacement, rows
from intaglio.memory.operations import Audit
from intaglio.memory.values import AGENT_SOURCE, Actor, Change, Source
from intaglio.sessions.statements import sibling_rows
from intaglio.sessions.statements.sibling_facts import (
    ALL,
    BATCH,
    COMPARE_FACTS,
    SiblingFacts,
)

REDIS: Final = "The orders service stores sessions in Redis."
INSTEAD: Final = "The orders service stores sessions in PostgreSQL instead of Redis."
USER: Final = Audit(Actor("me"))
TYPE: Final = {"type": "fact"}


async def _at_once(_: float) -> None:
    return None


async def remember(house: House, content: str, **given: object) -> str:
    """Save a memory a day after the one before, as the command line does."""
    house.bench.clock.forward(days=1)
    return await house.remember(content, **(TYPE | given))


async def below_one_aspect(house: House) -> None:
    """Put all facts below one aspect of one entity."""
    await house.bench.db.write(
        lambda tx: tx.execute(
            "UPDATE entity_attributes SET (entity, aspect) = "
            "(SELECT entity, aspect FROM entity_attributes WHERE aspect IS NOT NULL LIMIT 1)"
        )
    )


async def compare(house: House, subject: str = ALL) -> None:
    facts = SiblingFacts(services=house.capture, seconds=lambda: 0.0, pause=_at_once)
    await house.bench.db.write(
        lambda tx: jobs.enqueue(tx, COMPARE_FACTS, subject, house.bench.context.now)
    )
    await work(house.bench, COMPARE_FACTS, facts)


async def statuses(house: House) -> dict[str, str]:
    ids = [str(id_) for (id_,) in await house.rows("SELECT id FROM memories WHERE is_deleted = 0")]
    found = await house.bench.db.read(lambda tx: rows.by_ids(tx, ids))
    return {memory.content: memory.status for memory in found.values()}


async def queued(house: House) -> list[str]:
    found = await house.rows("SELECT subject FROM jobs WHERE type = 'compare_facts'")
    return [str(subject) for (subject,) in found]


async def test_a_saved_memory_replaces_its_sibling(linked: House) -> None:
    await remember(linked, REDIS)
    assert await queued(linked) == []
    await remember(linked, INSTEAD)
    assert await queued(linked) == [ALL]
    await below_one_aspect(linked)
    await compare(linked)
    assert await statuses(linked) == {REDIS: "replaced", INSTEAD: "current"}
    assert await queued(linked) == []


async def test_the_user_who_uses_the_older_one_again_is_not_asked(linked: House) -> None:
    older = await remember(linked, REDIS)
    newer = await remember(linked, INSTEAD)
    await below_one_aspect(linked)
    await compare(linked)
    await linked.bench.db.write(
        lambda tx: replacement.reinstate(tx, older, USER, linked.bench.context)
    )
    await compare(linked, newer)
    assert await statuses(linked) == {REDIS: "current", INSTEAD: "current"}
    assert await linked.rows("SELECT * FROM inbox_items") == []


@pytest.mark.parametrize("how", ["pinned", "agent", "other project"])
async def test_the_gates_hold(linked: House, how: str) -> None:
    await remember(linked, REDIS, pinned=how == "pinned")
    given: dict[str, object] = {}
    if how == "agent":
        given = {"source": Source(AGENT_SOURCE), "who": "claude-code"}
    if how == "other project":
        given = {"project": "/work/elsewhere"}
    await remember(linked, INSTEAD, **given)
    await below_one_aspect(linked)
    await compare(linked)
    assert (await statuses(linked))[REDIS] == ("disputed" if how == "pinned" else "current")


async def test_an_edited_memory_is_compared_again(linked: House) -> None:
    first = await remember(linked, "The orders service stores sessions in a database.")
    await remember(linked, REDIS)
    await below_one_aspect(linked)
    await compare(linked)
    linked.bench.clock.forward(days=1)
    await linked.bench.revise.modify(first, Change(content=INSTEAD), USER)
    await below_one_aspect(linked)
    await compare(linked, first)
    assert await statuses(linked) == {INSTEAD: "current", REDIS: "replaced"}


async def test_all_facts_are_compared_a_few_at_a_time(linked: House) -> None:
    for number in range(BATCH + 3):
        await remember(linked, f"The orders service number {number} listens to its queue.")
    await remember(linked, REDIS)
    await remember(linked, INSTEAD)
    await below_one_aspect(linked)
    await compare(linked)
    assert (await statuses(linked))[REDIS] == "replaced"
    last = await linked.rows("SELECT max(seq) FROM memories")
    position = await linked.bench.db.read(sibling_rows.position)
    assert [(position,)] == last


async def test_the_sweep_queues_the_newest_once_more(linked: House) -> None:
    await remember(linked, REDIS)
    await remember(linked, INSTEAD)
    await linked.bench.db.write(lambda tx: tx.execute("DELETE FROM jobs"))
    await linked.bench.db.write(lambda tx: sibling_rows.set_position(tx, 2))
    await below_one_aspect(linked)
    facts = SiblingFacts(services=linked.capture, seconds=lambda: 0.0, pause=_at_once)
    await facts.sweep()
    assert await queued(linked) == [ALL]
    await work(linked.bench, COMPARE_FACTS, facts)
    assert (await statuses(linked))[REDIS] == "replaced"
