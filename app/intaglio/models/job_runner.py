"""Runs jobs that ask a language model: they wait while it may not be asked."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.jobs import rows
from intaglio.jobs.job_type import Job
from intaglio.models.calls import ModelCalls
from intaglio.models.prompt import ModelRole
from intaglio.models.values import CallFailed, MustWait, NoAnswer
from intaglio.store.database import Database

RunModelJob: TypeAlias = Callable[[Job], Awaitable[NoAnswer | None]]
"""Finishes a job in its own transaction and returns None, or says why the model didn't answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJobs:
    """Runs the jobs of a stage; without a model to ask they stay in the queue, none is lost.

    At most ``at_once`` jobs are leased together and run concurrently.
    """

    db: Database
    calls: ModelCalls
    clock: Clock
    role: ModelRole
    stage: str
    work: RunModelJob
    at_once: int = 1

    @property
    def capacity(self) -> int:
        """How many jobs may run together; 0 while the model may not be asked."""
        return 0 if self.rest_s > 0 else self.at_once

    @property
    def rest_s(self) -> float:
        """In how many seconds the model may be asked again."""
        return self.calls.rest_s(self.role, self.stage)

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Run the jobs; one that must wait returns to the queue, without counting as failed.

        Raises UnavailableError for a failed call once the others are done.
        """
        outcomes = await asyncio.gather(*map(self.work, jobs), return_exceptions=True)
        waiting = [
            (job, each)
            for job, each in zip(jobs, outcomes, strict=True)
            if isinstance(each, MustWait)
        ]
        if waiting:
            await self.db.write(
                lambda tx: [
                    rows.release(tx, job, iso(self.clock() + timedelta(seconds=each.wait_s)))
                    for job, each in waiting
                ]
            )
        for each in outcomes:
            if isinstance(each, CallFailed):
                raise UnavailableError(each.detail)
            if isinstance(each, BaseException):
                raise each
        return outcomes.count(None)
