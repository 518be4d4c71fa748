"""The user's changes of entities, as a service: each is one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import ForbiddenError, InvalidInputError, writes_frozen
from intaglio.base.ids import NewId
from intaglio.base.text import scrub, storage_form
from intaglio.domain.entity_kinds import LONGEST_NAME, EntityType
from intaglio.domain.reader import Reader
from intaglio.fence.characters import visible
from intaglio.graph import query_rows
from intaglio.graph.edits import aliases, attributes, merge, names, split, undo
from intaglio.graph.edits import change_rows as changes
from intaglio.graph.edits.attributes import AttributeEdit
from intaglio.graph.edits.context import EditContext, edited
from intaglio.graph.edits.outcomes import (
    AliasOutcome,
    AttributeOutcome,
    EditOutcome,
    EditRefused,
    EntityEdited,
    MergeOutcome,
    NameTaken,
    NoSuchAlias,
    NoSuchEntity,
    RenameOutcome,
)
from intaglio.graph.edits.split import SplitOff
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen, is_own
from intaglio.memory.operations import Audit
from intaglio.memory.values import KEEP, Keep
from intaglio.redaction.redact import clean
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx

_Work: TypeAlias = Callable[[WriteTx, Entity, EditContext], EditOutcome]

_USERS: Final = frozenset({"operator", "sdk"})
"""Types of actors that speak for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityFields:
    """What to change of an entity: None leaves name and type, and removes the others."""

    name: str | None = None
    type: EntityType | None = None
    description: str | Keep | None = KEEP
    weight: float | Keep | None = KEEP


