"""The job that computes layouts, and what is known of the runs that are going on."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, cast

from msgspec import Struct

from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobType
from intaglio.projection.values import Dimensions, MapScope, Run, RunFailure, RunPhase
from intaglio.store.tx import ReadTx, WriteTx


class WantedLayouts(Struct):
    """The dimensions of the layouts that a run was asked for."""

    dimensions: list[int]


# Longer than a run may take; a run that was cut short is released at the next start.
LAY_OUT: Final = JobType(
    name="lay_out_map",
    label="Maps of memories",
    payload=WantedLayouts,
    lease=timedelta(hours=3),
)


def in_order(dimensions: Iterable[int]) -> tuple[Dimensions, ...]:
    """Return dimensions in ascending order, without repetitions."""
    return cast("tuple[Dimensions, ...]", tuple(sorted({*dimensions} & {2, 3})))


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run in the queue; ``is_leased`` if it has been taken from there."""

    dimensions: tuple[Dimensions, ...]
    is_leased: bool


def queued(tx: ReadTx, scope: MapScope) -> QueuedRun | None:
    """Return the run of a scope that is in the queue."""
    found = jobs.open_job(tx, LAY_OUT, scope.key)
    if found is None:
        return None
    wanted = found.payload.dimensions if isinstance(found.payload, WantedLayouts) else ()
    return QueuedRun(in_order(wanted), found.is_leased)


def queue(tx: WriteTx, scope: MapScope, dimensions: Iterable[int], at: str) -> None:
    """Queue a run; one that waits is asked for these dimensions too."""
    waiting = queued(tx, scope)
    wanted = {*dimensions, *(waiting.dimensions if waiting else ())}
    jobs.drop_pending(tx, LAY_OUT, scope.key)
    jobs.enqueue(tx, LAY_OUT, scope.key, at, WantedLayouts(sorted(wanted)))


@dataclass(slots=True, kw_only=True)
class CurrentRun:
    """A run that is going on; ``more`` are dimensions that were asked for meanwhile.

    ``ended`` is set once its job has left the queue.
    """

    task: asyncio.Task[RunFailure | None] | None = None
    dimensions: tuple[Dimensions, ...]
    started_at: str
    phase: RunPhase = "reading"
    fraction: float = 0.0
    more: set[Dimensions] = field(default_factory=set[Dimensions])
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def state(self) -> Run:
        """Return the run as others see it."""
        return Run(
            phase=self.phase,
            fraction=self.fraction,
            dimensions=self.dimensions,
            started_at=self.started_at,
        )


@dataclass(frozen=True, slots=True)
class CurrentRuns:
    """The runs that are going on in this process, by scope; only on the event loop's thread.

    Those in ``cancelled`` have left the queue and haven't begun.
    """

    by_scope: dict[MapScope, CurrentRun] = field(default_factory=dict[MapScope, CurrentRun])
    cancelled: set[MapScope] = field(default_factory=set[MapScope])
