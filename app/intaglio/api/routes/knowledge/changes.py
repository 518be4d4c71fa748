"""What a user or client changes in the graph, with undo."""

from typing import Annotated, Final

from litestar import Controller, delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import UNSET, UnsetType

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import modify_rate
from intaglio.api.request_context import AnyRequest, actor_of, reader_of
from intaglio.api.routes.knowledge.lookup import EntityPath, require_entity
from intaglio.api.serializers.entity_changes import change_reply, change_row, edited_entity
from intaglio.api.serializers.knowledge import attribute_row
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.attributes import AttributeEdit
from intaglio.graph.edits.entity_edits import EntityEdits, EntityFields
from intaglio.graph.edits.outcomes import NoSuchAttribute
from intaglio.graph.edits.split import SplitOff
from intaglio.memory.operations import Audit
from intaglio.memory.values import KEEP
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

ChangeLimit = Annotated[int, QueryParameter(ge=1, le=500)]
AliasId = Annotated[str, PathParameter(max_length=200)]
_CHANGES: Final = declare(Access.PROGRAM, Principal.AGENT, rate=modify_rate)
_LONGEST_NUMBER: Final = 18


async def _audit(services: Services, request: AnyRequest) -> Audit:
    return Audit(actor_of(request, None), reader=await reader_of(services, request))


