"""The job queue: lists jobs, retries and discards failed ones."""

from typing import Annotated, Final, Literal

from litestar import Controller, get, post
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, reader_of
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.work_subjects import (
    entity_subject,
    session_subject,
    title_of_text,
)
from intaglio.api.services import Services
from intaglio.base.clock import iso, parse_moment
from intaglio.base.errors import ConflictError, InvalidInputError, NotFoundError
from intaglio.domain.reader import Reader, may_read
from intaglio.graph import entity_rows as entities
from intaglio.jobs import rows
from intaglio.jobs.job_type import JobTypes
from intaglio.jobs.throughput import Throughput
from intaglio.jobs.values import (
    Discarded,
    NoJob,
    NotFailed,
    QueueEntry,
    Retried,
    StateCount,
    Superseded,
)
from intaglio.memory import rows as memories
from intaglio.store.tx import ReadTx
from intaglio.wire.queue import (
    JobChange,
    JobCount,
    JobList,
    JobReply,
    JobRow,
    JobsChange,
    JobsRetry,
)
from intaglio.wire.work_subjects import WorkSubject

_MAX_ID: Final = 2**63 - 1
_NOT_FOUND_HINT: Final = (
    "It may have completed: most completed jobs are removed. GET /api/jobs lists the rest."
)

JobStatusQuery = Literal["pending", "leased", "completed", "dead"]
JobId = Annotated[str, PathParameter(max_length=100)]


def _number(text: str) -> int:
    """Parse a job's id; raises NotFoundError if it isn't one."""
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or int(text) > _MAX_ID:  # noqa: PLR2004 - digits of that
        raise NotFoundError(
            "Job not found", hint="A job's id is a number; GET /api/jobs lists the jobs."
        )
    return int(text)


def _type(text: str | None, types: JobTypes) -> str | None:
    if not text:
        return None
    if text not in types.by_name:
        raise InvalidInputError(
            f"type must be one of {', '.join(types.by_name)}", hint="Omit it for all types."
        )
    return text


def _memory_of(
    tx: ReadTx, job: QueueEntry, types: JobTypes, reader: Reader
) -> tuple[str | None, str | None]:
    """Return the id and the title of a job's memory; neither if the reader may not see it."""
    memory_id = types.memory_id(job.type, job.subject)
    memory = memories.get(tx, memory_id) if memory_id else None
    if memory is None:
        return memory_id, None
    if not may_read(reader, memory.scope.agent_id, memory.scope.visibility):
        return None, None
    return memory_id, title_of_text(memory.content)


def _about(tx: ReadTx, job: QueueEntry, types: JobTypes, reader: Reader) -> WorkSubject | None:
    match types.about(job.type):
        case "entity" if job.subject.isdecimal():
            row = int(job.subject)
            return entity_subject(entities.by_seq(tx, (row,)).get(row), reader)
        case "session":
            return session_subject(tx, job.subject, reader)
        case _:
            return None


def _reply(tx: ReadTx, job: QueueEntry, types: JobTypes, reader: Reader) -> JobReply:
    memory_id, _ = _memory_of(tx, job, types, reader)
    return convert(
        job,
        JobReply,
        id=str(job.id),
        memory_id=memory_id,
        document_id=None,
        job_type=job.type,
        attempt_count=job.attempts,
        next_attempt_at=job.not_before if job.status == "pending" else None,
        last_error=job.error,
        last_error_code=None,
    )


def _row(tx: ReadTx, job: QueueEntry, types: JobTypes, reader: Reader) -> JobRow:
    memory_id, title = _memory_of(tx, job, types, reader)
    is_hidden = memory_id is None and types.memory_id(job.type, job.subject) is not None
    return convert(
        job,
        JobRow,
        id=str(job.id),
        label=types.label(job.type),
        subject="" if is_hidden else job.subject,
        memory_id=memory_id,
        title=title,
        about=_about(tx, job, types, reader),
        embeds=types.embeds(job.type),
        not_before=job.not_before if job.status == "pending" else None,
    )


