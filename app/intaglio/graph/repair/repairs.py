"""The repairs of the graph: pruning, reclassifying, and linking what was never linked.

A pruned entity is suppressed, and shown again as soon as another memory names it.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.base.events import Changed
from intaglio.base.text import count_of
from intaglio.domain.entity_kinds import EntityType
from intaglio.domain.repair import Repair, RepairOptions, RepairRefused, RepairResult
from intaglio.graph.background.backfill import GraphBackfill
from intaglio.graph.collection import TOPIC
from intaglio.graph.edits.entity_edits import EntityEdits, EntityFields
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.link_memory import text_of
from intaglio.graph.linking.link import link
from intaglio.graph.linking.values import Existing
from intaglio.graph.name_lookup import NameLookup
from intaglio.graph.repair import rows
from intaglio.graph.settings import GraphSettings
from intaglio.graph.values import Entity
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Actor
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_SINGLETONS: Final = 200
_CHUNK_NAMES: Final = 500
_RECLASSIFIED: Final = 50
_LINKED: Final = 100
_READ_PER_ENTITY: Final = 5
_BATCH_S: Final = 0.004
_AGAIN_S: Final = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRepairs:
    """The repairs of the graph."""

    db: Database
    context: ChangeContext
    edits: EntityEdits
    backfill: GraphBackfill
    settings: Callable[[], GraphSettings]

    def declare(self) -> tuple[Repair, ...]:
        """Return the declarations of the repairs."""
        return (
            self._pruning(
                "prune-singleton-entities",
                "Hide entities that are named once",
                "Suppresses names that few memories mention and of which nothing else is known, "
                "until another memory names them.",
                lambda tx, options: rows.singletons(
                    tx, options.max_mentions, options.limit or _SINGLETONS
                ),
            ),
            self._pruning(
                "prune-chunk-groups",
                "Hide entities of document chunks",
                "Suppresses names that only chunks of documents mention and of which nothing else "
                "is known, until another memory names them.",
                lambda tx, options: rows.named_in_chunks_only(tx, options.limit or _CHUNK_NAMES),
            ),
            Repair(
                action="reclassify-entities",
                title="Find the types of entities",
                text="Reads the memories of entities without a type again, and gives these the "
                "type that the words tell.",
                budget="content",
                count=self._count_reclassified,
                run=self._reclassify,
                undo=self._undo_reclassify,
                changes_content=True,
            ),
            Repair(
                action="structural-backfill",
                title="Link memories to entities",
                text="Finds what memories name that were never linked, such as those from before "
                "the graph was switched on.",
                budget="queue",
                count=self._count_unlinked,
                run=self._link,
                is_heavy=True,
            ),
        )

    def _pruning(
        self,
        action: str,
        title: str,
        text: str,
        find: Callable[[ReadTx, RepairOptions], Sequence[str]],
    ) -> Repair:
        async def count(options: RepairOptions) -> RepairResult:
            found = len(await self.db.read(lambda tx: find(tx, options)))
            return RepairResult(affected=found, message=f"{_entities(found)} would be hidden")

        async def run(options: RepairOptions) -> RepairResult:
            found = await self.db.read(lambda tx: find(tx, options))
            changed = await self._each(found, partial(rows.prune, at=self.context.now))
            return RepairResult(
                affected=len(changed),
                message=f"{_entities(len(changed))} hidden",
                undo=json.dumps(changed) if changed else "",
            )

        async def undo(data: str, _: RepairOptions) -> RepairResult:
            shown = len(await self._each(json.loads(data), rows.unprune))
            return RepairResult(affected=shown, message=f"{_entities(shown)} shown again")

        return Repair(
            action=action,
            title=title,
            text=text,
            budget="content",
            count=count,
            run=run,
            undo=undo,
            changes_content=True,
        )

    async def _each(self, ids: Sequence[str], change: Callable[[WriteTx, str], int]) -> list[str]:
        """Change entities one by one, and return the ids of those that changed."""

        def step(tx: WriteTx, entity_id: str) -> bool:
            if not change(tx, entity_id):
                return False
            tx.publish(Changed(TOPIC, "updated", (entity_id,)))
            return True

        done = await in_batches(self.db, ids, step, _BATCH_S)
        return [entity_id for entity_id, changed in zip(ids, done, strict=True) if changed]

    async def _count_reclassified(self, options: RepairOptions) -> RepairResult:
        found = len(await self._types(options))
        return RepairResult(affected=found, message=f"the type of {_entities(found)} is known")

    async def _types(self, options: RepairOptions) -> list[tuple[Entity, EntityType]]:
        limit = options.limit or _RECLASSIFIED
        untyped = await self.db.read(lambda tx: rows.untyped(tx, limit))
        told: list[tuple[Entity, EntityType]] = []
        for entity in untyped:
            # One snapshot each: reading a memory for names takes a millisecond.
            found = await self.db.read(partial(_type_of, entity=entity))
            if found is not None:
                told.append((entity, found))
        return told

    async def _reclassify(self, options: RepairOptions) -> RepairResult:
        audit, changes = _audit(options), list[str]()
        for entity, type_ in await self._types(options):
            # Another entity may have the name and this type: then it's left alone.
            outcome = await self.edits.change(entity.id, EntityFields(type=type_), audit)
            if isinstance(outcome, EntityEdited) and outcome.change_id is not None:
                changes.append(outcome.change_id)
        return RepairResult(
            affected=len(changes),
            message=f"{_entities(len(changes))} got a type",
            undo=json.dumps(changes) if changes else "",
        )

    async def _undo_reclassify(self, data: str, options: RepairOptions) -> RepairResult:
        audit, changes = _audit(options), json.loads(data)
        outcomes = [await self.edits.undo(change, audit) for change in reversed(changes)]
        undone = sum(isinstance(each, EntityEdited) for each in outcomes)
        return RepairResult(
            affected=undone, message=f"{undone} of {_entities(len(changes))} without the type again"
        )

    async def _count_unlinked(self, options: RepairOptions) -> RepairResult:
        found = len(await self.backfill.find_unlinked())
        most = found if options.everything else options.limit or _LINKED
        return RepairResult(
            affected=min(found, most),
            message=count_of(found, "memory isn't linked", "memories aren't linked"),
        )

    async def _link(self, options: RepairOptions) -> RepairResult | RepairRefused:
        if not self.settings().enabled:
            hint = "Set memory.pipelineV2.graph.enabled to true in Settings."
            return RepairRefused("the graph is switched off", _AGAIN_S, hint)
        linked = await self.backfill.fill(None if options.everything else options.limit or _LINKED)
        return RepairResult(
            affected=linked, message=count_of(linked, "memory linked", "memories linked")
        )


def _type_of(tx: ReadTx, entity: Entity) -> EntityType | None:
    """Return the type that most of an entity's newest memories tell by their words."""
    votes = Counter[EntityType]()
    named = memories.by_seq(tx, rows.memories_naming(tx, entity.seq, _READ_PER_ENTITY))
    for memory in named.values():
        found = link(text_of(memory), NameLookup(tx, memory.scope).find)
        votes.update(
            {
                mention.target.type
                for mention in found.mentions
                if isinstance(mention.target, Existing)
                and mention.target.entity == entity.seq
                and mention.target.type is not None
            }
        )
    return votes.most_common(1)[0][0] if votes else None


def _entities(number: int) -> str:
    return count_of(number, "entity", "entities")


def _audit(options: RepairOptions) -> Audit:
    return Audit(Actor(options.actor, options.actor_type), options.reason)
