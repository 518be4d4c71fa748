"""Processes many items in several short transactions, so that none of them blocks other writes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from intaglio.base.clock import monotonic_s
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

T = TypeVar("T")
R = TypeVar("R")

# Steps that start within this time share a transaction; the commit takes additional time.
TURN_S: Final = 0.015


async def in_batches(
    db: Database, items: Sequence[T], step: Callable[[WriteTx, T], R], turn_s: float = TURN_S
) -> list[R]:
    """Run a step for each item, in order, and return the steps' results.

    Each step is atomic; other writes may run between two of them.
    """

    def work(tx: WriteTx, left: Sequence[T]) -> list[R]:
        ends = monotonic_s() + turn_s
        done: list[R] = []
        for item in left:
            done.append(step(tx, item))
            if monotonic_s() >= ends:
                break
        return done

    results: list[R] = []
    while len(results) < len(items):
        left = items[len(results) :]
        results += await db.write(partial(work, left=left))
    return results
