"""Finds the entity that a request names, and the parameters that these endpoints share."""

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

from intaglio.api.request_context import AnyRequest, actor_of, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.domain.reader import Reader
from intaglio.graph import query_rows
from intaglio.graph.values import Entity
from intaglio.graph.visibility_rows import as_seen
from intaglio.memory.operations import Audit
from intaglio.store.tx import ReadTx

EntityPath = Annotated[str, PathParameter(max_length=200)]
PageLimit = Annotated[int, QueryParameter(ge=1, le=200)]
PageOffset = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
ProjectName = Annotated[str | None, QueryParameter(max_length=4_096)]
SearchText = Annotated[str, QueryParameter(max_length=400)]
RowCursor = Annotated[str | None, QueryParameter(pattern=r"^[0-9]{1,18}$")]


async def audit_of(services: Services, request: AnyRequest) -> Audit:
    """Return who changes the graph, and what they see of it."""
    return Audit(actor_of(request, None), reader=await reader_of(services, request))


def require_entity(tx: ReadTx, entity_id: str, reader: Reader) -> Entity:
    """Return the entity, or the one that it counts as; raises NotFoundError."""
    found = query_rows.find(tx, entity_id, reader)
    if found is None:
        raise NotFoundError(
            "Entity not found", hint="It may be gone with the last memory that named it."
        )
    return as_seen(tx, (found,), reader)[0]


def row_before(cursor: str | None) -> int | None:
    """Return the row number of a cursor; raises InvalidInputError for a text that is none."""
    if cursor is None:
        return None
    if not cursor.isdecimal():
        raise InvalidInputError("Invalid cursor", hint="Use the cursor of the page before.")
    return int(cursor)
