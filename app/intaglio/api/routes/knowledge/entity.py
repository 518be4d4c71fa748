"""One entity: its fields, its names, and whether it is pinned or suppressed."""

from typing import Annotated, Final

from litestar import Controller, delete, get, patch, post
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET, UnsetType

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import modify_rate
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.routes.knowledge.lookup import EntityPath, audit_of, require_entity
from intaglio.api.serializers.entity_changes import change_reply, edited_entity
from intaglio.api.serializers.knowledge import entity_detail
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.graph import entity_rows, query_rows
from intaglio.graph.edits.entity_edits import EntityEdits, EntityFields
from intaglio.graph.values import EntityCounts
from intaglio.memory.values import KEEP
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

_NONE: Final = EntityCounts()
_CHANGES: Final = declare(Access.PROGRAM, Principal.AGENT, rate=modify_rate)
_LONGEST_NUMBER: Final = 18
AliasId = Annotated[str, PathParameter(max_length=200)]


class EntityController(Controller):
    """One entity."""

    tags = ("knowledge",)

    @get(
        "/api/knowledge/entities/{entity_id:str}",
        operation_id="getEntity",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def entity(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.EntityDetail:
        """Return an entity; of one that was merged, the one that it counts as."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.EntityDetail:
            found = require_entity(tx, entity_id, reader)
            counts = query_rows.counts(tx, [found.seq], reader)
            merged = entity_rows.by_seq(tx, entity_rows.group_of(tx, found.seq)[1:])
            return entity_detail(found, counts.get(found.seq, _NONE), list(merged.values()))

        return await services.database.read(work)

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
        audit = await audit_of(services, request)
        return change_reply(await services.get(EntityEdits).change(entity_id, fields, audit))

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
        audit = await audit_of(services, request)
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
        audit = await audit_of(services, request)
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
        """Suppress an entity: it isn't used to choose what sessions are told. Also unpins it."""
        audit = await audit_of(services, request)
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
        audit = await audit_of(services, request)
        edits = services.get(EntityEdits)
        edited_entity(await edits.suppress(entity_id, audit, suppressed=False))
        return wire.SuppressReply(suppressed=False)

    @get(
        "/api/knowledge/entities/{entity_id:str}/aliases",
        operation_id="listAliases",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def alias_list(
        self, services: Services, request: AnyRequest, entity_id: EntityPath
    ) -> wire.AliasList:
        """List the names of an entity."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> wire.AliasList:
            found = require_entity(tx, entity_id, reader)
            return wire.AliasList(
                items=[
                    wire.AliasRow(
                        id=str(each.seq),
                        alias=each.alias,
                        origin=each.origin,
                        mentions=each.memories,
                    )
                    for each in query_rows.aliases(tx, found.seq, reader)
                ]
            )

        return await services.database.read(work)

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
        audit = await audit_of(services, request)
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
        audit = await audit_of(services, request)
        return change_reply(
            await services.get(EntityEdits).remove_alias(entity_id, int(alias_id), audit)
        )
