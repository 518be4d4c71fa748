"""GET /api/telemetry/training-export: what sessions considered, and how they rated it."""

import csv
import io
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Final, Literal, get_args

import msgspec
from litestar import Controller, get
from litestar.params import QueryParameter
from litestar.response import Stream

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, session_reader_of
from intaglio.api.routes.telemetry import NDJSON, file_of, switched_on
from intaglio.api.services import Services
from intaglio.base.errors import InvalidInputError
from intaglio.sessions.feedback import score_rows
from intaglio.sessions.feedback.score_rows import ConsideredMemory
from intaglio.store.tx import ReadTx
from intaglio.wire import telemetry as wire

_CSV: Final = "text/csv"
_PAGE: Final = 1_000

_TrainingFormat = Literal["ndjson", "csv"]
_FORMATS: Final[tuple[str, ...]] = get_args(_TrainingFormat)
FormatQuery = Annotated[str, QueryParameter(max_length=20)]


class TrainingExportController(Controller):
    """What could train a predictor of what a session needs; nothing is ever sent anywhere."""

    tags = ("telemetry",)

    @get(
        "/api/telemetry/training-export",
        operation_id="exportTraining",
        media_type=NDJSON,
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def training(
        self,
        services: Services,
        request: AnyRequest,
        *,
        format: FormatQuery = "ndjson",  # noqa: A002 - the contract's name
    ) -> Stream:
        """Return what sessions considered, whether it was told, and how it was rated.

        As JSON lines, or with `format=csv` as a table; 404 while telemetry is off. It has ids and
        scores, but no texts.
        """
        if format not in _FORMATS:
            raise InvalidInputError(
                f"format must be {' or '.join(_FORMATS)}", hint="Omit it for JSON lines."
            )
        switched_on(services)
        reader = await session_reader_of(services, request)

        async def pages() -> AsyncIterator[Sequence[ConsideredMemory]]:
            place = (0, 0)
            while True:

                def work(tx: ReadTx, after: tuple[int, int] = place) -> list[ConsideredMemory]:
                    return score_rows.considered_memories(tx, reader, after, _PAGE)

                page = await services.database.read(work)
                if not page:
                    return
                yield page
                place = (page[-1].injection, page[-1].rank)

        if format == "csv":
            return file_of(_table(pages()), _CSV, "training.csv")

        async def lines() -> AsyncIterator[bytes]:
            async for page in pages():
                yield b"".join(msgspec.json.encode(_training(each)) + b"\n" for each in page)

        return file_of(lines(), NDJSON, "training.ndjson")


async def _table(pages: AsyncIterator[Sequence[ConsideredMemory]]) -> AsyncIterator[bytes]:
    names = [field.encode_name for field in msgspec.structs.fields(wire.TrainingRow)]
    yield _csv([names])
    async for page in pages:
        yield _csv([list(msgspec.structs.astuple(_training(each))) for each in page])


def _csv(rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _training(found: ConsideredMemory) -> wire.TrainingRow:
    return wire.TrainingRow(
        session_key=found.session_id,
        harness=found.harness,
        event=found.event,
        memory_id=found.memory_id,
        rank=found.rank,
        score=found.score,
        told=found.told,
        rating=found.rating,
        created_at=found.at,
    )
