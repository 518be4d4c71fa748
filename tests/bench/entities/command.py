"""How well entities are linked, through the HTTP API: B-cubed figures on the labelled sets.

Each set is remembered in order in a daemon of its own, without embeddings; then all entities, their
mentions and the facts about them are read.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from bench.entities.scoring import (
    EntityScores,
    FoundName,
    Placement,
    Sentence,
    load,
    score,
    score_placements,
)
from bench.figures import cpu_ms
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller
from fakes.daemon import running_daemon

_PAGE = 200
_AGENT = "agent"
USER_NAME = "You"

Row = Mapping[str, Any]


@dataclass(slots=True)
class ReadGraph:
    """The names and the primary facts of each memory, and the entities, by id."""

    names: dict[str, list[FoundName]] = field(default_factory=dict[str, list[FoundName]])
    placements: dict[str, Placement] = field(default_factory=dict[str, Placement])
    entities: dict[str, Row] = field(default_factory=dict[str, Row])


def main(arguments: list[str]) -> None:
    """Measure the sets that are named, or all."""
    parser = argparse.ArgumentParser(prog="bench entities", description=__doc__)
    parser.add_argument("sets", nargs="*", default=["train", "second", "third", "held", "unseen"])
    for name in parser.parse_args(arguments).sets:
        print(f"\n{name}")
        print("\n".join(measure(load(name)).lines()))


def measure(sentences: Sequence[Sentence]) -> EntityScores:
    """Return the figures of a set, which a daemon of its own links."""
    with temporary_home() as home:
        switch_embedding(home, on=False)
        with running_daemon(home) as daemon:
            caller = Caller(daemon.port)
            before = cpu_ms(daemon.process.pid)
            memories = [remember(caller, sentence) for sentence in sentences]
            spent = cpu_ms(daemon.process.pid) - before
            graph = read_graph(caller)
    print(f"CPU ms a memory: {spent / max(1, len(sentences)):.2f}")
    scores = score(sentences, [graph.names.get(memory, []) for memory in memories])
    placements = [graph.placements.get(memory) for memory in memories]
    score_placements(
        scores, sentences, [graph.names.get(each, []) for each in memories], placements
    )
    return scores


def remember(caller: Caller, sentence: Sentence) -> str:
    """Remember a sentence and return the memory's id."""
    body: dict[str, object] = {
        "content": sentence["text"],
        "type": sentence["type"],
        "who": "user" if sentence["who"] == "user" else "bench",
    }
    if sentence["who"] != "user":
        body |= {"sourceType": _AGENT}
    if sentence["project"] is not None:
        body |= {"project": sentence["project"]}
    answer: Row = json.loads(caller.post("/api/memory/remember", body))
    return str(answer["id"])


def read_graph(caller: Caller) -> ReadGraph:
    """Read all entities with their mentions and facts."""
    graph = ReadGraph()
    for item in pages(caller, "/api/knowledge/entities"):
        entity: Row = item["entity"]
        graph.entities[entity["id"]] = entity
        path = f"/api/knowledge/entities/{entity['id']}"
        for row in cursors(caller, f"{path}/mentions"):
            name = FoundName(row["start"], row["end"], entity["id"], entity["entityType"])
            graph.names.setdefault(row["memoryId"], []).append(name)
        for row in cursors(caller, f"{path}/memories"):
            if row["kind"] is not None:
                graph.placements[row["id"]] = Placement(entity["id"], row["kind"], own_key(entity))
    return graph


def own_key(entity: Row) -> str | None:
    """Return the key that the labelled sets have for a project itself and for the user."""
    if entity["entityType"] == "project" and entity["name"] == entity["project"]:
        return f"project:{entity['project']}"
    return "user" if entity["name"] == USER_NAME else None


def pages(caller: Caller, path: str) -> Iterator[Row]:
    """Yield the rows of all pages."""
    offset = 0
    while True:
        query = urlencode({"limit": _PAGE, "offset": offset})
        items: list[Row] = json.loads(caller.get(f"{path}?{query}"))["items"]
        yield from items
        if len(items) < _PAGE:
            return
        offset += _PAGE


def cursors(caller: Caller, path: str) -> Iterator[Row]:
    """Yield the rows of all pages that a cursor leads to."""
    cursor: str | None = None
    while True:
        query = urlencode({"limit": _PAGE} | ({"cursor": cursor} if cursor else {}))
        page: Row = json.loads(caller.get(f"{path}?{query}"))
        yield from page["items"]
        cursor = page["cursor"]
        if cursor is None:
            return
