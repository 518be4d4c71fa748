"""entity_resolution: a new entity under another name is merged or asked about, never wrongly."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from fakes.completions import ScriptedCompletion, model_calls
from fakes.embedder import MoodyEmbedder
from fakes.graph import lease, linked_store, query, remember, work
from fakes.store import Bench
from intaglio.graph import entity_rows
from intaglio.graph.background.resolution import EntityResolver, numbers_in
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.by_model.disambiguation import Disambiguation
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.entity_edits import EntityEdits
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.job_types import RESOLVE, queue_resolution
from intaglio.graph.settings import GraphSettings
from intaglio.inbox import operations as inbox
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.inference.name_similarity import NameSimilarity
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor

ON = replace(GraphSettings(), resolve_by_embedding=True)
ME = Audit(Actor("me"))
MERGED = "SELECT e.name, r.name FROM entities e JOIN entities r ON r.seq = e.merged_into ORDER BY 1"
ITEMS = "SELECT kind, entity_id, other_entity_id, status FROM inbox_items"


@dataclass
class Similar:
    """Knows how similar names are; others aren't at all."""

    pairs: Mapping[frozenset[str], float]
    asked: list[tuple[Sequence[str], Sequence[Sequence[str]]]] = field(
        default_factory=list[tuple[Sequence[str], Sequence[Sequence[str]]]]
    )
    is_able: bool = True

    async def compare(
        self, names: Sequence[str], others: Sequence[Sequence[str]]
    ) -> list[float] | None:
        self.asked.append((names, others))
        if not self.is_able:
            return None
        return [
            max(self.pairs.get(frozenset((one, other)), 0.0) for one in names for other in each)
            for each in others
        ]


def resolver(store: Bench, similar: Similar, settings: GraphSettings = ON) -> EntityResolver:
    return EntityResolver(
        db=store.db,
        context=store.context,
        telemetry=GraphTelemetry(),
        settings=lambda: settings,
        frozen=lambda: store.frozen,
        compare=similar.compare,
    )


def disambiguation(store: Bench, model: ScriptedCompletion) -> Disambiguation:
    model.database = store.db
    return Disambiguation(
        PassServices(
            db=store.db,
            context=store.context,
            telemetry=GraphTelemetry(),
            settings=GraphSettings,
            calls=model_calls(model),
        )
    )


def alike(one: str, other: str, similarity: float) -> Similar:
    return Similar({frozenset((one, other)): similarity})


async def name(store: Bench, *names: str) -> None:
    """Keep a memory that names each of these services."""
    for each in names:
        await remember(store, f"Deploys of `{each}` happen on Mondays")


async def ids(store: Bench) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in await query(store, "SELECT name, id FROM entities")}


async def test_a_name_met_first_in_code_is_compared_once_another_memory_names_it(
    tmp_path: Path,
) -> None:
    async with linked_store(tmp_path, ON) as store:
        await remember(store, "it fails in `frobnicate`")
        assert await query(store, "SELECT 1 FROM jobs WHERE type = 'entity_resolution'") == []
        await remember(store, "Nobody understands `frobnicate` any more")
        [(name_,)] = await query(
            store,
            "SELECT e.name FROM jobs j JOIN entities e ON e.seq = j.subject "
            "WHERE j.type = 'entity_resolution'",
        )
        assert name_ == "frobnicate"


