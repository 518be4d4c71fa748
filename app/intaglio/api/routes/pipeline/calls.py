"""GET /api/pipeline/calls: what each call of a language model cost."""

from collections.abc import Mapping
from typing import Annotated, Final, get_args

from litestar import Controller, get
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, invalid_cursor, session_reader_of
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.work_subjects import (
    entity_subject,
    session_subject,
    title_of_text,
)
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.domain.reader import Reader, may_read
from intaglio.graph import entity_rows as entities
from intaglio.inference.completion.ports import CompletionFailure
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.models import call_rows
from intaglio.models.call_rows import ListedCall
from intaglio.models.stages import Stages
from intaglio.store.tx import ReadTx
from intaglio.wire import pipeline as wire
from intaglio.wire.work_subjects import WorkSubject

_MOST: Final = 2**63 - 1
_OUTCOMES: Final = ("answered", "failed", "unreadable", *get_args(CompletionFailure))

CallLimit = Annotated[int, QueryParameter(ge=1, le=500)]
CallCursor = Annotated[str | None, QueryParameter(max_length=100)]
StageQuery = Annotated[str | None, QueryParameter(max_length=100)]
OutcomeQuery = Annotated[str | None, QueryParameter(max_length=100)]


class ModelCallsController(Controller):
    """Calls of language models; nothing of their texts is kept."""

    tags = ("pipeline",)

    @get(
        "/api/pipeline/calls",
        operation_id="listModelCalls",
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def calls(
        self,
        services: Services,
        request: AnyRequest,
        *,
        stage: StageQuery = None,
        outcome: OutcomeQuery = None,
        limit: CallLimit = 50,
        before: CallCursor = None,
    ) -> wire.ModelCallList:
        """List calls, newest first. `before` is the cursor of the page before.

        `outcome` is `answered`, `failed` for all others, or one of these.
        """
        stages, reader = services.get(Stages), await session_reader_of(services, request)
        if outcome and outcome not in _OUTCOMES:
            raise InvalidInputError(
                f"outcome must be one of {', '.join(_OUTCOMES)}", hint="Omit it for all calls."
            )
        number = None if before is None else number_of_cursor(before)

        def work(tx: ReadTx) -> tuple[list[wire.ModelCallRow], str | None]:
            found = call_rows.page(tx, stage or None, outcome or None, number, limit + 1)
            shown = found[:limit]
            known = memories.by_ids(tx, {each.call.subject for each in shown})
            rows = [_row(each, _subject(tx, each, known, reader), stages) for each in shown]
            return rows, str(shown[-1].number) if len(found) > limit else None

        rows, cursor = await services.database.read(work)
        return wire.ModelCallList(calls=rows, cursor=cursor)


def number_of_cursor(text: str) -> int:
    """Read a cursor that is a row's number; raises InvalidInputError for any other text."""
    digits = len(str(_MOST))
    if not (text.isascii() and text.isdigit()) or len(text) > digits or int(text) > _MOST:
        raise invalid_cursor()
    return int(text)


def _row(found: ListedCall, subject: WorkSubject | None, stages: Stages) -> wire.ModelCallRow:
    known = stages.by_name.get(found.call.stage)
    return convert(
        found.call,
        wire.ModelCallRow,
        id=str(found.number),
        label=known.label if known else found.call.stage,
        subject=subject,
    )


def _subject(
    tx: ReadTx, found: ListedCall, known: Mapping[str, Memory], reader: Reader
) -> WorkSubject | None:
    """Return what a call was about; None if it's gone, or the reader may not see it."""
    subject = found.call.subject
    memory = known.get(subject)
    if memory is not None:
        if not may_read(reader, memory.scope.agent_id, memory.scope.visibility):
            return None
        return WorkSubject(kind="memory", id=memory.id, title=title_of_text(memory.content))
    entity = entities.get(tx, subject) if subject else None
    if entity is not None:
        return entity_subject(entity, reader)
    return session_subject(tx, subject, reader)
