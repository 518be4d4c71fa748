"""GET /api/memories/ids: resolves a shortened memory id."""

from collections.abc import Mapping
from typing import Annotated, Final

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.serializers.memory import memory_row
from intaglio.api.services import Services
from intaglio.domain.context_groups import ConstraintBasis
from intaglio.graph.constraint_basis import constraint_bases
from intaglio.memory import rows
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.store.tx import ReadTx
from intaglio.wire.memory import IdMatches

_MAX_ITEMS: Final = 20
_PART: Final = r"^[0-9A-Za-z._:-]{1,200}$"
Prefix = Annotated[str, QueryParameter(pattern=_PART)]
Suffix = Annotated[str | None, QueryParameter(pattern=_PART)]


class IdsController(Controller):
    """Memory ids."""

    tags = ("memory",)

    @get(
        "/api/memories/ids",
        operation_id="matchMemoryIds",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def matches(
        self,
        services: Services,
        request: AnyRequest,
        *,
        prefix: Prefix,
        suffix: Suffix = None,
    ) -> IdMatches:
        """List the memories, live and forgotten, whose ids start with `prefix`; at most 20.

        With `suffix`, also those whose ids end with it. An exact match is the only result.
        """
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> tuple[list[Memory], Mapping[str, ConstraintBasis]]:
            found = [
                memory
                for forgotten in (False, True)
                for memory in rows.with_partial_id(
                    tx, Filter(reader=reader, forgotten=forgotten), prefix, suffix, _MAX_ITEMS + 1
                )
            ]
            found = [memory for memory in found if memory.id == prefix] or found
            return found, constraint_bases(tx, found)

        found, bases = await services.database.read(work)
        aging = services.aging
        return IdMatches(
            memories=[memory_row(each, aging, bases.get(each.id)) for each in found[:_MAX_ITEMS]],
            more=len(found) > _MAX_ITEMS,
        )