async def test_a_very_similar_name_is_merged_and_the_merge_can_be_undone(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        similar = alike("billing-api", "billing-service", 0.9)
        runner = resolver(store, similar)
        await work(store, RESOLVE, runner)
        assert await query(store, MERGED) == [("billing-service", "billing-api")]
        assert runner.telemetry.merged == 1
        assert await query(store, ITEMS) == []
        [(change, by)] = await query(store, "SELECT id, changed_by FROM entity_changes")
        assert by == "pipeline"
        edits = EntityEdits(store.db, store.clock, store.context.new_id, lambda: False)
        assert isinstance(await edits.undo(str(change), ME), EntityEdited)
        assert await query(store, MERGED) == []
        # What the user took apart stays apart, and isn't asked about.
        for row in await query(store, "SELECT seq FROM entities"):
            queue = partial(queue_resolution, entity=int(str(row[0])), at=store.context.now)
            await store.db.write(queue)
        await work(store, RESOLVE, resolver(store, similar))
        assert await query(store, MERGED) == []
        assert await query(store, ITEMS) == []


async def test_a_similar_name_is_offered_once(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        similar = alike("billing-api", "billing-service", 0.75)
        await work(store, RESOLVE, resolver(store, similar))
        known = await ids(store)
        [(kind, one, other, status)] = await query(store, ITEMS)
        assert (kind, status) == ("possible_merge", "open")
        assert {one, other} == {known["billing-api"], known["billing-service"]}
        assert await query(store, MERGED) == []


def names(reply: str) -> Callable[[CompletionRequest], str]:
    return lambda _: reply


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ('{"same": "same", "confidence": 0.9, "why": "abbreviation"}', ["One name is an abbr"]),
        ('{"same": "same", "confidence": 0.9, "why": "Buy now!"}', ["What is said about bot"]),
        ('{"same": "unsure", "confidence": 0.9}', []),
        ('{"same": "different", "confidence": 0.4, "why": "other"}', []),
        ("no idea", []),
    ],
)
async def test_a_models_reason_is_told_with_the_question(
    tmp_path: Path, reply: str, asked: list[str]
) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        model = ScriptedCompletion(names(reply))
        asking = replace(
            resolver(store, alike("billing-api", "billing-service", 0.75)),
            ask=disambiguation(store, model).compare,
        )
        await work(store, RESOLVE, asking)
        assert len(await query(store, ITEMS)) == 1
        assert await query(store, MERGED) == []
        reasons = await query(store, "SELECT sentence, harness FROM inbox_evidence")
        assert len(reasons) == len(asked)
        assert all(asked[0] in str(row[0]) and row[1] == "model" for row in reasons)


