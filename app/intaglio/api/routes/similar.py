"""GET /memory/similar: memories that mean nearly the same as one."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.memory.filters import Filter
from intaglio.recall.similar import NoVector, Similar
from intaglio.wire.memory import SimilarReply, SimilarResult


class SimilarController(Controller):
    """Neighbours in meaning."""

    tags = ("memory",)

    @get("/memory/similar", operation_id="similarMemories", opt=declare(Access.PROGRAM))
    async def similar(
        self,
        services: Services,
        request: AnyRequest,
        *,
        id: Annotated[str, QueryParameter(max_length=100)] = "",  # noqa: A002 - the contract's name
        k: Annotated[int, QueryParameter(ge=1, le=100)] = 10,
        type: Annotated[str | None, QueryParameter(max_length=100)] = None,  # noqa: A002 - see above
    ) -> SimilarReply:
        """List the memories nearest to this one, without it."""
        if not id:
            raise InvalidInputError("id is required", results=[])
        wanted = Filter(reader=await reader_of(services, request), type=type)
        found = await services.get(Similar).find(id, k, wanted)
        if isinstance(found, NoVector):
            raise NotFoundError(
                "No embedding found for this memory",
                hint="Its vector may not be made yet; /api/status tells how far that is.",
                results=[],
            )
        return SimilarReply(
            results=[
                SimilarResult(
                    id=alike.memory.id,
                    content=alike.memory.content,
                    type=alike.memory.type,
                    tags=list(alike.memory.tags),
                    score=round(alike.cosine, 4),
                    confidence=alike.memory.confidence,
                    created_at=alike.memory.created_at,
                )
                for alike in found
            ]
        )
