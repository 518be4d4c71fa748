"""Facts of the labelled set have a place in the graph: an entity, an aspect, one attribute each."""

import json
from pathlib import Path

from bench.entities.scoring import SETS
from fakes.graph import linked_store, query, remember, work
from intaglio.domain.reader import USER
from intaglio.graph import stats_rows
from intaglio.graph.background.classification import AspectClassifier
from intaglio.graph.background.dependency_search import DependencySearch
from intaglio.graph.background.rows import assigned_facts
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.job_types import CLASSIFY, DEPENDENCIES
from intaglio.graph.link_memory import NOT_FACTS
from intaglio.jobs.job_type import OneByOne

SAMPLE = 120
LEAST = 0.9
PLACED = (
    "SELECT count(*) FROM entity_attributes WHERE is_primary = 1 AND aspect IS NOT NULL "
    "AND status = 'active'"
)
SEVERAL = (
    "SELECT memory FROM entity_attributes WHERE is_primary = 1 GROUP BY memory HAVING count(*) > 1"
)


async def test_nine_of_ten_facts_have_an_entity_and_an_aspect(tmp_path: Path) -> None:
    sentences = json.loads((SETS / "train.json").read_text(encoding="utf-8"))[:SAMPLE]
    async with linked_store(tmp_path) as store:
        for each in sentences:
            place = f"/home/me/{each['project']}" if each["project"] else None
            await remember(store, each["text"], type=each["type"], project=place)
        telemetry = GraphTelemetry()
        classifier = AspectClassifier(db=store.db, context=store.context, telemetry=telemetry)
        search = DependencySearch(db=store.db, context=store.context, telemetry=telemetry)
        await work(store, CLASSIFY, OneByOne(classifier.run))
        await work(store, DEPENDENCIES, search)
        counted = await store.db.read(lambda tx: stats_rows.stats(tx, USER, sorted(NOT_FACTS)))
        [(placed,)] = await query(store, PLACED)
        assert counted.assigned >= LEAST * counted.facts
        assert int(str(placed)) >= LEAST * counted.facts
        assert counted.unclassified == 0
        assert await query(store, SEVERAL) == []
        assert await query(store, "SELECT * FROM jobs WHERE type LIKE 'structural%'") == []
        # Most facts are about what they name, and the counts agree.
        facts = await store.db.read(lambda tx: assigned_facts(tx, USER, "you"))
        assert facts.all == counted.assigned
        assert facts.by_linker + facts.by_classifier + facts.by_user == placed
        assert facts.all - facts.project - facts.user > facts.all / 2
        assert telemetry.dependencies > 0