class EntityChangesController(Controller):
    """Pinning, merging, splitting and naming of entities."""

    tags = ("knowledge",)

    @post(
        "/api/knowledge/entities/{entity_id:str}/pin",
        operation_id="pinEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def pin(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        data: JSONBody[wire.PinRequest | None] = None,
    ) -> wire.PinReply:
        """Pin an entity: sessions are always told about it. It is no longer suppressed."""
        reason = data.reason if data else None
        audit = await _audit(services, request)
        done = edited_entity(await services.get(EntityEdits).pin(entity_id, reason, audit))
        return wire.PinReply(pinned=True, pinned_at=done.entity.pinned_at or UNSET)

    @delete(
        "/api/knowledge/entities/{entity_id:str}/pin",
        operation_id="unpinEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def unpin(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.PinReply:
        """Unpin an entity."""
        audit = await _audit(services, request)
        edited_entity(await services.get(EntityEdits).unpin(entity_id, audit))
        return wire.PinReply(pinned=False)

    @post(
        "/api/knowledge/entities/{entity_id:str}/suppress",
        operation_id="suppressEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def suppress(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.SuppressReply:
        """Suppress an entity: no session starts from it. It is no longer pinned."""
        audit = await _audit(services, request)
        edited_entity(await services.get(EntityEdits).suppress(entity_id, audit))
        return wire.SuppressReply(suppressed=True)

    @delete(
        "/api/knowledge/entities/{entity_id:str}/suppress",
        operation_id="unsuppressEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def unsuppress(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.SuppressReply:
        """Let an entity count again."""
        audit = await _audit(services, request)
        edits = services.get(EntityEdits)
        edited_entity(await edits.suppress(entity_id, audit, suppressed=False))
        return wire.SuppressReply(suppressed=False)

    @patch("/api/knowledge/entities/{entity_id:str}", operation_id="changeEntity", opt=_CHANGES)
    async def change(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        data: JSONBody[wire.EntityPatch],
    ) -> wire.EntityChangeReply:
        """Change an entity's name, type, description or weight.

        The old name stays an alias. 409 with `entityId` if another entity has the name; merge them
        if they are the same. `changeId` undoes a change of the name or, without one, of the type.
        """
        fields = EntityFields(
            name=None if isinstance(data.name, UnsetType) else data.name,
            type=None if isinstance(data.entity_type, UnsetType) else data.entity_type,
            description=KEEP if isinstance(data.description, UnsetType) else data.description,
            weight=KEEP if isinstance(data.weight_override, UnsetType) else data.weight_override,
        )
        audit = await _audit(services, request)
        return change_reply(await services.get(EntityEdits).change(entity_id, fields, audit))

    @post(
        "/api/knowledge/entities/{entity_id:str}/merge",
        operation_id="mergeEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def merge(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        data: JSONBody[wire.MergeRequest],
    ) -> wire.EntityChangeReply:
        """Merge an entity into another one, as which it counts from then on."""
        audit = await _audit(services, request)
        return change_reply(await services.get(EntityEdits).merge(entity_id, data.into, audit))

    @post(
        "/api/knowledge/entities/{entity_id:str}/split",
        operation_id="splitEntity",
        status_code=200,
        opt=_CHANGES,
    )
    async def split(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        data: JSONBody[wire.SplitRequest],
    ) -> wire.EntityChangeReply:
        """Make a new entity of memories that are about something else; the reply contains it."""
        wanted = SplitOff(data.name, data.entity_type, data.memory_ids)
        audit = await _audit(services, request)
        return change_reply(await services.get(EntityEdits).split(entity_id, wanted, audit))

    @post(
        "/api/knowledge/entities/{entity_id:str}/aliases",
        operation_id="addAlias",
        status_code=200,
        opt=_CHANGES,
    )
    async def add_alias(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        data: JSONBody[wire.AddAliasRequest],
    ) -> wire.EntityChangeReply:
        """Add a name, by which memories name the entity from then on."""
        audit = await _audit(services, request)
        return change_reply(await services.get(EntityEdits).add_alias(entity_id, data.alias, audit))

    @delete(
        "/api/knowledge/entities/{entity_id:str}/aliases/{alias_id:str}",
        operation_id="removeAlias",
        status_code=200,
        opt=_CHANGES,
    )
    async def remove_alias(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        alias_id: AliasId,
    ) -> wire.EntityChangeReply:
        """Remove a name. If memories use it, it becomes an entity of its own."""
        if not (alias_id.isascii() and alias_id.isdecimal() and len(alias_id) <= _LONGEST_NUMBER):
            raise NotFoundError("Name not found", hint="Use an id of the entity's aliases.")
        audit = await _audit(services, request)
        return change_reply(
            await services.get(EntityEdits).remove_alias(entity_id, int(alias_id), audit)
        )

    @get(
        "/api/knowledge/entities/{entity_id:str}/changes",
        operation_id="listEntityChanges",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def changes(
        self,
        services: Services,
        request: AnyRequest,
        entity_id: EntityPath,
        *,
        limit: ChangeLimit = 100,
    ) -> wire.EntityChangeList:
        """List the user's changes of an entity that can be undone, or were, newest first."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.EntityChangeList:
            entity = require_entity(tx, entity_id, reader)
            found = change_rows.of_entity(tx, entity, limit)
            return wire.EntityChangeList(items=[change_row(tx, each) for each in found])

        return await services.database.read(work)

    @post(
        "/api/knowledge/changes/{change_id:str}/undo",
        operation_id="undoEntityChange",
        status_code=200,
        opt=_CHANGES,
    )
    async def undo(
        self, services: Services, request: AnyRequest, change_id: EntityPath
    ) -> wire.EntityChangeReply:
        """Undo a change; 409 says what prevents it."""
        audit = await _audit(services, request)
        return change_reply(await services.get(EntityEdits).undo(change_id, audit))

    @patch(
        "/api/knowledge/attributes/{attribute_id:str}",
        operation_id="changeAttribute",
        opt=_CHANGES,
    )
    async def change_attribute(
        self,
        services: Services,
        request: AnyRequest,
        attribute_id: EntityPath,
        data: JSONBody[wire.AttributeChange],
    ) -> wire.AttributeRow:
        """Change what a fact is in the graph; its memory stays as it is.

        Agents may not make it a constraint.
        """
        edit = AttributeEdit(
            status=None if isinstance(data.status, UnsetType) else data.status,
            kind=None if isinstance(data.kind, UnsetType) else data.kind,
            aspect=None if isinstance(data.aspect, UnsetType) else data.aspect,
        )
        audit = await _audit(services, request)
        outcome = await services.get(EntityEdits).edit_attribute(attribute_id, edit, audit)
        if isinstance(outcome, NoSuchAttribute):
            raise NotFoundError("Fact not found", hint="Its memory may be forgotten.")
        return attribute_row(outcome.attribute)
