"""GET /api/memories/{id}/questions: the questions by which a memory is found, too."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import PathParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.hints import rows
from intaglio.memory import operations
from intaglio.store.tx import ReadTx
from intaglio.wire.hints import MemoryQuestions


class MemoryQuestionsController(Controller):
    """What memories answer."""

    tags = ("memory",)

    @get(
        "/api/memories/{memory_id:str}/questions",
        operation_id="getMemoryQuestions",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def questions(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Annotated[str, PathParameter(max_length=200)],
    ) -> MemoryQuestions:
        """List the questions that a memory answers; empty if none were made."""
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> MemoryQuestions | None:
            memory = operations.find_visible(tx, memory_id, reader)
            if memory is None:
                return None
            return MemoryQuestions(
                questions=rows.questions(tx, memory.seq), model=rows.model_of(tx, memory.seq)
            )

        found = await services.database.read(work)
        if found is None:
            raise NotFoundError("Not found", memoryId=memory_id)
        return found
