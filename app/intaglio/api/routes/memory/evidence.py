"""GET /api/memories/{id}/evidence: what the user said that a memory is based on."""

from typing import Annotated

from litestar import Controller, get
from litestar.params import PathParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.inbox_results import evidence_row
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.inbox.values import Evidence
from intaglio.memory import operations
from intaglio.sessions.overview.rows import number_of
from intaglio.sessions.statements import rows
from intaglio.store.tx import ReadTx
from intaglio.wire.inbox import EvidenceReply, InboxEvidence


class EvidenceController(Controller):
    """What memories are based on."""

    tags = ("memory",)

    @get(
        "/api/memories/{memory_id:str}/evidence",
        operation_id="getMemoryEvidence",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def evidence(
        self,
        services: Services,
        request: AnyRequest,
        memory_id: Annotated[str, PathParameter(max_length=200)],
    ) -> EvidenceReply:
        """List what the user said that a memory is based on, oldest first.

        Works for forgotten memories too; empty for a memory that wasn't captured from a session.
        """
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> list[InboxEvidence] | None:
            if operations.find_visible(tx, memory_id, reader) is None:
                return None
            return [evidence_row(each, _session(tx, each)) for each in rows.evidence(tx, memory_id)]

        found = await services.database.read(work)
        if found is None:
            raise NotFoundError("Not found", memoryId=memory_id)
        return EvidenceReply(items=found)


def _session(tx: ReadTx, said: Evidence) -> int | None:
    return None if said.session_id is None else number_of(tx, said.harness, said.session_id)
