"""Links a memory to the entities that it names, in the transaction that writes it (pass 1).

A listener of memories' changes: without it, a memory would be visible for a moment without its
entities, and an erased one could leave its names behind.
"""

from collections.abc import Iterable
from typing import Final

from intaglio.base.events import Changed
from intaglio.base.ids import NewId
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph import entity_rows as rows
from intaglio.graph import reading_rows as readings
from intaglio.graph import relation_rows as relations
from intaglio.graph import structure_rows as structure
from intaglio.graph.collection import TOPIC, collect
from intaglio.graph.entity_writer import EntityWriter
from intaglio.graph.job_types import (
    queue_classification,
    queue_dependencies,
    queue_resolution,
)
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.dependencies import find_dependencies
from intaglio.graph.linking.link import link
from intaglio.graph.linking.standing_limits import constraint_basis
from intaglio.graph.linking.values import (
    SURE_FROM,
    LinkedText,
    TextToLink,
)
from intaglio.graph.name_lookup import NameLookup
from intaglio.graph.settings import GraphSettings
from intaglio.memory import history_rows as history
from intaglio.memory import rows as memories
from intaglio.memory.operations import ChangeContext, MemoryChange
from intaglio.memory.values import USER_AUTHOR, Memory
from intaglio.projects.names import display_name
from intaglio.store.tx import ReadTx, WriteTx

NOT_FACTS: Final = frozenset({"session_summary", "document_chunk"})
"""Types of memories that are no single fact: they name entities, but say nothing about one."""

# What these kinds of sources say was not said by the user.
_FOREIGN_SOURCES: Final = frozenset({"agent", "tool", "web", "file", "import", "document"})


def is_by_user(memory: Memory) -> bool:
    """Tell whether the user said or confirmed it: only then can it become a constraint."""
    return memory.who == USER_AUTHOR or memory.source.type not in _FOREIGN_SOURCES


def basis_of(memory: Memory, *, edited: bool) -> ConstraintBasis | None:
    """Return why a memory is a constraint, None if it isn't; ``edited``: the user changed it."""
    if memory.pinned:
        return "pinned"
    if not is_by_user(memory):
        return None
    return constraint_basis(memory.content, memory.type, confirmed=edited or not memory.is_heard)


def edited_by_user(tx: ReadTx, found: Iterable[Memory]) -> set[int]:
    """Return which memories, by row number, were heard in a session and changed by the user."""
    heard = [each.seq for each in found if each.is_heard and each.version > 1]
    return history.confirmed_among(tx, heard) if heard else set()


def text_of(memory: Memory, *, edited: bool = False) -> TextToLink:
    """Return what the linker needs to know of a memory; ``edited``: the user changed it."""
    project = memory.scope.project
    return TextToLink(
        text=memory.content,
        memory_type=memory.type,
        importance=memory.importance,
        by_user=is_by_user(memory),
        confirmed=edited or not memory.is_heard,
        project_name=None if project is None else display_name(project),
    )


def follow_memory(tx: WriteTx, change: MemoryChange, context: ChangeContext) -> None:
    """Keep the graph in step with a change of a memory.

    A forgotten memory keeps its links, which nobody sees until it is restored.
    """
    settings = context.settings().of(GraphSettings)
    if not settings.enabled:
        _follow_while_disabled(tx, change)
        return
    new_id, resolve = context.new_id, settings.resolve_by_embedding
    memory = _changed_memory(tx, change)
    if memory is None:
        return
    match change.what:
        case "added":
            link_memory(tx, memory, new_id, change.at, resolve=resolve)
        case "updated":
            _unlink(tx, memory, said_anew=change.content_changed)
            said_anew = change.content_changed
            link_memory(tx, memory, new_id, change.at, said_anew=said_anew, resolve=resolve)
            collect(tx, change.at)
        case "deleted":
            rows.count_memory(tx, memory.seq, -1)
        case "recovered":
            if not _recover(tx, memory, change.at):
                link_memory(tx, memory, new_id, change.at, resolve=resolve)


def _follow_while_disabled(tx: WriteTx, change: MemoryChange) -> None:
    """Remove the links of a memory that changed: they may be wrong. The backfill links it later."""
    memory = _changed_memory(tx, change)
    if memory is None:
        return
    match change.what:
        case "added":
            pass
        case "updated":
            _unlink(tx, memory, said_anew=change.content_changed)
            structure.drop_primary(tx, memory.seq)
            collect(tx, change.at)
        case "deleted":
            rows.count_memory(tx, memory.seq, -1)
        case "recovered":
            _recover(tx, memory, change.at)


def _changed_memory(tx: WriteTx, change: MemoryChange) -> Memory | None:
    """Return the memory, unless nothing changed that the graph depends on."""
    if change.what == "updated" and not (change.content_changed or change.place_changed):
        return None
    return memories.get(tx, change.id)


