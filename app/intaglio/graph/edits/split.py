"""Splits off an entity: some memories turn out to be about something else of the same name.

Their mentions and attributes go to a new entity. Undoing it gives back everything that the new
entity has by then, to where it came from as far as that still exists.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from intaglio.domain.entity_kinds import SHARED_TYPES, EntityOrigin, EntityType
from intaglio.domain.reader import Reader
from intaglio.graph import entity_rows as rows
from intaglio.graph import structure_rows as structure
from intaglio.graph import transfer_rows as moves
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits import split_rows
from intaglio.graph.edits.context import EditContext, edited
from intaglio.graph.edits.outcomes import (
    EditRefused,
    EntityEdited,
    NameTaken,
    NotItsMemories,
    SplitOutcome,
)
from intaglio.graph.edits.split_rows import NamedMemory
from intaglio.graph.job_types import queue_classification
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.transfer import absorb
from intaglio.graph.transfer_rows import MentionPlace, PlacedFact
from intaglio.graph.values import Entity, EntityChange
from intaglio.store.tx import WriteTx

FormerPlace: TypeAlias = tuple[int, int, int | None, EntityOrigin, str | None]
"""An attribute's row number, entity, aspect, origin and time of change before a split."""

_NOTHING_LEFT: Final = "The entity is gone"


@dataclass(frozen=True, slots=True)
class SplitOff:
    """The name and type of the entity to split off, and its memories."""

    name: str
    type: EntityType | None
    memory_ids: Sequence[str]


def split(
    tx: WriteTx, entity: Entity, wanted: SplitOff, reader: Reader, context: EditContext
) -> SplitOutcome:
    """Make an entity of this name and give it what these memories say about the old one."""
    ids = dict.fromkeys(wanted.memory_ids)
    found = split_rows.memories(tx, entity.seq, list(ids), reader)
    missing = ids.keys() - {each.id for each in found}
    if missing:
        return NotItsMemories(entity, tuple(each for each in ids if each in missing))
    if len(found) >= entity.mentions:
        return EditRefused(
            f"These are all the memories of “{entity.name}”", hint="Rename it instead."
        )
    key = _key(entity, wanted, found)
    taken = rows.with_key(tx, key)
    if taken is not None:
        [other] = rows.by_seq(tx, (rows.root_of(tx, taken),)).values()
        return NameTaken(wanted.name, other, in_group=other.seq == entity.seq)
    made_id = context.new_id()
    made = rows.insert(tx, made_id, key, wanted.name, "user", context.at)
    name_alias = rows.add_alias(tx, made, wanted.name, key.canonical, "user", context.at)
    numbers = [each.seq for each in found]
    places = moves.mentions(tx, entity.seq, numbers)
    _move_mentions(tx, places, made, context)
    placed = moves.facts(tx, entity.seq, numbers)
    move_facts(tx, placed, made, context)
    detail: dict[str, object] = {
        "made": made_id,
        "alias": name_alias,
        "count": len(found),
        "mentions": places,
        "facts": former_places(placed),
    }
    rows.recount(tx, (made, *rows.group_of(tx, entity.seq)))
    if any(fact.aspect is None for fact in placed):
        queue_classification(tx, made, context.at)
    change_id = context.record(tx, entity.seq, "split", detail)
    return edited(tx, made, change_id, entity)


def _key(entity: Entity, wanted: SplitOff, found: Sequence[NamedMemory]) -> rows.EntityKey:
    type_ = wanted.type or entity.type
    project = entity.project
    if type_ in SHARED_TYPES:
        project = None
    elif project is None and entity.type in SHARED_TYPES:
        projects = {each.project for each in found}
        project = projects.pop() if len(projects) == 1 else None
    return rows.EntityKey(
        agent_id=entity.agent_id,
        project=project,
        canonical=canonical_name(wanted.name),
        type=type_,
    )


def _move_mentions(
    tx: WriteTx, places: Sequence[MentionPlace], made: int, context: EditContext
) -> None:
    """Let mentions name the new entity, by aliases of the same text."""
    aliases: dict[int, int] = {}
    for place in places:
        if place.alias not in aliases:
            aliases[place.alias] = _same_alias(tx, place.alias, made, context.at)
        moves.move_mention(tx, place, aliases[place.alias])


def _same_alias(tx: WriteTx, alias: int, entity: int, at: str) -> int:
    was = changes.alias(tx, alias)
    if was is None:
        raise LookupError(f"no alias {alias}")
    return rows.add_alias(tx, entity, was.alias, was.canonical, "text", at)


