"""GET /memory/similar: the memories most similar to a given one."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.memory.filters import Filter
from intaglio.recall.similar import NoVector, Similar
from intaglio.wire.memory import SimilarReply, SimilarResult


class SimilarController(Controller):
    """Similar memories."""

    tags = ("memory",)

    @get(
        "/memory/similar",
        operation_id="similarMemories",
        opt=declare(Access.PROGRAM, Principal.AGENT, kind="recall"),
    )
    async def similar(
        self,
        services: Services,
        request: AnyRequest,
        *,
        id: Annotated[str, QueryParameter(max_length=100)] = "",  # noqa: A002 - the contract's name
        k: Annotated[int, QueryParameter(ge=1, le=100)] = 10,
        type: Annotated[str | None, QueryParameter(max_length=100)] = None,  # noqa: A002 - see above
    ) -> SimilarReply:
        """List the memories most similar to this one, excluding it."""
        if not id:
            raise InvalidInputError("id is required", hint="Send the id of a memory.", results=[])
        wanted = Filter(reader=await reader_of(services, request), type=type)
        found = await services.get(Similar).find(id, k, wanted)
        if isinstance(found, NoVector):
            raise NotFoundError(
                "No embedding found for this memory",
                hint="It may not be embedded yet; GET /api/status shows the progress.",
                results=[],
            )
        return SimilarReply(
            results=[
                convert(neighbour.memory, SimilarResult, score=round(neighbour.cosine, 4))
                for neighbour in found
            ]
        )
