"""The job that reads a memory, and when it is queued."""

from datetime import timedelta
from typing import Final

from intaglio.graph.link_memory import NOT_FACTS
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobType
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.values import COMMIT_SOURCE, NOTED_BY_MODEL, Memory
from intaglio.models.choices import choice_of
from intaglio.pipeline.extraction import rows
from intaglio.pipeline.extraction.plan import is_derived
from intaglio.pipeline.settings import PipelineSettings
from intaglio.store.tx import WriteTx

EXTRACT: Final = JobType(
    name="extract",
    label="Facts in memories, read by a language model",
    lease=timedelta(minutes=15),
    concurrency=2,
    about="memory",
)
"""Reads the facts and relations of a memory. Its stage has the same name."""

DECIDE_STAGE: Final = "decide"
"""The stage of the same jobs that asks what a fact does to memories that are like it."""

PIPELINE: Final = "pipeline"
"""The type of the actor of all that a model makes of memories."""


def may_be_read(memory: Memory) -> bool:
    """Tell whether facts are read in a memory: it holds, and no program composed it."""
    return not (
        memory.is_deleted
        or memory.status == "replaced"
        or memory.type in NOT_FACTS
        or memory.source.type == COMMIT_SOURCE
        or memory.why == NOTED_BY_MODEL
        or is_derived(memory)
    )


def queue_extraction(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Queue the reading of a memory that is new or has another text; a listener of changes.

    Nothing is queued while no model is chosen, so that the queue doesn't grow for nothing.
    """
    if not (change.what in {"added", "recovered"} or change.content_changed):
        return
    settings = context.settings()
    if not settings.of(PipelineSettings).enabled or choice_of(settings, "extraction") is None:
        return
    memory = memories.get(tx, change.id)
    if memory is None or not may_be_read(memory):
        return
    if change.what == "recovered" and rows.is_read(tx, memory.seq):
        return
    # What a model noted of a session is in facts already.
    if history.maker(tx, memory.seq) == PIPELINE:
        return
    jobs.enqueue(tx, EXTRACT, change.id, change.at)
