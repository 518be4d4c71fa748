"""``bench linker``: what linking adds to remembering a memory, in CPU ms of the writing thread.

The same memories are written into a store with many entities, by turns with and without the linker.
"""

import argparse
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.corpus import Corpus
from bench.figures import percentile
from fakes.store import lay_down
from intaglio.base.clock import system_clock
from intaglio.base.ids import uuid7_source
from intaglio.graph.link_memory import follow_memory
from intaglio.memory.operations import Audit, ChangeContext, MemorySteps, insert
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, prepare
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

_ENTITY: Final = (
    "INSERT INTO entities(id, agent_id, project, name, canonical_name, entity_type, origin, "
    "mentions, created_at, updated_at) "
    "VALUES (?1, 'default', 'shop', ?2, ?2, 'service', 'linker', 1, '', '')"
)
_ALIAS: Final = (
    "INSERT INTO entity_aliases(entity, alias, canonical, origin, created_at) "
    "VALUES (?1, ?2, ?2, 'user', '')"
)
_ACTOR: Final = Actor("bench")


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="bench linker", description=__doc__)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=3_000)
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "linker.db"
        lay_down(path)
        connection = open_writer(path)
        try:
            _measure(WriteTx(connection), options.entities, options.memories)
        finally:
            connection.close()


def _measure(tx: WriteTx, entities: int, count: int) -> None:
    new_id = uuid7_source(system_clock)
    tx.execute("BEGIN")
    for number in range(entities):
        name = f"part {number} of the store"
        tx.execute(_ENTITY, (new_id(), name))
        tx.execute(_ALIAS, (tx.last_row(), name))
    plain = ChangeContext(system_clock, new_id)
    linking = ChangeContext(system_clock, new_id, MemorySteps(listeners=(follow_memory,)))
    spent: dict[bool, list[float]] = {True: [], False: []}
    texts = [str(body["content"]) for body in Corpus().memories(count)]
    for number, text in enumerate(texts):
        linked = number % 2 == 0
        context = linking if linked else plain
        memory, _ = prepare(Remember(content=text, actor=_ACTOR, project="shop"), context)
        began = time.thread_time_ns()
        insert(tx, memory, Audit(_ACTOR), context)
        spent[linked].append((time.thread_time_ns() - began) / 1e6)
    words = statistics.mean(len(text.split()) for text in texts)
    print(f"{entities:,} entities, {count:,} memories of {words:.0f} words; CPU ms a memory")
    for name, linked in (("without the linker", False), ("with the linker", True)):
        times = spent[linked]
        print(
            f"  {name:<20}p50 {percentile(times, 0.5):.2f}  p95 {percentile(times, 0.95):.2f}  "
            f"mean {statistics.mean(times):.2f}"
        )
    added = statistics.mean(spent[True]) - statistics.mean(spent[False])
    print(f"  the linker adds     {added:.2f}")
