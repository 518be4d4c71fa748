"""``bench structure``: how many facts have a place in the graph, by rules and with a model.

The model is scripted: it sorts each fact below the first usual aspect of its entity and reads no
dependency, so that the figures show what is asked of a model, not how well one answers. Facts come
from the labelled sets of entities, and from a file of notes, one JSON object a line.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.entities.scoring import load
from fakes.completions import ScriptedCompletion, model_calls
from fakes.graph import ACTOR, linked_store, query, work
from fakes.store import Bench
from intaglio.base.bus import EventBus
from intaglio.domain.memory_types import GIVEN_TYPES
from intaglio.domain.reader import USER
from intaglio.graph import stats_rows
from intaglio.graph.background.classification import AspectClassifier
from intaglio.graph.background.dependency_search import DependencySearch
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.by_model.passes import ModelPasses
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.job_types import CLASSIFY, DEPENDENCIES
from intaglio.graph.link_memory import NOT_FACTS
from intaglio.graph.settings import GraphSettings
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.jobs.job_type import OneByOne
from intaglio.memory.values import Source
from intaglio.pipeline.ingest import Remember

_SETS: Final = ("train", "second", "third", "held", "unseen")
_PLACED: Final = (
    "FROM entity_attributes t LEFT JOIN entity_aspects s ON s.seq = t.aspect "
    "WHERE t.is_primary = 1 AND t.status = 'active'"
)
_READ: Final = (
    "EXISTS (SELECT 1 FROM attribute_readings r WHERE r.attribute = t.seq "
    "AND r.stage = 'structural_classify' AND {})"
)


@dataclass(frozen=True, slots=True)
class FactToPlace:
    """A memory to remember: its text, its type and project, and who said it."""

    text: str
    type: str
    project: str | None
    by_agent: bool = False


def main(arguments: list[str]) -> None:
    """Print the figures of each set."""
    parser = argparse.ArgumentParser(prog="bench structure", description=__doc__)
    parser.add_argument("--notes", type=Path, help="a file of notes, one JSON object a line")
    options = parser.parse_args(arguments)
    chosen: dict[str, list[FactToPlace]] = {"labelled sets": list(_labelled())}
    if options.notes is not None:
        chosen["notes"] = list(_notes(options.notes))
    for name, facts in chosen.items():
        print(f"\n{name}: {len(facts)} memories")
        asyncio.run(_measure(facts))


def _labelled() -> Iterator[FactToPlace]:
    for name in _SETS:
        for each in load(name):
            project = f"/srv/{name}/{each['project']}" if each["project"] else None
            yield FactToPlace(each["text"], each["type"], project)


def _notes(path: Path) -> Iterator[FactToPlace]:
    for line in path.read_text(encoding="utf-8").splitlines():
        note: Mapping[str, Any] = json.loads(line)
        place = f"/srv/{note['session']}"
        yield FactToPlace(note["note"], note["type"], place, by_agent=note["source"] == "agent")


async def _measure(facts: Sequence[FactToPlace]) -> None:
    with TemporaryDirectory() as folder:
        async with linked_store(Path(folder)) as store:
            for each in facts:
                source = Source("agent") if each.by_agent else Source()
                command = Remember(
                    content=each.text,
                    actor=ACTOR,
                    type=each.type if each.type in GIVEN_TYPES else "fact",
                    project=each.project,
                    source=source,
                )
                await store.ingest.remember(command)
            model = ScriptedCompletion(_answer)
            services = PassServices(
                db=store.db,
                context=store.context,
                telemetry=GraphTelemetry(),
                settings=GraphSettings,
                calls=model_calls(model),
            )
            began = time.perf_counter()
            await _by_rules(store, services)
            print(f"rules: {(time.perf_counter() - began) * 1_000:.0f} ms for all background jobs")
            await _print_places(store)
            began = time.perf_counter()
            await _by_model(store, services)
            seconds = time.perf_counter() - began
            kinds = [request.schema_name for request in model.asked]
            print(
                f"scripted model: {kinds.count('aspects')} calls about aspects, "
                f"{kinds.count('dependencies')} about dependencies, "
                f"{len(kinds) / seconds:.0f} a second"
            )
            await _print_places(store)


async def _by_rules(store: Bench, services: PassServices) -> None:
    telemetry = services.telemetry
    classifier = AspectClassifier(db=store.db, context=store.context, telemetry=telemetry)
    search = DependencySearch(db=store.db, context=store.context, telemetry=telemetry)
    await work(store, CLASSIFY, OneByOne(classifier.run))
    await work(store, DEPENDENCIES, search)


async def _by_model(store: Bench, services: PassServices) -> None:
    passes = ModelPasses(services, EventBus())
    for backlog in passes.backlogs():
        while await backlog.look():
            for type_ in passes.job_types():
                if type_.runner is not None:
                    await work(store, type_, type_.runner)


def _answer(request: CompletionRequest) -> str:
    asked = json.loads(request.user)
    if request.schema_name != "aspects":
        return json.dumps({"facts": []})
    aspect = (asked["usual"] or asked["aspects"] or ["details"])[0]
    facts = [{"i": each["i"], "aspect": aspect, "kind": "attribute"} for each in asked["facts"]]
    return json.dumps({"facts": facts})


async def _print_places(store: Bench) -> None:
    stats = await store.db.read(lambda tx: stats_rows.stats(tx, USER, sorted(NOT_FACTS)))

    async def count(condition: str) -> int:
        [(found,)] = await query(store, f"SELECT count(*) {_PLACED} AND {condition}")
        return int(str(found))

    placed = await count("t.aspect IS NOT NULL")
    by_words = await count("t.origin = 'linker' AND t.aspect IS NOT NULL")
    by_model = await count(_READ.format("r.model IS NOT NULL"))
    guessed = await count(_READ.format("r.model IS NULL AND r.confidence < 0.6"))
    other = await count("s.canonical_name = 'general'")
    [(counted,)] = await query(store, "SELECT count(*) FROM entity_dependencies")
    edges = int(str(counted))
    print(
        f"  {placed} of {stats.facts} facts placed ({placed / max(1, stats.facts):.1%}): "
        f'{by_words} by their words, {guessed} guessed ({other} below "general"), '
        f"{by_model} read by the model; {edges} dependencies"
    )