def _unlink(tx: WriteTx, memory: Memory, *, said_anew: bool) -> None:
    """Remove what a memory names and states; its primary attribute stays."""
    if said_anew:
        relations.forget_memory(tx, memory.seq)
    rows.count_memory(tx, memory.seq, -1)
    rows.unlink(tx, memory.seq)
    structure.forget_dependencies(tx, memory.seq)
    readings.forget(tx, memory.seq)


def _recover(tx: WriteTx, memory: Memory, at: str) -> bool:
    """Count a restored memory again; return whether it was linked before it was forgotten."""
    if not rows.linked(tx, memory.seq):
        return False
    rows.count_memory(tx, memory.seq, 1, at)
    _queue_again(tx, memory, at)
    return True


def _queue_again(tx: WriteTx, memory: Memory, at: str) -> None:
    """Queue what may not have been found before the memory was forgotten."""
    primary = structure.primary_of(tx, memory.seq)
    entity = None if primary is None else structure.awaiting_entity(tx, primary)
    if entity is not None:
        queue_classification(tx, entity, at)
    queue_dependencies(tx, memory.id, at)


def link_memory(  # noqa: PLR0913 - three of them say how
    tx: WriteTx,
    memory: Memory,
    new_id: NewId,
    at: str,
    *,
    at_least: float = 0.0,
    said_anew: bool = True,
    resolve: bool = False,
) -> LinkedText:
    """Find what a memory names and write its mentions, its primary attribute and their entities.

    A fact whose confidence is below ``at_least`` isn't placed in the graph. If the text isn't
    ``said_anew``, a place that the user chose for the fact is kept. With ``resolve``, the names of
    new entities are compared with others in the background.
    """
    names = NameLookup(tx, memory.scope)
    edited = memory.seq in edited_by_user(tx, (memory,))
    found = link(text_of(memory, edited=edited), names.find)
    written = frozenset(canonical_name(mention.surface) for mention in found.mentions)
    writer = EntityWriter(tx, memory.scope, new_id, at, names, written)
    for mention in found.mentions:
        seq = writer.entity(mention.target)
        alias = writer.alias(seq, mention.surface)
        rows.add_mention(tx, memory.seq, mention.start, mention.end, alias, mention.confidence)
    if memory.type in NOT_FACTS or found.confidence < at_least:
        structure.drop_primary(tx, memory.seq)
    elif said_anew or not _keep_place(writer, memory):
        _write_attribute(writer, memory, found)
    unsure = {
        writer.entity(mention.target)
        for mention in found.mentions
        if mention.confidence < SURE_FROM
    }
    sure_new = writer.fresh - unsure
    rows.count_new_memory(tx, writer.named, at, sure_new)
    if writer.made:
        tx.publish(Changed(TOPIC, "added", tuple(writer.made)))
    # Nothing hung on these while one memory alone, and not surely, named them.
    confirmed = rows.named_unsurely_before(tx, writer.named, memory.seq)
    for memory_id in sorted({each.memory_id for each in confirmed}):
        queue_dependencies(tx, memory_id, at)
    for seq in sorted(sure_new | {each.entity for each in confirmed}) if resolve else ():
        queue_resolution(tx, seq, at)
    return found


def _keep_place(writer: EntityWriter, memory: Memory) -> bool:
    """Leave the fact where the user put it, and return whether they did."""
    seq = structure.users_place(writer.tx, memory.seq, memory.scope.agent_id)
    if seq is not None:
        writer.named |= {seq, rows.root_of(writer.tx, seq)}
    return seq is not None


def _write_attribute(writer: EntityWriter, memory: Memory, found: LinkedText) -> None:
    """Write where the memory's fact belongs, and queue what the text didn't tell."""
    tx, at = writer.tx, writer.at
    seq = writer.entity(found.primary)
    writer.named.add(seq)
    agent_id = memory.scope.agent_id
    aspect = None
    if found.aspect is not None:
        key = structure.AspectKey(seq, agent_id, canonical_name(found.aspect))
        aspect = structure.aspect(tx, writer.new_id(), key, found.aspect, at)
    new = structure.PrimaryAttribute(
        entity=seq,
        aspect=aspect,
        kind=found.kind,
        confidence=found.confidence,
        importance=found.importance,
        origin="linker",
    )
    known = structure.primary_of(tx, memory.seq)
    if known is None:
        structure.insert_primary(tx, writer.new_id(), (memory.seq, agent_id), new, at)
    else:
        structure.move_primary(tx, known, agent_id, new, at)
    if aspect is None:
        queue_classification(tx, seq, at)
    # Most texts state none; reading each once more in the background costs more than all else.
    if found.needs_dependencies and find_dependencies(memory.content, found):
        queue_dependencies(tx, memory.id, at)
