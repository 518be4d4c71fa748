"""What facets cost by how many combinations of tags there are, counted in this process."""

import os
import random
from collections.abc import Iterator
from functools import partial

from bench.figures import HEAD, Series, row
from intaglio.domain.reader import USER
from intaglio.memory.facet_index.columns import Columns
from intaglio.memory.facet_index.counting import facets
from intaglio.memory.facet_index.values import Chunk, MemoryAttributes
from intaglio.memory.filters import Filter

_CHUNK = 2_000
_TAGS = 2_000
_EACH = 3
_HEAD = MemoryAttributes(
    type="fact",
    agent_id="default",
    visibility="global",
    source_type="manual",
    pinned=False,
    embedded=True,
    critical=False,
    forgotten=False,
)


def _chunks(memories: int, combinations: int) -> Iterator[Chunk]:
    dice = random.Random(1)  # noqa: S311 - the same tags in each run
    names = [f"t{number}" for number in range(_TAGS)]
    tags = [tuple(dice.sample(names, _EACH)) for _ in range(combinations)]
    for first in range(0, memories, _CHUNK):
        seqs = range(first, min(first + _CHUNK, memories))
        count = len(seqs)
        yield Chunk(
            seqs=seqs,
            heads=[_HEAD] * count,
            projects=[f"/p/{seq % 30}" for seq in seqs],
            who=[f"agent-{seq % 5}" for seq in seqs],
            tags=[tags[seq % combinations] for seq in seqs],
            importance=[seq % 10 / 10 for seq in seqs],
        )


def measure_tags(memories: int, runs: int) -> None:
    """Print what a count costs where combinations of tags are few, and where each is its own."""
    wanted = {"": Filter(reader=USER), ", by tag": Filter(reader=USER, tags=("t7",))}
    reference: Series | None = None
    print(f"\n{memories} memories of {_EACH} tags from {_TAGS}, counted in one process\n{HEAD}")
    for combinations in (100, max(memories // 10, 1), memories):
        columns = Columns()
        columns.append(_chunks(memories, combinations))
        for name, each in wanted.items():
            series = Series(f"facets{name}, {combinations} combinations")
            for _ in range(runs):
                series.take(os.getpid(), partial(facets, columns, each, None))
            reference = reference or series
            print(row(series, reference), flush=True)
