"""GET /api/pipeline/proposals: what a model proposed of memories, and what became of it."""

from datetime import timedelta
from typing import Final

from litestar import Controller, get
from litestar.params import FromQuery

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, session_reader_of
from intaglio.api.routes.pipeline.calls import CallCursor, CallLimit, number_of_cursor
from intaglio.api.serializers.convert import convert
from intaglio.api.services import Services
from intaglio.base.clock import iso
from intaglio.pipeline.extraction.proposals import (
    PipelineProposal,
    PipelineProposals,
    ShownMemory,
)
from intaglio.wire import pipeline as wire

_COUNTED: Final = timedelta(days=7)


class ProposalsController(Controller):
    """What a language model proposed of memories."""

    tags = ("pipeline",)

    @get(
        "/api/pipeline/proposals",
        operation_id="listProposals",
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def proposals(
        self,
        services: Services,
        request: AnyRequest,
        *,
        result: FromQuery[wire.ProposalResultName | None] = None,
        limit: CallLimit = 50,
        before: CallCursor = None,
    ) -> wire.ProposalList:
        """List what was proposed for single facts, newest first, with evidence and target.

        `before` is the cursor of the page before. Blocked proposals are decided in the inbox.
        """
        reader = await session_reader_of(services, request)
        position = None if before is None else number_of_cursor(before)
        proposals = services.get(PipelineProposals)
        page = await proposals.page(result, before=position, limit=limit, reader=reader)
        counts = await proposals.counts(iso(services.clock() - _COUNTED))
        return wire.ProposalList(
            proposals=[_row(each) for each in page.proposals],
            counts=[wire.ProposalCount(result=name, count=count) for name, count in counts.items()],
            cursor=None if page.before is None else str(page.before),
        )


def _row(found: PipelineProposal) -> wire.ProposalRow:
    return convert(
        found,
        wire.ProposalRow,
        prompts=[
            wire.StagePrompt(name=name, version=version) for name, version in found.prompts.items()
        ],
        source=_memory(found.source),
        target=_memory(found.target),
        created=_memory(found.created),
    )


def _memory(found: ShownMemory | None) -> wire.ProposalMemory | None:
    return convert(found, wire.ProposalMemory) if found else None