class JobsController(Controller):
    """Background jobs."""

    tags = ("queue",)

    @get(
        "/api/memory/jobs/{job_id:str}",
        operation_id="getJob",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def job(self, services: Services, request: AnyRequest, job_id: JobId) -> JobReply:
        """Get a job."""
        number, types = _number(job_id), services.get(JobTypes)
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> JobReply | None:
            found = rows.entry(tx, number)
            return _reply(tx, found, types, reader) if found else None

        reply = await services.database.read(work)
        if reply is None:
            raise NotFoundError("Job not found", hint=_NOT_FOUND_HINT)
        return reply

    @get("/api/jobs", operation_id="listJobs", opt=declare(Access.PROGRAM, Principal.AGENT))
    async def jobs(
        self,
        services: Services,
        request: AnyRequest,
        *,
        status: FromQuery[JobStatusQuery | None] = None,
        type: Annotated[str | None, QueryParameter(max_length=100)] = None,  # noqa: A002 - the queue's own word
        limit: Annotated[int, QueryParameter(ge=1, le=500)] = 50,
        cursor: Annotated[str | None, QueryParameter(max_length=100)] = None,
    ) -> JobList:
        """List jobs, newest first, with counts per type and state and the current throughput."""
        types = services.get(JobTypes)
        wanted, before = _type(type, types), None if cursor is None else _cursor(cursor)
        reader = await reader_of(services, request)

        def work(tx: ReadTx) -> tuple[list[JobRow], list[StateCount], str | None]:
            found = rows.page(tx, status, wanted, before, limit + 1)
            shown = [_row(tx, job, types, reader) for job in found]
            return shown, rows.count_states(tx), rows.oldest(tx)

        shown, counts, oldest = await services.database.read(work)
        created = parse_moment(oldest) if oldest else None
        return JobList(
            jobs=shown[:limit],
            next_cursor=shown[limit - 1].id if len(shown) > limit else None,
            counts=[
                JobCount(
                    type=each.type,
                    label=types.label(each.type),
                    status=each.status,
                    count=each.count,
                )
                for each in counts
            ],
            oldest_age_s=(
                round(max(0.0, (services.clock() - created).total_seconds()), 3)
                if created
                else None
            ),
            done_last_minute=services.get(Throughput).last_minute,
        )

    @post(
        "/api/jobs/{job_id:str}/retry",
        operation_id="retryJob",
        status_code=200,
        opt=declare(Access.PROGRAM),
    )
    async def retry(self, services: Services, job_id: JobId) -> JobChange:
        """Retry a failed job and check again what made it fail."""
        number, at = _number(job_id), iso(services.clock())
        match await services.database.write(lambda tx: rows.retry(tx, number, at)):
            case Retried(name):
                await services.get(JobTypes).notify_retried(name)
                return JobChange(id=job_id, status="pending")
            case Superseded(by):
                return JobChange(id=str(by), status="superseded")
            case NotFailed(status):
                raise _not_failed(job_id, status)
            case NoJob():
                raise NotFoundError("Job not found", hint=_NOT_FOUND_HINT)

    @post("/api/jobs/retry", operation_id="retryJobs", status_code=200, opt=declare(Access.PROGRAM))
    async def retry_all(
        self, services: Services, data: JSONBody[JobsRetry | None] = None
    ) -> JobsChange:
        """Retry all failed jobs, or those of one type."""
        types, at, count = services.get(JobTypes), iso(services.clock()), 0
        wanted = _type(data.type if data else None, types)
        while revived := await services.database.write(lambda tx: rows.retry_all(tx, wanted, at)):
            count += revived
        await types.notify_retried(wanted)
        return JobsChange(affected=count)

    @post(
        "/api/jobs/{job_id:str}/discard",
        operation_id="discardJob",
        status_code=200,
        opt=declare(Access.PROGRAM),
    )
    async def discard(self, services: Services, job_id: JobId) -> JobChange:
        """Discard a failed job; its work isn't done until the memory changes again."""
        number, at = _number(job_id), iso(services.clock())
        match await services.database.write(lambda tx: rows.discard(tx, number, at)):
            case Discarded():
                return JobChange(id=job_id, status="discarded")
            case NotFailed(status):
                raise _not_failed(job_id, status)
            case NoJob():
                raise NotFoundError("Job not found", hint=_NOT_FOUND_HINT)


def _cursor(text: str) -> int:
    try:
        return _number(text)
    except NotFoundError:
        raise InvalidInputError(
            "Invalid cursor", hint="Use next_cursor of the previous page, or omit cursor."
        ) from None


def _not_failed(job_id: str, status: str) -> ConflictError:
    return ConflictError(
        "Only failed jobs can be retried or discarded",
        hint="GET /api/jobs?status=dead lists the failed jobs.",
        id=job_id,
        status=status,
    )