def move_facts(tx: WriteTx, placed: Sequence[PlacedFact], made: int, context: EditContext) -> None:
    """Put facts below an entity, in aspects of the same names."""
    for fact in placed:
        aspect = _same_aspect(tx, fact, made, context)
        # Without an aspect, it still awaits classification.
        origin = fact.origin if aspect is None else "user"
        moves.place_fact(tx, fact.seq, made, aspect, origin, context.at)


def former_places(facts: Sequence[PlacedFact]) -> list[FormerPlace]:
    """Return what undoing a move of these facts needs."""
    return [(t.seq, t.entity, t.aspect, t.origin, t.updated_at) for t in facts]


def _same_aspect(tx: WriteTx, fact: PlacedFact, entity: int, context: EditContext) -> int | None:
    """Return the aspect of this entity that is named as the fact's, made if there is none."""
    if fact.aspect is None or fact.aspect_name is None or fact.aspect_canonical is None:
        return None
    known = moves.aspect_named(tx, entity, fact.aspect_canonical)
    if known is not None:
        return known
    agent_id = rows.by_seq(tx, (entity,))[entity].agent_id
    aspect = structure.aspect(
        tx,
        context.new_id(),
        structure.AspectKey(entity, agent_id, fact.aspect_canonical),
        fact.aspect_name,
        context.at,
    )
    moves.copy_weight(tx, fact.aspect, aspect)
    return aspect


def undo_split(
    tx: WriteTx, change: EntityChange, context: EditContext
) -> EntityEdited | EditRefused:
    """Give back what the new entity has, and delete it."""
    detail = json.loads(change.detail)
    made = rows.get(tx, detail["made"])
    if made is None:
        return EditRefused(_NOTHING_LEFT, hint="No memory names it any more.")
    refused = refuse_group(tx, made)
    if refused is not None:
        return refused
    give_back(tx, made, change, context, detail["mentions"], detail["facts"])
    return edited(tx, rows.root_of(tx, change.entity), None, made)


def refuse_group(tx: WriteTx, made: Entity) -> EditRefused | None:
    """Refuse to delete an entity that others were merged into."""
    if len(rows.group_of(tx, made.seq)) == 1:
        return None
    return EditRefused(
        "Another entity has been merged into it since", hint="Undo that merge first."
    )


def give_back(
    tx: WriteTx,
    made: Entity,
    change: EntityChange,
    context: EditContext,
    mentions: Sequence[tuple[int, int, int]] = (),
    facts: Sequence[FormerPlace] = (),
) -> None:
    """Give an entity's mentions, facts and edges to the change's entity, and delete it.

    ``mentions`` and ``facts`` say where they were before, as the record of a split does.
    """
    known = _former_aliases(tx, change, [alias for *_, alias in mentions])
    former = {(memory, start): alias for memory, start, alias in mentions}
    for place in moves.mentions_below(tx, made.seq):
        current = changes.alias(tx, place.alias)
        target = former.get((place.memory, place.start), 0)
        if current is not None and known.get(target) == current.canonical:
            moves.move_mention(tx, place, target)
    recorded: Mapping[int, FormerPlace] = {each[0]: each for each in facts}
    for fact in moves.facts_below(tx, made.seq):
        if fact.seq in recorded and fact.updated_at == change.created_at:
            _return_fact(tx, fact, recorded[fact.seq])
    absorb(tx, made.seq, change.entity, context.at)
    rows.recount(tx, rows.group_of(tx, rows.root_of(tx, change.entity)))


def _former_aliases(tx: WriteTx, change: EntityChange, aliases: Sequence[int]) -> dict[int, str]:
    """Map the aliases that still exist to their canonical names."""
    known = (changes.alias(tx, each, change.created_at) for each in dict.fromkeys(aliases))
    return {each.seq: each.canonical for each in known if each is not None}


def _return_fact(tx: WriteTx, fact: PlacedFact, was: FormerPlace) -> None:
    """Put a fact that nobody has changed since where it was, if that still exists."""
    _, entity, aspect, origin, updated_at = was
    if not rows.by_seq(tx, (entity,)):
        return
    if aspect is None or moves.aspect_canonical(tx, aspect, entity) == fact.aspect_canonical:
        moves.place_fact(tx, fact.seq, entity, aspect, origin, updated_at)
