"""Compares the facts below one aspect of an entity: what a newer one replaces is marked so.

Whatever way memories come in, and those from before, are compared by this job: new ones at once,
all others in the order in which they were written, a few at a time. It reads a snapshot, compares
in a thread with what the cross-encoder finds, and writes in a transaction that checks again.
"""

import heapq
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from intaglio.domain.statement_pairs import Contradictions, StatementPair, read_contradictions
from intaglio.graph.settings import GraphSettings
from intaglio.inbox.values import Evidence
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job, JobType
from intaglio.language.frames.weighing import can_read
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Wording, relate
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.values import Actor, Memory
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements import sibling_rows as rows
from intaglio.sessions.statements.constraints import constraints_among
from intaglio.sessions.statements.reversals import Reversal, may_replace
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import ReadTx, WriteTx

COMPARE_FACTS: Final = JobType(name="compare_facts", label="Memories that newer ones replace")
"""Compares one memory, its subject, or those after the position that is on record."""

ALL: Final = "all facts"
BATCH: Final = 20
# Facts may get their aspect later than they are compared: the newest are compared once more.
_AGAIN: Final = 500
_COMPARED: Final = 8
# Reading a pair takes 6 ms of CPU, ten times as long as comparing it by rules.
_READ: Final = 3
# Two statements that share as much may be about the same thing, in other words.
_NEAR_WORDS: Final = 2
_NEAR_SHARE: Final = 0.34
_MOST_CHARS: Final = 2_000
# At most a third of a core: nobody waits for it.
_REST: Final = 2.0
_BY_ITSELF: Final = Actor("Intaglio", "daemon")


@dataclass(frozen=True, slots=True)
class _Found:
    """A memory with its siblings of the same scope, and those of all that are constraints."""

    memory: Memory
    siblings: Sequence[Memory]
    constraints: frozenset[str]


@dataclass(frozen=True, slots=True)
class SiblingPair:
    """Two memories of which rules can't tell whether both hold."""

    newer_id: str
    older_id: str


@dataclass(frozen=True, slots=True)
class SiblingReversal:
    """A newer memory replaces an older one, or contradicts it less surely."""

    newer_id: str
    older_id: str
    is_sure: bool


@dataclass(frozen=True, slots=True)
class _Compared:
    """What rules say of a memory and its siblings, and what they can't tell."""

    reversals: list[SiblingReversal] = field(default_factory=list[SiblingReversal])
    doubts: list[SiblingPair] = field(default_factory=list[SiblingPair])