@dataclass(frozen=True, slots=True)
class EntityEdits:
    """Changes entities and the facts below them.

    ``frozen`` returns whether changes are disabled.
    """

    db: Database
    clock: Clock
    new_id: NewId
    frozen: Callable[[], bool]

    async def pin(self, entity_id: str, reason: str | None, audit: Audit) -> EditOutcome:
        """Pin an entity, which is no longer suppressed."""
        why = _cleaned(reason or "") or None

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> EntityEdited:
            changes.set_pinned(tx, entity.seq, why, context.at)
            return edited(tx, entity.seq)

        return await self._edit(entity_id, audit, work)

    async def unpin(self, entity_id: str, audit: Audit) -> EditOutcome:
        """Unpin an entity."""

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> EntityEdited:
            if not entity.pinned:
                return EntityEdited(entity)
            changes.set_unpinned(tx, entity.seq, context.at)
            return edited(tx, entity.seq)

        return await self._edit(entity_id, audit, work)

    async def suppress(
        self, entity_id: str, audit: Audit, *, suppressed: bool = True
    ) -> EditOutcome:
        """Suppress an entity, which is no longer pinned, or undo that."""

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> EntityEdited:
            if entity.suppressed == suppressed:
                return EntityEdited(entity)
            if suppressed and entity.pinned:
                changes.set_unpinned(tx, entity.seq, context.at)
            changes.set_suppressed(tx, entity.seq, suppressed, context.at)
            return edited(tx, entity.seq)

        return await self._edit(entity_id, audit, work)

    async def change(self, entity_id: str, fields: EntityFields, audit: Audit) -> EditOutcome:
        """Change fields of an entity: all of them, or none if the name is taken."""
        name = None if fields.name is None else name_of(fields.name)
        description = fields.description
        if isinstance(description, str):
            description = _cleaned(description) or None

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> RenameOutcome:
            done = names.identify(tx, entity, name, fields.type, context)
            if not isinstance(done, EntityEdited):
                return done
            if not isinstance(description, Keep) and description != entity.description:
                changes.set_description(tx, entity.seq, description, context.at)
                done = edited(tx, entity.seq, done.change_id)
            if not isinstance(fields.weight, Keep) and fields.weight != entity.weight_override:
                changes.set_weight(tx, entity.seq, fields.weight, context.at)
                done = edited(tx, entity.seq, done.change_id)
            return done

        return await self._edit(entity_id, audit, work)

    async def merge(self, entity_id: str, into: str, audit: Audit) -> EditOutcome:
        """Let an entity count as another one."""

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> MergeOutcome:
            other = query_rows.find(tx, into, audit.reader)
            return NoSuchEntity() if other is None else merge.merge(tx, entity, other, context)

        return await self._edit(entity_id, audit, work)

    async def split(self, entity_id: str, wanted: SplitOff, audit: Audit) -> EditOutcome:
        """Make an entity of what some memories say about this one."""
        named = replace(wanted, name=name_of(wanted.name))
        return await self._edit(
            entity_id,
            audit,
            lambda tx, entity, context: split.split(tx, entity, named, audit.reader, context),
        )

    async def add_alias(self, entity_id: str, alias: str, audit: Audit) -> EditOutcome:
        """Add a name to an entity."""
        name = name_of(alias)
        return await self._edit(
            entity_id,
            audit,
            lambda tx, entity, context: names.add_alias(tx, entity, name, context),
        )

    async def remove_alias(self, entity_id: str, alias: int, audit: Audit) -> EditOutcome:
        """Remove a name from an entity; ``alias`` is its row number."""

        def work(tx: WriteTx, entity: Entity, context: EditContext) -> AliasOutcome:
            seen = query_rows.aliases(tx, entity.seq, audit.reader)
            if alias not in {each.seq for each in seen}:
                return NoSuchAlias()
            return aliases.remove_alias(tx, entity, alias, context)

        return await self._edit(entity_id, audit, work)

    async def undo(self, change_id: str, audit: Audit) -> EditOutcome:
        """Undo a change."""
        self._check()
        context = self._context(audit)
        reader = audit.reader
        return await self.db.write(
            lambda tx: _as_seen(tx, undo.undo(tx, change_id, reader, context), reader)
        )

    async def edit_attribute(
        self, attribute_id: str, edit: AttributeEdit, audit: Audit
    ) -> AttributeOutcome:
        """Change the place of a fact; raises ForbiddenError if an agent makes a constraint."""
        self._check()
        if edit.kind == "constraint" and audit.actor.type not in _USERS:
            raise ForbiddenError(
                "Only the user decides what is always told",
                hint="Suggest it to the user, who can have it always told.",
            )
        if edit.aspect is not None:
            edit = replace(edit, aspect=name_of(edit.aspect))
        context = self._context(audit)
        return await self.db.write(
            lambda tx: attributes.edit_attribute(tx, attribute_id, edit, audit.reader, context)
        )

    async def _edit(self, entity_id: str, audit: Audit, work: _Work) -> EditOutcome:
        """Change an entity of the reader's own.

        Raises ForbiddenError for another agent's, UnavailableError while changes are disabled.
        """
        self._check()
        context = self._context(audit)

        def run(tx: WriteTx) -> EditOutcome:
            entity = query_rows.find(tx, entity_id, audit.reader)
            if entity is None:
                return NoSuchEntity()
            if not is_own(entity, audit.reader):
                raise ForbiddenError(
                    "This entity belongs to another agent",
                    hint=f"Name that agent ({entity.agent_id}), or change it in the dashboard.",
                )
            return _as_seen(tx, work(tx, entity, context), audit.reader)

        return await self.db.write(run)

    def _context(self, audit: Audit) -> EditContext:
        return EditContext(iso(self.clock()), self.new_id, audit.actor.name)

    def _check(self) -> None:
        if self.frozen():
            raise writes_frozen()


def _as_seen(tx: ReadTx, outcome: EditOutcome, reader: Reader) -> EditOutcome:
    """Return the outcome as the reader may see it."""
    match outcome:
        case EntityEdited(entity=entity, change_id=change_id):
            return EntityEdited(as_seen(tx, (entity,), reader)[0], change_id)
        case NameTaken(other=other) if query_rows.find(tx, other.id, reader) is None:
            return EditRefused("Another entity has this name", hint="Choose another name.")
        case _:
            return outcome


def _cleaned(text: str) -> str:
    return clean(visible(scrub(text))).strip()


def name_of(text: str) -> str:
    """Return a name as it is stored, without secrets; raises InvalidInputError for an empty one."""
    name = storage_form(_cleaned(text))[:LONGEST_NAME].strip()
    if not canonical_name(name):
        raise InvalidInputError("A name is required", hint="It needs at least one visible letter.")
    return name