async def test_what_a_model_surely_keeps_apart_is_not_asked(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")

        async def meanwhile(request: CompletionRequest) -> str:
            # Were this inside a write transaction, it would never return.
            await remember(store, f"Lunch {len(model.asked)} is at noon")
            assert "Deploys of" in request.user
            return '{"same": "different", "confidence": 0.9, "why": "other"}'

        model = ScriptedCompletion(meanwhile)
        asking = replace(
            resolver(store, alike("billing-api", "billing-service", 0.75)),
            ask=disambiguation(store, model).compare,
        )
        await work(store, RESOLVE, asking)
        assert await query(store, ITEMS) == []


async def test_no_model_is_asked_about_very_similar_names(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        model = ScriptedCompletion(names("{}"))
        asking = replace(
            resolver(store, alike("billing-api", "billing-service", 0.9)),
            ask=disambiguation(store, model).compare,
        )
        await work(store, RESOLVE, asking)
        assert len(await query(store, MERGED)) == 1
        assert model.asked == []


async def test_entities_kept_apart_in_the_inbox_are_not_merged(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        await work(store, RESOLVE, resolver(store, alike("billing-api", "billing-service", 0.75)))
        [(item,)] = await query(store, "SELECT id FROM inbox_items")
        await store.db.write(lambda tx: inbox.close(tx, str(item), "keep_apart", store.context))
        await store.db.write(lambda tx: queue_resolution(tx, 1, store.context.now))
        await work(store, RESOLVE, resolver(store, alike("billing-api", "billing-service", 0.95)))
        assert await query(store, MERGED) == []


async def test_another_name_is_another_entity(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "ledger-core")
        await work(store, RESOLVE, resolver(store, alike("billing-api", "ledger-core", 0.69)))
        assert await query(store, ITEMS) == []
        assert await query(store, MERGED) == []


@pytest.mark.parametrize(("one", "other"), [("ledger-v1", "ledger-v2"), ("node-18", "node-20")])
async def test_a_version_is_not_another_name(tmp_path: Path, one: str, other: str) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, one, other)
        await work(store, RESOLVE, resolver(store, alike(one, other, 0.99)))
        assert await query(store, MERGED) == []
        assert await query(store, ITEMS) == []


async def test_pinned_entities_are_offered_instead_of_merged(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api")
        seq = (await query(store, "SELECT seq FROM entities WHERE name = 'billing-api'"))[0][0]
        await store.db.write(
            lambda tx: change_rows.set_pinned(tx, int(str(seq)), None, store.context.now)
        )
        await name(store, "billing-service")
        await work(store, RESOLVE, resolver(store, alike("billing-api", "billing-service", 0.95)))
        assert await query(store, MERGED) == []
        assert len(await query(store, ITEMS)) == 1


async def test_entities_of_other_projects_and_types_are_not_compared(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await remember(store, "Deploys of `billing-api` happen on Mondays", project="/home/me/one")
        await remember(
            store, "Deploys of `billing-service` happen on Mondays", project="/home/me/two"
        )
        await work(store, RESOLVE, resolver(store, alike("billing-api", "billing-service", 0.99)))
        assert await query(store, MERGED) == []


async def test_without_a_model_only_equal_names_are_one(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        similar = replace(alike("billing-api", "billing-service", 0.9), is_able=False)
        await work(store, RESOLVE, resolver(store, similar))
        assert await query(store, MERGED) == []
        assert await query(store, "SELECT 1 FROM jobs WHERE type = 'entity_resolution'") == []


async def test_nothing_is_queued_unless_it_is_switched_on(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await name(store, "billing-api")
        assert await query(store, "SELECT 1 FROM jobs WHERE type = 'entity_resolution'") == []


async def test_switching_it_off_meanwhile_stops_comparing(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")
        similar = alike("billing-api", "billing-service", 0.9)
        await work(store, RESOLVE, resolver(store, similar, GraphSettings()))
        assert similar.asked == []


async def test_entities_changed_meanwhile_are_not_merged(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        await name(store, "billing-api", "billing-service")

        class Meanwhile(Similar):
            async def compare(
                self, names: Sequence[str], others: Sequence[Sequence[str]]
            ) -> list[float] | None:
                # Were this inside a write transaction, it would never return.
                await store.db.write(
                    lambda tx: entity_rows.set_name(
                        tx, 1, "clearing", "clearing", store.context.now
                    )
                )
                return await super().compare(names, others)

        pairs = {frozenset[str](("billing-api", "billing-service")): 0.9}
        [(seq,)] = await query(store, "SELECT seq FROM entities WHERE name = 'billing-api'")
        assert seq == 1
        await resolver(store, Meanwhile(pairs)).run(await lease(store, RESOLVE))
        assert await query(store, MERGED) == []


async def test_while_changes_are_disabled_jobs_wait(tmp_path: Path) -> None:
    async with linked_store(tmp_path, ON) as store:
        runner = resolver(store, Similar({}))
        store.frozen = True
        assert runner.capacity == 0


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("PostgreSQL 16", {"16"}),
        ("v2-api", {"2"}),
        ("k8s", set[str]()),
        ("python3.11", {"3.11"}),
        ("i18n", set[str]()),
        ("billing-api", set[str]()),
    ],
)
def test_numbers_of_names_are_versions(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


async def test_vectors_of_names_are_kept_and_a_failing_model_is_no_answer() -> None:
    embedder = MoodyEmbedder()
    similarity = NameSimilarity(lambda: embedder)
    first = await similarity.compare(["a"], [["a"], ["b", "c"]])
    assert first is not None
    assert first[0] == pytest.approx(1.0, abs=1e-3)
    asked = len(embedder.asked)
    assert await similarity.compare(["a"], [["c"]]) is not None
    assert len(embedder.asked) == asked
    embedder.mood = "down"
    assert await similarity.compare(["a"], [["d"]]) is None
    embedder.mood = "well"
    assert await similarity.compare(["a"], [["d"]]) is not None
