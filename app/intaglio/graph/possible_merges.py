"""Two entities that may be one: the inbox asks the user, who merges them or keeps them apart."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.text import clip
from intaglio.domain.reader import PRIVATE, Reader
from intaglio.graph import entity_rows, mention_rows
from intaglio.graph.edits import change_rows, undo
from intaglio.graph.edits.context import EditContext
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.outcomes import EditRefused, EntityEdited
from intaglio.graph.values import Entity
from intaglio.inbox import rows
from intaglio.inbox.kinds import (
    Decision,
    DecisionEffect,
    InboxAction,
    InboxKind,
    ItemDetail,
    ItemEntity,
    Refusal,
)
from intaglio.inbox.operations import add
from intaglio.inbox.values import MODEL_SPEAKER, Evidence, InboxItem
from intaglio.memory.operations import ChangeContext
from intaglio.memory.values import Source
from intaglio.store.tx import ReadTx, WriteTx

_NAME: Final = "possible_merge"
_SAMPLES: Final = 2
_SAMPLE_CHARS: Final = 300
_GONE: Final = Refusal("One of the entities no longer exists", "Keep them apart.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleMerge:
    """Two entities of one agent, project and type that may be the same, by how similar names are.

    ``similarity`` is 0 to 1. ``reason`` is a sentence of a language model that was asked.
    """

    entity_id: str
    other_entity_id: str
    entity_type: str
    agent_id: str
    project: str | None
    similarity: float
    reason: str = ""


def are_kept_apart(tx: ReadTx, entity_id: str, other_id: str) -> bool:
    """Tell whether the user decided in the inbox that two entities aren't the same."""
    return any(
        item.action == "keep_apart" and other_id in (item.entity_id, item.other_entity_id)
        for item in rows.about_entity(tx, entity_id)
    )


def possible_merge(tx: WriteTx, new: PossibleMerge, context: ChangeContext) -> str:
    """Ask whether two entities are the same; return the item's id.

    That of the existing item about both if there is one, whether it is open or done.
    """
    for item in rows.about_entity(tx, new.entity_id):
        if {item.entity_id, item.other_entity_id} == {new.entity_id, new.other_entity_id}:
            return item.id
    item = InboxItem(
        id=context.new_id(),
        kind=_NAME,
        type=new.entity_type,
        confidence=new.similarity,
        agent_id=new.agent_id,
        project=new.project,
        # An entity's names come from its agent's memories, of which some may be private.
        visibility=PRIVATE,
        source=Source("pipeline"),
        created_at=context.now,
        entity_id=new.entity_id,
        other_entity_id=new.other_entity_id,
        evidence=(Evidence(new.reason, MODEL_SPEAKER),) if new.reason else (),
    )
    return add(tx, item)


def _show(tx: ReadTx, item: InboxItem, reader: Reader) -> ItemDetail:
    ids = [each for each in (item.entity_id, item.other_entity_id) if each is not None]
    found = [entity for each in ids if (entity := entity_rows.get(tx, each))]
    return ItemDetail(
        content=" / ".join(entity.name for entity in found),
        entities=[_shown(tx, entity, reader) for entity in found],
    )


def _shown(tx: ReadTx, entity: Entity, reader: Reader) -> ItemEntity:
    facts = mention_rows.facts(tx, entity.seq, reader, None, _SAMPLES)
    return ItemEntity(
        id=entity.id,
        name=entity.name,
        entity_type=entity.type,
        mentions=entity.mentions,
        samples=[clip(fact.content, _SAMPLE_CHARS) for fact in facts],
        merged=entity.merged_into is not None,
    )


def _decide(tx: WriteTx, decision: Decision) -> DecisionEffect | Refusal:
    """Let the less mentioned entity count as the other one, unless they are kept apart."""
    if decision.action == "keep_apart":
        return DecisionEffect()
    pair = _roots(tx, decision.item)
    if pair is None:
        return _GONE
    one, other = pair
    if one.seq == other.seq:
        return DecisionEffect()
    less, more = sorted(pair, key=lambda each: (each.pinned, each.mentions, -each.seq))
    match merge(tx, less, more, _edit_context(decision)):
        case EntityEdited():
            return DecisionEffect()
        case EditRefused(reason=reason, hint=hint):
            return Refusal(reason, hint)
        case _:
            return _GONE


def _undo(tx: WriteTx, decision: Decision) -> Refusal | None:
    """Take back the merge that a decision made, if it made one and that wasn't undone before."""
    item = decision.item
    if item.action != "merge":
        return None
    pair = _roots(tx, item)
    if pair is None:
        return _GONE
    if pair[0].seq != pair[1].seq:
        return None
    ids = (item.entity_id or "", item.other_entity_id or "")
    merged = [entity.seq for each in ids if (entity := entity_rows.get(tx, each))]
    merges = change_rows.active_merges(tx, merged)
    if not merges:
        return Refusal("They were merged in another way", "Undo that on the entity's page.")
    if merges[-1].created_at < (item.decided_at or ""):
        # They were one already, so the decision merged nothing.
        return None
    outcome = undo.undo(tx, merges[-1].id, decision.audit.reader, _edit_context(decision))
    return Refusal(outcome.reason, outcome.hint) if isinstance(outcome, EditRefused) else None


def _roots(tx: ReadTx, item: InboxItem) -> tuple[Entity, Entity] | None:
    """Return what the two entities count as now."""
    found: list[Entity] = []
    for entity_id in (item.entity_id, item.other_entity_id):
        entity = entity_rows.get(tx, entity_id) if entity_id else None
        if entity is None:
            return None
        root = entity_rows.root_of(tx, entity.seq)
        found += entity_rows.by_seq(tx, (root,)).values()
    return (found[0], found[1]) if len(found) > 1 else None


def _edit_context(decision: Decision) -> EditContext:
    context = decision.context
    return EditContext(context.now, context.new_id, decision.audit.actor.name)


POSSIBLE_MERGE: Final = InboxKind(
    name=_NAME,
    label="Possible merge",
    plural="Possible merges",
    actions=(
        InboxAction(
            name="merge",
            label="Merge",
            report="Merged",
            outcome="merged",
            already="decided: they are one entity",
        ),
        InboxAction(
            name="keep_apart",
            label="Keep apart",
            report="Kept apart",
            outcome="kept apart",
            already="decided: they are different entities",
        ),
    ),
    decide=_decide,
    undo=_undo,
    show=_show,
    confidence_label="Similarity",
)
