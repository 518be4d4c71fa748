"""Merges, splits and changes of facts by a user or client, and the undo of every change."""

from typing import Annotated, Final

from litestar import Controller, get, patch, post
from litestar.params import JSONBody, QueryParameter
from msgspec import UnsetType

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.gate.rate_limits import modify_rate
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.routes.knowledge.lookup import EntityPath, audit_of, require_entity
from intaglio.api.serializers.entity_changes import change_reply, change_row
from intaglio.api.serializers.knowledge import attribute_row
from intaglio.api.serializers.places import place_marks
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.attributes import AttributeEdit
from intaglio.graph.edits.entity_edits import EntityEdits
from intaglio.graph.edits.outcomes import NoSuchAttribute
from intaglio.graph.edits.split import SplitOff
from intaglio.graph.visibility_rows import is_own
from intaglio.store.tx import ReadTx
from intaglio.wire import knowledge as wire

ChangeLimit = Annotated[int, QueryParameter(ge=1, le=500)]
_CHANGES: Final = declare(Access.PROGRAM, Principal.AGENT, rate=modify_rate)
# A fact becomes a constraint only by the user's word.
_BY_USER: Final = declare(Access.BROWSER, Principal.AGENT, rate=modify_rate)


class EntityChangesController(Controller):
    """Merging and splitting of entities, changes of facts, and undoing."""

    tags = ("knowledge",)

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
        """Merge an entity into another one, which its memories count for from now on."""
        audit = await audit_of(services, request)
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
        audit = await audit_of(services, request)
        return change_reply(await services.get(EntityEdits).split(entity_id, wanted, audit))

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
            if not is_own(entity, reader):
                # A change may name what only memories say that the reader may not read.
                return wire.EntityChangeList(items=[])
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
        audit = await audit_of(services, request)
        return change_reply(await services.get(EntityEdits).undo(change_id, audit))

    @patch(
        "/api/knowledge/attributes/{attribute_id:str}",
        operation_id="changeAttribute",
        opt=_BY_USER,
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
        audit = await audit_of(services, request)
        outcome = await services.get(EntityEdits).edit_attribute(attribute_id, edit, audit)
        if isinstance(outcome, NoSuchAttribute):
            raise NotFoundError("Statement not found", hint="Its memory may be forgotten.")
        memory_id = outcome.attribute.memory_id
        marks = await services.database.read(lambda tx: place_marks(tx, [memory_id]))
        return attribute_row(outcome.attribute, marks)