def queue_comparison(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Queue the comparison of a memory that is new or says something else; a listener."""
    is_new = change.what == "added" or (change.what == "updated" and change.content_changed)
    if is_new and context.settings().of(GraphSettings).enabled and rows.siblings(tx, change.id):
        subject = ALL if change.what == "added" else change.id
        queue.enqueue(tx, COMPARE_FACTS, subject, change.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingFacts:
    """Runs jobs of type `compare_facts`; ``seconds`` is a monotonic clock, ``pause`` rests.

    ``doubt`` receives the ids of memories of which rules can't tell whether they contradict others.
    """

    services: CaptureServices
    seconds: Callable[[], float]
    pause: Callable[[float], Awaitable[None]]
    doubt: Callable[[WriteTx, Sequence[str]], None] = lambda _, __: None
    rest_s: float = field(default=0.0, init=False)

    @property
    def capacity(self) -> int:
        """No job is run while changes are disabled."""
        return 0 if self.services.frozen() else 1

    async def sweep(self) -> None:
        """Queue what was never compared, and the newest once more."""
        if not self.services.frozen():
            await self.services.db.write(self._queue)

    def _queue(self, tx: WriteTx) -> None:
        rows.set_position(tx, min(rows.position(tx), rows.last_placed(tx, _AGAIN)))
        if rows.placed_after(tx, rows.position(tx), 1):
            queue.enqueue(tx, COMPARE_FACTS, ALL, self.services.context.now)

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Compare the next memories, and queue the rest."""
        for job in jobs:
            await self._run(job)
        return len(jobs)

    async def _run(self, job: Job) -> None:
        services = self.services

        def read(tx: ReadTx) -> tuple[list[tuple[int, str]], list[_Found]]:
            if job.subject != ALL:
                listed = [(0, job.subject)]
            else:
                listed = rows.placed_after(tx, rows.position(tx), BATCH)
            found = (_read(tx, memory_id) for _, memory_id in listed)
            return listed, [each for each in found if each is not None]

        listed, found = await services.db.read(read)
        began = self.seconds()
        compared = await _compared(services, found)
        await self.pause(_REST * max(0.0, self.seconds() - began))
        last = listed[-1][0] if listed else 0
        await services.db.write(
            lambda tx: self._write(tx, job, compared, last, more=len(listed) == BATCH)
        )

    def _write(
        self, tx: WriteTx, job: Job, found: Sequence[_Compared], last: int, *, more: bool
    ) -> None:
        context = self.services.context
        queue.complete(tx, job, context.now)
        for one in found:
            for each in one.reversals:
                _apply(tx, each, context)
        self.doubt(tx, sorted({pair.newer_id for one in found for pair in one.doubts}))
        if job.subject == ALL and last:
            rows.set_position(tx, max(last, rows.position(tx)))
        if job.subject == ALL and more:
            queue.enqueue(tx, COMPARE_FACTS, ALL, context.now)


def _read(tx: ReadTx, memory_id: str) -> _Found | None:
    """Return a memory with its siblings, None if it has none to be compared with."""
    memory = memories.get(tx, memory_id)
    if memory is None or memory.is_deleted or memory.status == "replaced":
        return None
    found: Mapping[str, Memory] = memories.by_ids(tx, rows.siblings(tx, memory_id))
    siblings = [
        each
        for each in found.values()
        if each.scope == memory.scope and len(each.content) <= _MOST_CHARS
    ]
    if not siblings or len(memory.content) > _MOST_CHARS:
        return None
    return _Found(memory, siblings, constraints_among(tx, (memory, *siblings)))


async def doubtful_pairs(services: CaptureServices, memory_id: str) -> Sequence[SiblingPair]:
    """Return the doubtful pairs of a memory."""
    found = await services.db.read(lambda tx: _read(tx, memory_id))
    return [] if found is None else (await _compared(services, [found]))[0].doubts


async def _compared(services: CaptureServices, found: Sequence[_Found]) -> Sequence[_Compared]:
    """Compare memories with their siblings, in threads."""
    pairs = await services.in_thread(lambda: [each for one in found for each in _to_read(one)])
    contradictions = await read_contradictions(services.read_pairs, pairs)
    return await services.in_thread(lambda: [_compare(one, contradictions) for one in found])


def _pairs(found: _Found) -> list[tuple[Memory, Memory]]:
    """Return a memory and the siblings that are most like it, each pair's newer one first."""
    own = found.memory
    scored = [(topic_overlap(own.content, each.content).share, each) for each in found.siblings]
    near = heapq.nlargest(
        _COMPARED, (one for one in scored if one[0] > 0), key=lambda one: (one[0], one[1].seq)
    )
    ordered = [
        (own, other) if own.worded_at >= other.worded_at else (other, own) for _, other in near
    ]
    return [
        (newer, older)
        for newer, older in ordered
        if may_replace(newer, older) and not _from_one_message(newer, older)
    ]


def _to_read(found: _Found) -> list[StatementPair]:
    """Return the pairs that the cross-encoder reads: of each memory, those most alike."""
    return list(islice(filter(can_read, map(_texts, _pairs(found))), _READ))


def _texts(pair: tuple[Memory, Memory]) -> StatementPair:
    newer, older = pair
    return StatementPair(older.content, newer.content)


def _compare(found: _Found, contradictions: Contradictions) -> _Compared:
    """Return what a memory does to its siblings, and they to it; pure, some milliseconds."""
    compared = _Compared()
    for pair in _pairs(found):
        newer, older = pair
        relation = relate(
            Wording(newer.content),
            Wording(older.content),
            older_is_constraint=older.id in found.constraints,
            contradiction=contradictions.get(_texts(pair)),
        )
        # Facts that agents found out by themselves don't wait for the user's decision.
        if relation == "replaces" or (relation == "uncertain" and not newer.is_unvouched):
            reversal = SiblingReversal(newer.id, older.id, relation == "replaces")
            compared.reversals.append(reversal)
        elif relation == "uncertain" or (relation == "both_true" and _are_near(newer, older)):
            compared.doubts.append(SiblingPair(newer.id, older.id))
    return compared


def _are_near(one: Memory, other: Memory) -> bool:
    both = topic_overlap(one.content, other.content)
    return len(both.shared) >= _NEAR_WORDS and both.share >= _NEAR_SHARE


def _from_one_message(one: Memory, other: Memory) -> bool:
    places = (one.source.id, other.source.id)
    if one.source.type != other.source.type or None in places:
        return False
    message, other_message = ((place or "").rpartition("@")[0] for place in places)
    return bool(message) and message == other_message


def _apply(tx: WriteTx, found: SiblingReversal, context: ChangeContext) -> None:
    newer = memories.get(tx, found.newer_id)
    # The user has said that both hold.
    if newer is None or history.was_reinstated(tx, found.older_id, found.newer_id):
        return
    said = statements.evidence(tx, newer.id)
    evidence = said[0] if said else Evidence(newer.content, newer.source.type, newer.session_id)
    reversal = Reversal(newer.id, evidence, _BY_ITSELF, context)
    if found.is_sure:
        reversal.replace(tx, found.older_id)
    else:
        reversal.ask(tx, found.older_id)
