"""structural_classify: facts without an aspect get one, once, and nothing else is touched."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fakes.graph import ACTOR, lease, linked_store, query, remember, work
from fakes.store import Bench
from intaglio.graph.background.classification import (
    FACTS_PER_RUN,
    AspectClassifier,
    AssignAspects,
    AssignedAspect,
    EntityFacts,
    NothingAssignedError,
    by_rules,
)
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.job_types import CLASSIFY, queue_classification
from intaglio.jobs.job_type import OneByOne
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change
from intaglio.store.tx import WriteTx

WHY = Audit(ACTOR)


async def all_tooling(found: EntityFacts) -> list[AssignedAspect]:
    return [AssignedAspect(fact, "Tooling", 0.9) for fact in found.facts]


def classifier(store: Bench, assign: AssignAspects = all_tooling) -> AspectClassifier:
    return AspectClassifier(
        db=store.db, context=store.context, telemetry=GraphTelemetry(), assign=assign
    )


async def keep_waiting(store: Bench, count: int) -> list[str]:
    """Keep facts about the user, whose aspect nobody knows yet."""
    ids = [await remember(store, f"I keep number {number} in mind") for number in range(count)]

    def unclassify(tx: WriteTx) -> None:
        [entity] = tx.column(int, "SELECT DISTINCT entity FROM entity_attributes")
        tx.execute("UPDATE entity_attributes SET aspect = NULL")
        queue_classification(tx, entity, store.context.now)

    await store.db.write(unclassify)
    return ids


PLACES = (
    "SELECT m.id, s.name, t.origin FROM entity_attributes t JOIN memories m ON m.seq = t.memory "
    "LEFT JOIN entity_aspects s ON s.seq = t.aspect WHERE t.is_primary = 1 ORDER BY m.seq"
)
OPEN = "SELECT subject FROM jobs WHERE type = 'structural_classify'"


async def test_facts_are_classified_ten_at_a_time_until_none_waits(tmp_path: Path) -> None:
    sizes: list[int] = []

    async def counted(found: EntityFacts) -> list[AssignedAspect]:
        sizes.append(len(found.facts))
        return await all_tooling(found)

    async with linked_store(tmp_path) as store:
        ids = await keep_waiting(store, 23)
        runner = classifier(store, counted)
        await work(store, CLASSIFY, OneByOne(runner.run))
        assert sizes == [FACTS_PER_RUN, FACTS_PER_RUN, 3]
        assert await query(store, PLACES) == [(id_, "Tooling", "classifier") for id_ in ids]
        assert await query(store, "SELECT count(*) FROM entity_aspects WHERE name = 'Tooling'") == [
            (1,)
        ]
        assert await query(store, OPEN) == []
        assert runner.telemetry.classified == 23


async def test_classifying_twice_changes_nothing(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await keep_waiting(store, 3)
        runner = OneByOne(classifier(store).run)
        await work(store, CLASSIFY, runner)
        before = await query(store, "SELECT * FROM entity_attributes")
        [(entity,)] = await query(store, "SELECT DISTINCT entity FROM entity_attributes")
        await store.db.write(
            lambda tx: queue_classification(tx, int(str(entity)), store.context.now)
        )
        assert await work(store, CLASSIFY, runner) == 1
        assert await query(store, "SELECT * FROM entity_attributes") == before


async def test_facts_changed_meanwhile_are_left_alone(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        edited, forgotten, placed, other = await keep_waiting(store, 4)
        changed = False

        async def meanwhile(found: EntityFacts) -> Sequence[AssignedAspect]:
            nonlocal changed
            assigned = await all_tooling(found)
            if not changed:
                changed = True
                # Were this inside a write transaction, these would never return.
                await store.revise.modify(edited, Change(content="I keep the cellar key"), WHY)
                await store.remove.forget(forgotten, WHY)
                await store.db.write(lambda tx: user_places(tx, placed))
            return assigned

        def user_places(tx: WriteTx, memory: str) -> None:
            tx.execute(
                "INSERT INTO entity_aspects(id, entity, agent_id, name, canonical_name, "
                "created_at, updated_at) SELECT 'a', entity, agent_id, 'Mine', 'mine', '', '' "
                "FROM entity_attributes LIMIT 1"
            )
            tx.execute(
                "UPDATE entity_attributes SET origin = 'user', aspect = ("
                "SELECT seq FROM entity_aspects WHERE name = 'Mine') WHERE memory = "
                "(SELECT seq FROM memories WHERE id = ?)",
                (memory,),
            )

        [first] = await lease(store, CLASSIFY)
        await classifier(store, meanwhile).run(first)
        places = {str(row[0]): row[1:] for row in await query(store, PLACES)}
        assert places[other] == ("Tooling", "classifier")
        assert places[placed] == ("Mine", "user")
        assert places[forgotten][0] is None
        assert places[edited][1] == "linker"
        # The edited one is read again, and then done.
        await work(store, CLASSIFY, OneByOne(classifier(store).run))
        places = {str(row[0]): row[1:] for row in await query(store, PLACES)}
        assert places[edited][0] is not None
        assert places[forgotten][0] is None


async def test_a_restored_memory_is_classified(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        [memory] = await keep_waiting(store, 1)
        await store.remove.forget(memory, WHY)
        await work(store, CLASSIFY, OneByOne(classifier(store).run))
        assert (await query(store, PLACES))[0][1] is None
        await store.remove.recover(memory, WHY)
        await work(store, CLASSIFY, OneByOne(classifier(store).run))
        assert (await query(store, PLACES))[0][1] == "Tooling"


async def test_an_entity_that_is_gone_ends_its_job(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await keep_waiting(store, 1)
        await store.db.write(lambda tx: tx.execute("DELETE FROM entities"))
        await work(store, CLASSIFY, OneByOne(classifier(store).run))
        assert await query(store, OPEN) == []
        assert await query(store, "SELECT * FROM entity_aspects") == []


async def test_an_answer_for_no_fact_fails_the_job(tmp_path: Path) -> None:
    async def nothing(_: EntityFacts) -> list[AssignedAspect]:
        return []

    async with linked_store(tmp_path) as store:
        await keep_waiting(store, 1)
        [job] = await lease(store, CLASSIFY)
        with pytest.raises(NothingAssignedError):
            await classifier(store, nothing).run(job)


async def test_an_answer_for_some_facts_leaves_the_rest_for_the_next_run(tmp_path: Path) -> None:
    async def first_only(found: EntityFacts) -> list[AssignedAspect]:
        return (await all_tooling(found))[:1]

    async with linked_store(tmp_path) as store:
        await keep_waiting(store, 3)
        assert await work(store, CLASSIFY, OneByOne(classifier(store, first_only).run)) == 3
        assert all(row[1] == "Tooling" for row in await query(store, PLACES))


async def test_existing_aspects_are_preferred(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await keep_waiting(store, 1)
        rules = classifier(store, by_rules)
        await work(store, CLASSIFY, OneByOne(rules.run))
        assert (await query(store, PLACES))[0][1] is not None
