"""How fast memories are read by a model that answers at once, or after a while."""

import argparse
import asyncio
import contextlib
import re
import resource
import tempfile
from pathlib import Path

from bench.corpus import Corpus
from fakes.extraction import Pipeline, asked_facts, decided, decision, extracted, fact
from fakes.store import bench
from intaglio.base.clock import monotonic_s
from intaglio.daemon.job_worker import JobWorker
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobTypes
from intaglio.memory.values import Actor
from intaglio.pipeline.extraction.job_type import EXTRACT
from intaglio.pipeline.ingest import Remember, prepare, write
from intaglio.store.tx import WriteTx

_AT_ONCE = 50


def _read(request: CompletionRequest) -> str:
    """State each sentence of a note as a fact."""
    text = request.user.removeprefix("<note>\n").removesuffix("\n</note>")
    sentences = [each for each in re.split(r"(?<=\.) ", text) if len(each) > 20]
    return extracted(*(fact(each) for each in sentences))


def _decide(request: CompletionRequest) -> str:
    return decided(*(decision(each["fact"], "add") for each in asked_facts(request)))


async def _remember(one: Pipeline, corpus: Corpus, count: int) -> None:
    context = one.store.context

    def save(tx: WriteTx, first: int) -> None:
        for number in range(first, min(first + _AT_ONCE, count)):
            text = f"{corpus.memory()}. {corpus.memory()}, as of day {number}."
            command = Remember(content=text, actor=Actor("bench"), who="user", project="/work/shop")
            write(tx, prepare(command, context)[0], command, context)

    for first in range(0, count, _AT_ONCE):
        await one.store.db.write(lambda tx, first=first: save(tx, first))  # type: ignore[misc, arg-type]  # the default is typed


async def _bench(folder: Path, count: int, model_ms: float) -> None:
    async with bench(folder) as store:
        one = Pipeline(store, UnavailableEmbedder("none", "", ""))

        async def answer(request: CompletionRequest) -> str:
            await asyncio.sleep(model_ms / 1_000)
            return _read(request) if request.schema_name == "extract_facts" else _decide(request)

        one.model.answer = answer
        await _remember(one, Corpus(), count)
        worker = JobWorker(
            db=store.db,
            types=JobTypes.of([EXTRACT.run_by(one.jobs)]),
            context=store.context,
            random=lambda: 0.0,
        )
        started, used = monotonic_s(), resource.getrusage(resource.RUSAGE_SELF)
        task = asyncio.create_task(worker.run())
        while await store.db.read(  # noqa: ASYNC110 - what is waited for sets no event
            lambda tx: jobs.count_open(tx, EXTRACT.name)
        ):
            await asyncio.sleep(0.1)
        seconds, after = monotonic_s() - started, resource.getrusage(resource.RUSAGE_SELF)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        made = await store.db.read(lambda tx: tx.count("SELECT count(*) FROM derived_facts"))
        calls = len(one.model.asked)
        print(
            f"{count:,} jobs, {calls:,} calls of {model_ms:g} ms, {made:,} facts: "
            f"{count / seconds:,.0f} jobs/s, {cpu / count * 1_000:.1f} ms of CPU a job"
        )


def main(arguments: list[str]) -> None:
    """Print how fast queued memories are read."""
    parser = argparse.ArgumentParser(prog="python3 app bench extraction")
    parser.add_argument("--jobs", type=int, default=1_000)
    parser.add_argument("--model-ms", type=float, default=20.0, help="how long the model takes")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_bench(Path(folder), options.jobs, options.model_ms))
