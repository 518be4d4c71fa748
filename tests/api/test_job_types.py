"""A job type declared in one module is enough: it is done, listed, retried and purged."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from fakes.api import Api, running_api
from fakes.waiting import until
from intaglio.base.clock import iso
from intaglio.daemon.job_worker import JobWorker
from intaglio.jobs import rows
from intaglio.jobs.job_type import Job, JobType, OneByOne
from intaglio.kernel import Kernel
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepReport
from intaglio.package import Package, Part


class Greeting(Struct):
    words: str


GREET = JobType(
    name="greet",
    label="Greetings that are sent",
    payload=Greeting,
    attempts=1,
    retention=timedelta(seconds=0),
)


@dataclass
class Greeter:
    """Sends greetings while it can."""

    kernel: Kernel
    is_able: bool = True
    sent: list[str] = field(default_factory=list[str])
    retried: int = 0

    async def greet(self, job: Job) -> None:
        if not self.is_able:
            raise ConnectionError("nobody is there")
        self.sent.append(job.payload_as(Greeting).words)
        await self.kernel.database.write(
            lambda tx: rows.complete(tx, job, self.kernel.change_context.now)
        )

    async def able_again(self) -> None:
        self.retried += 1
        self.is_able = True


def part(kernel: Kernel) -> Part:
    greeter = Greeter(kernel)
    runner = OneByOne(greeter.greet)
    return Part(
        services=(greeter,),
        job_types=(GREET.run_by(runner, greeter.able_again),),
    )


@asynccontextmanager
async def greeting(home: Path) -> AsyncGenerator[tuple[Api, Greeter]]:
    async with running_api(home, Package(name="greetings", make=part)) as api:
        task = asyncio.create_task(api.kernel.get(JobWorker).run())
        try:
            yield api, api.kernel.get(Greeter)
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def enqueue(api: Api, subject: str, words: str) -> None:
    at = api.kernel.change_context.now
    await api.kernel.database.write(
        lambda tx: rows.enqueue(tx, GREET, subject, at, Greeting(words))
    )


async def jobs(api: Api, status: str) -> dict[str, Any]:
    """Wait until there is a job of the type in this state, and return the list of those."""
    found: dict[str, Any] = {}

    async def look() -> bool:
        reply = await api.client.get("/api/jobs", params={"type": GREET.name, "status": status})
        assert reply.status_code == 200, reply.text
        found.update(reply.json())
        return bool(found["jobs"])

    await until(look, f"a job that is {status}")
    return found


async def test_a_job_runs_with_its_payload_and_shows_its_label(tmp_path: Path) -> None:
    async with greeting(tmp_path) as (api, greeter):
        await enqueue(api, "ann", "Good day, Ann")
        found = await jobs(api, "completed")
        assert greeter.sent == ["Good day, Ann"]
        (job,) = found["jobs"]
        assert (job["type"], job["label"], job["subject"]) == (GREET.name, GREET.label, "ann")
        assert (job["memory_id"], job["title"]) == (None, None)
        assert found["counts"] == [
            {"type": GREET.name, "label": GREET.label, "status": "completed", "count": 1}
        ]


async def test_a_given_up_job_is_retried_once_its_runner_has_looked_again(tmp_path: Path) -> None:
    async with greeting(tmp_path) as (api, greeter):
        greeter.is_able = False
        await enqueue(api, "ann", "Good day, Ann")
        (dead,) = (await jobs(api, "dead"))["jobs"]
        assert (dead["attempts"], dead["max_attempts"]) == (1, 1)
        assert "nobody is there" in dead["error"]
        reply = await api.client.post("/api/jobs/retry", json={"type": GREET.name})
        assert reply.json()["affected"] == 1
        assert greeter.retried == 1


async def test_done_jobs_are_removed_after_their_types_retention(tmp_path: Path) -> None:
    async with greeting(tmp_path) as (api, _):
        await enqueue(api, "ann", "Good day, Ann")
        await jobs(api, "completed")
        # The general window is of weeks.
        before = iso(api.kernel.clock())
        await until(lambda: iso(api.kernel.clock()) > before, "a later moment")
        swept = await api.kernel.get(RetentionSweep).sweep("asked")
        assert isinstance(swept, SweepReport)
        assert {step.name: step.removed for step in swept.steps}["completed_jobs"] == 1


async def test_an_undeclared_job_type_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    async with greeting(tmp_path) as (api, _):
        reply = await api.client.get("/api/jobs", params={"type": "nonsense"})
        assert reply.status_code == 400
        assert reply.json()["error"].startswith("type must be one of ")
        assert GREET.name in reply.json()["error"]
