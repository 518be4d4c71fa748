"""The import of history: what can be imported, and imports with their progress."""

from typing import Annotated, Final

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import (
    AnyRequest,
    invalid_cursor,
    project_of,
    session_reader_of,
)
from intaglio.api.serializers.convert import convert
from intaglio.api.serializers.history_import import (
    import_run,
    import_sources,
    imported_sessions,
)
from intaglio.api.services import Services
from intaglio.history_import.overview import SourceSurvey
from intaglio.history_import.preview import HistoryPreview
from intaglio.history_import.service import HistoryImports
from intaglio.history_import.values import ImportOrder
from intaglio.wire import history_import as wire

_FIRST: Final = 2**62

EntryLimit = Annotated[int, QueryParameter(ge=1, le=500)]
EntryCursor = Annotated[str | None, QueryParameter(max_length=20)]


class HistoryImportController(Controller):
    """Imports of sessions that were there before, from harnesses' transcripts and from exports."""

    tags = ("imports",)

    @get("/api/imports/sources", operation_id="listImportSources", opt=declare(Access.BROWSER))
    async def sources(self, services: Services) -> wire.ImportSources:
        """List what can be imported: each harness's transcripts on this machine, and uploads.

        Sessions that are open, that were imported or captured already, or that you took back are
        not counted. Looking takes about a millisecond a session.
        """
        found = await services.get(SourceSurvey).overviews()
        running = await services.get(HistoryImports).running()
        return wire.ImportSources(
            sources=await services.database.read(lambda tx: import_sources(tx, found)),
            running=running.id if running else None,
        )

    @post(
        "/api/imports/preview",
        operation_id="previewImport",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def preview(
        self, services: Services, data: JSONBody[wire.ImportPreviewRequest]
    ) -> wire.ImportPreview:
        """Estimate what an import would keep, from the newest sessions; nothing is saved.

        It judges up to 40 sessions for up to 10 seconds, and returns up to 20 of their lines. 404
        for a source that isn't listed.
        """
        project = await project_of(services, data.project)
        found = await services.get(HistoryPreview).of(data.sources, project)
        samples = [convert(line, wire.ImportSample) for line in found.lines]
        return convert(found, wire.ImportPreview, samples=samples)

    @post("/api/imports", operation_id="startImport", status_code=200, opt=declare(Access.BROWSER))
    async def start(self, services: Services, data: JSONBody[wire.ImportRequest]) -> wire.ImportRun:
        """Start an import in the background; it goes on after a restart.

        409 while another one runs, 404 for a source that isn't listed.
        """
        project = await project_of(services, data.project)
        order = ImportOrder(tuple(dict.fromkeys(data.sources)), data.keep, project)
        return import_run(await services.get(HistoryImports).start(order))

    @get("/api/imports", operation_id="listImports", opt=declare(Access.BROWSER))
    async def imports(self, services: Services) -> wire.ImportList:
        """List the last 50 imports, newest first."""
        found = await services.get(HistoryImports).latest()
        return wire.ImportList(imports=[import_run(each) for each in found])

    @get("/api/imports/{import_id:str}", operation_id="getImport", opt=declare(Access.BROWSER))
    async def one(self, services: Services, import_id: FromPath[str]) -> wire.ImportRun:
        """Return an import with its progress; the topic `imports` says when it changes."""
        return import_run(await services.get(HistoryImports).get(import_id))

    @get(
        "/api/imports/{import_id:str}/sessions",
        operation_id="listImportedSessions",
        opt=declare(Access.BROWSER, Principal.AGENT),
    )
    async def sessions(
        self,
        services: Services,
        request: AnyRequest,
        import_id: FromPath[str],
        *,
        limit: EntryLimit = 100,
        cursor: EntryCursor = None,
    ) -> wire.ImportedSessionPage:
        """List the sessions of an import with what became of each, newest first."""
        if cursor is not None and not (cursor.isascii() and cursor.isdigit()):
            raise invalid_cursor()
        before = _FIRST if cursor is None else min(int(cursor), _FIRST)
        found = await services.get(HistoryImports).entries(import_id, before, limit + 1)
        page = found[:limit]
        reader = await session_reader_of(services, request)
        return wire.ImportedSessionPage(
            sessions=await services.database.read(lambda tx: imported_sessions(tx, page, reader)),
            next=str(page[-1].place) if len(found) > limit else None,
        )

    @post(
        "/api/imports/{import_id:str}/cancel",
        operation_id="cancelImport",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def cancel(self, services: Services, import_id: FromPath[str]) -> wire.ImportRun:
        """Stop an import after what it is reading; what was imported stays.

        One that is over stays as it is.
        """
        return import_run(await services.get(HistoryImports).cancel(import_id))
