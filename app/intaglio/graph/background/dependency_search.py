"""Finds the dependencies between entities that memories state (pass 2b).

A memory is linked again, by the same rules, to tell which words of it name which entity; only
entities that exist then become ends of a dependency. A memory that changed meanwhile is read again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from intaglio.base.events import Changed
from intaglio.graph import entity_rows
from intaglio.graph import structure_rows as structure
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.collection import TOPIC
from intaglio.graph.link_memory import text_of
from intaglio.graph.linking.dependencies import find_dependencies
from intaglio.graph.linking.link import link
from intaglio.graph.linking.values import FoundDependency, LinkedText, TextToLink
from intaglio.graph.name_lookup import NameLookup, find_target
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Memory
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

TEXTS_PER_RUN: Final = 5


@dataclass(frozen=True, slots=True)
class LinkedMemory:
    """A memory as it was read, and what its text names."""

    memory: Memory
    text: TextToLink
    linked: LinkedText


FindDependencies: TypeAlias = Callable[[LinkedMemory], Awaitable[Sequence[FoundDependency]]]
"""Finds what a text states, outside any transaction."""


async def by_rules(found: LinkedMemory) -> Sequence[FoundDependency]:
    """Find what the words between two names say."""
    return find_dependencies(found.text.text, found.linked)


class _Read(NamedTuple):
    """What was read for a job; None for a memory that doesn't exist or is forgotten."""

    job: Job
    memory: Memory | None
    found: Sequence[FoundDependency]


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencySearch:
    """Runs jobs of type `structural_dependency`; the subject is a memory's id."""

    db: Database
    context: ChangeContext
    telemetry: GraphTelemetry
    find: FindDependencies = by_rules
    capacity: int = TEXTS_PER_RUN
    rest_s: float = 0.0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Read the jobs' memories and write what they state, in one transaction for all.

        If a text fails, only its job does: the others are done before the error is raised.
        """
        results = await asyncio.gather(*map(self._read, jobs), return_exceptions=True)
        read = [each for each in results if isinstance(each, _Read)]
        added = await self.db.write(lambda tx: sum(self._write(tx, each) for each in read))
        self.telemetry.dependency_texts += len(read)
        self.telemetry.dependencies += added
        for each in results:
            if isinstance(each, BaseException):
                raise each
        return len(read)

    async def _read(self, job: Job) -> _Read:
        found = await self.db.read(partial(_linked, memory_id=job.subject))
        if found is None:
            return _Read(job, None, ())
        return _Read(job, found.memory, await self.find(found))

    def _write(self, tx: WriteTx, read: _Read) -> int:
        """Write what a memory states and finish its job; return how many dependencies."""
        memory = memories.get(tx, read.job.subject)
        if read.memory is not None and memory is not None and not memory.is_deleted:
            if memory.version != read.memory.version:
                queue.release(tx, read.job, None)
                return 0
            added = sum(add_stated(tx, memory, each, self.context) for each in read.found)
        else:
            added = 0
        queue.complete(tx, read.job, self.context.now)
        return added


def add_stated(tx: WriteTx, memory: Memory, found: FoundDependency, context: ChangeContext) -> bool:
    """Write a dependency that a memory states, if both ends exist; return whether they do."""
    source = find_target(tx, memory.scope, found.source)
    target = find_target(tx, memory.scope, found.target)
    if source is None or target is None or source == target:
        return False
    ends = entity_rows.by_seq(tx, (source, target)).values()
    if not all(each.mentions or each.pinned or each.origin == "user" for each in ends):
        return False
    key = structure.DependencyKey(source, target, found.type, memory.scope.agent_id)
    new_id = context.new_id()
    structure.add_dependency(tx, new_id, key, found.confidence, memory.seq, context.now)
    tx.publish(Changed(TOPIC, "updated", tuple(each.id for each in ends)))
    return True


def _linked(tx: ReadTx, memory_id: str) -> LinkedMemory | None:
    memory = memories.get(tx, memory_id)
    if memory is None or memory.is_deleted:
        return None
    text = text_of(memory)
    return LinkedMemory(memory, text, link(text, NameLookup(tx, memory.scope).find))
