"""Finds that a new entity is an old one under another name, by how similar their names are.

Only entities of one agent, scope and type are compared, and only by names with the same numbers: a
version is not another name. What the user pinned is never merged without asking, and what they
took apart stays apart. If the model fails, only equal names are one entity, as without it. Where a
language model is configured, it is asked before the user is.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, TypeAlias

from intaglio.graph import entity_rows as rows
from intaglio.graph.background import resolution_rows
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.merge import merge
from intaglio.graph.possible_merges import PossibleMerge, are_kept_apart, possible_merge
from intaglio.graph.settings import GraphSettings
from intaglio.graph.values import Entity, EntityAlias
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

CHANGED_BY: Final = "pipeline"
MOST_COMPARED: Final = 500
_MOST_ALIKE: Final = 50
_MOST_NAMES: Final = 6
_SHORTEST_PREFIX: Final = 3
_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)*")
_WORDS: Final = re.compile(r"[^\W_]+")

CompareNames: TypeAlias = Callable[
    [Sequence[str], Sequence[Sequence[str]]], Awaitable[Sequence[float] | None]
]
"""Returns the cosine of the nearest names, for each other entity; None if there is no model."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity with the names that may be compared."""

    entity: Entity
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResolutionTask:
    """A new entity, and those that it may be the same as."""

    new: NamedEntity
    others: tuple[NamedEntity, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The other entity that a new one is most similar to, and what to do about it.

    ``reason`` says to the user why both may be one.
    """

    other: NamedEntity
    similarity: float
    is_same: bool
    reason: str = ""


class SecondOpinion(Protocol):
    """What a model says of two entities with similar names."""

    @property
    def keeps_apart(self) -> bool:
        """Whether they surely mean different things."""
        ...

    @property
    def reason(self) -> str:
        """Why they mean the same, in a sentence; empty if they may not."""
        ...


AskAboutNames: TypeAlias = Callable[[NamedEntity, NamedEntity], Awaitable[SecondOpinion | None]]
"""Asks a model about two entities; None if there is none, or it can't be asked now."""


async def _nobody(_: NamedEntity, __: NamedEntity) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityResolver:
    """Runs jobs of type `entity_resolution`; the subject is an entity's row number."""

    db: Database
    context: ChangeContext
    telemetry: GraphTelemetry
    settings: Callable[[], GraphSettings]
    frozen: Callable[[], bool]
    compare: CompareNames
    ask: AskAboutNames = _nobody
    rest_s: float = 0.0

    @property
    def capacity(self) -> int:
        """No job is run while changes are disabled."""
        return 0 if self.frozen() else 1

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Compare each new entity with those that exist."""
        for job in jobs:
            await self._run(job)
        return len(jobs)

    async def _run(self, job: Job) -> None:
        seq, resolution, task = int(job.subject), None, None
        if self.settings().resolve_by_embedding:
            task = await self.db.read(lambda tx: _read(tx, seq))
        if task is not None and task.others:
            others = [each.names for each in task.others]
            similarities = await self.compare(task.new.names, others)
            if similarities is not None:
                resolution = resolve(task, similarities, self.settings())
        if task is not None and resolution is not None and not resolution.is_same:
            opinion = await self.ask(task.new, resolution.other)
            if opinion is not None:
                reason = opinion.reason
                resolution = None if opinion.keeps_apart else replace(resolution, reason=reason)
        await self.db.write(lambda tx: self._write(tx, job, task, resolution))

    def _write(
        self, tx: WriteTx, job: Job, task: ResolutionTask | None, resolution: Resolution | None
    ) -> None:
        if task is not None and resolution is not None:
            self._apply(tx, task.new.entity, resolution)
        queue.complete(tx, job, self.context.now)

    def _apply(self, tx: WriteTx, was: Entity, resolution: Resolution) -> None:
        compared = resolution.other.entity
        now = rows.by_seq(tx, (was.seq, compared.seq))
        new, other = now.get(was.seq), now.get(compared.seq)
        if new is None or other is None or not _is_as_read(new, was):
            return
        if not _is_as_read(other, compared):
            return
        apart = resolution_rows.kept_apart(tx, new)
        if other.id in apart or are_kept_apart(tx, new.id, other.id):
            return
        if resolution.is_same and not (new.pinned or other.pinned):
            context = EditContext(self.context.now, self.context.new_id, CHANGED_BY)
            less, more = sorted((new, other), key=lambda each: (each.mentions, -each.seq))
            merge(tx, less, more, context)
            self.telemetry.merged += 1
            return
        question = PossibleMerge(
            entity_id=new.id,
            other_entity_id=other.id,
            entity_type=new.type,
            agent_id=new.agent_id,
            project=new.project,
            similarity=resolution.similarity,
            reason=resolution.reason,
        )
        possible_merge(tx, question, self.context)


def resolve(
    task: ResolutionTask, similarities: Sequence[float], settings: GraphSettings
) -> Resolution | None:
    """Return what to do about the most similar entity; None if none is similar enough."""
    best, similarity = max(
        zip(task.others, similarities, strict=True),
        key=lambda each: (each[1], each[0].entity.mentions, -each[0].entity.seq),
    )
    if similarity < settings.ask_similarity:
        return None
    return Resolution(best, similarity, similarity >= settings.same_similarity)


def numbers_in(name: str) -> frozenset[str]:
    """Return the numbers of a name, as far as they aren't an abbreviation's ("k8s")."""
    return frozenset(
        match.group()
        for match in _NUMBERS.finditer(name)
        if not (name[: match.start()][-1:].isalpha() and name[match.end() :][:1].isalpha())
    )


def _is_as_read(now: Entity, was: Entity) -> bool:
    """Tell whether an entity still has the key that it was compared by, and isn't merged."""
    return (now.canonical_name, now.project, now.type, now.merged_into, now.suppressed) == (
        was.canonical_name,
        was.project,
        was.type,
        None,
        False,
    )


def _read(tx: ReadTx, seq: int) -> ResolutionTask | None:
    entity = rows.by_seq(tx, (seq,)).get(seq)
    if entity is None or entity.merged_into is not None or entity.suppressed:
        return None
    found = {
        each.seq: each
        for each in (
            *resolution_rows.most_mentioned(tx, entity, MOST_COMPARED),
            *resolution_rows.with_word(tx, entity, _prefixes(entity.name), _MOST_ALIKE),
        )
    }
    numbers = numbers_in(entity.name)
    apart = resolution_rows.kept_apart(tx, entity)
    others = [
        each for each in found.values() if each.id not in apart and numbers_in(each.name) == numbers
    ]
    aliases: dict[int, list[EntityAlias]] = {}
    for alias in rows.aliases_of(tx, [seq, *(each.seq for each in others)]):
        aliases.setdefault(alias.entity, []).append(alias)
    named = [
        NamedEntity(each, _names(each, aliases.get(each.seq, ()), numbers))
        for each in (entity, *others)
    ]
    return ResolutionTask(named[0], tuple(named[1:]))


def _prefixes(name: str) -> list[str]:
    words = _WORDS.findall(name.lower())
    return [word[:_SHORTEST_PREFIX] for word in words if len(word) >= _SHORTEST_PREFIX]


def _names(
    entity: Entity, aliases: Sequence[EntityAlias], numbers: frozenset[str]
) -> tuple[str, ...]:
    """Return the entity's own name first, then aliases that have the same numbers."""
    names = {entity.canonical_name: entity.name}
    for alias in aliases:
        if numbers_in(alias.alias) == numbers:
            names.setdefault(alias.canonical, alias.alias)
    return tuple(names.values())[:_MOST_NAMES]
