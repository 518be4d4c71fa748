"""The review of captured memories: lists what the judge would not keep, keeps, hides the notice."""

import re
from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.inbox_results import evidence_row
from intaglio.api.request_context import (
    AnyRequest,
    actor_of,
    invalid_cursor,
    session_reader_of,
)
from intaglio.api.services import Services
from intaglio.inbox.values import Evidence
from intaglio.review.reviews import CaptureReviews
from intaglio.review.values import REASON_TEXTS, DoubtfulMemory, ReviewPosition
from intaglio.sessions.overview.rows import number_of
from intaglio.store.tx import ReadTx
from intaglio.wire import capture_review as wire
from intaglio.wire.status import Acknowledged

_CURSOR: Final = re.compile(r"(\d\.\d{1,20}(?:e-\d{1,3})?|[01])~(\d{1,18})")

ReviewLimit = Annotated[int, QueryParameter(ge=1, le=1_000)]
ReviewCursor = Annotated[str | None, QueryParameter(max_length=200)]


class CaptureReviewController(Controller):
    """Captured memories that the present judge would not keep; nothing is forgotten by itself."""

    tags = ("capture",)

    @get(
        "/api/capture/review",
        operation_id="listCaptureReview",
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def items(
        self,
        services: Services,
        request: AnyRequest,
        *,
        forgotten: FromQuery[bool] = False,
        limit: ReviewLimit = 100,
        cursor: ReviewCursor = None,
    ) -> wire.CaptureReviewList:
        """List memories that capture saved by itself and would not save now, least sure first.

        What you edited, pinned or decided on is not among them. With `forgotten`, list those that
        were forgotten in the review, and can be restored. POST /api/memory/forget and
        /api/memory/recover forget and restore them.
        """
        reviews = services.get(CaptureReviews)
        reader = await session_reader_of(services, request)
        page = await reviews.page(reader, limit, _position(cursor), forgotten=forgotten)
        progress = page.progress

        def work(tx: ReadTx) -> list[wire.CaptureReviewRow]:
            return [_row(each, _session(tx, each.evidence)) for each in page.items]

        return wire.CaptureReviewList(
            items=await services.database.read(work),
            cursor=f"{page.end.confidence!r}~{page.end.seq}" if page.end else None,
            total=page.total,
            judge=await reviews.runner.judge(),
            reviewing=progress is None or progress.finished_at is None,
            dismissed=progress is not None and progress.dismissed_at is not None,
        )

    @post(
        "/api/capture/review/keep",
        operation_id="keepReviewed",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def keep(
        self,
        services: Services,
        request: AnyRequest,
        data: JSONBody[wire.CaptureReviewKeepRequest],
    ) -> wire.CaptureReviewKept:
        """Keep 1 to 1,000 memories: no judge lists them again. With `keep` false, undo that.

        A memory that isn't in the review stays as it is.
        """
        ids = tuple(dict.fromkeys(data.ids))
        changed = await services.get(CaptureReviews).keep(
            ids, actor_of(request, None), keep=data.keep
        )
        return wire.CaptureReviewKept(requested=len(ids), changed=changed)

    @post(
        "/api/capture/review/dismiss",
        operation_id="dismissCaptureReview",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def dismiss(self, services: Services, request: AnyRequest) -> Acknowledged:
        """Hide the notice about the review until the judge changes; the list stays."""
        return Acknowledged(
            success=await services.get(CaptureReviews).dismiss(actor_of(request, None))
        )


def _row(found: DoubtfulMemory, session: int | None) -> wire.CaptureReviewRow:
    return wire.CaptureReviewRow(
        id=found.id,
        content=found.content,
        type=found.type,
        project=found.project,
        agent=found.agent_id,
        created=found.created_at,
        version=found.version,
        confidence=found.confidence,
        reason=None if found.reason is None else REASON_TEXTS[found.reason],
        evidence=evidence_row(found.evidence, session),
        context=found.context,
    )


def _session(tx: ReadTx, said: Evidence) -> int | None:
    return None if said.session_id is None else number_of(tx, said.harness, said.session_id)


def _position(cursor: str | None) -> ReviewPosition | None:
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise invalid_cursor()
    return ReviewPosition(float(found[1]), int(found[2]))
