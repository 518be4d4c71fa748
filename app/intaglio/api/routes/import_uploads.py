"""Uploads of exports: begun, sent part by part, looked at, deleted."""

from typing import Annotated

from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody, PathParameter, QueryParameter

from intaglio.api.gate.declaration import BYTES, PART_BODY_BYTES, Access, declare
from intaglio.api.request_context import AnyRequest
from intaglio.api.serializers.history_import import import_sources
from intaglio.api.services import Services
from intaglio.history_import.exports.uploads import Uploads, UploadState
from intaglio.history_import.overview import SourceSurvey
from intaglio.kernel import Kernel
from intaglio.wire.history_import import ImportSource, Upload, UploadRequest
from intaglio.wire.status import Acknowledged

UploadId = Annotated[str, PathParameter(max_length=100)]
PartOffset = Annotated[int, QueryParameter(ge=0, le=2**53)]


class ImportUploadsController(Controller):
    """Exports of ChatGPT and Claude that are uploaded to be imported."""

    tags = ("imports",)

    @post(
        "/api/imports/uploads",
        operation_id="beginUpload",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def begin(self, services: Services, data: JSONBody[UploadRequest]) -> Upload:
        """Begin the upload of an export: its zip file, or the JSON file in it, up to 4 GB."""
        return await _row(services, await services.get(Uploads).begin(data.name, data.size))

    @put(
        "/api/imports/uploads/{upload:str}",
        operation_id="sendUploadPart",
        status_code=200,
        opt=declare(Access.BROWSER, body_bytes=PART_BODY_BYTES, media_type=BYTES),
    )
    async def append(
        self, services: Services, request: AnyRequest, upload: UploadId, offset: PartOffset
    ) -> Upload:
        """Send the bytes from `offset` on, which is how many have arrived, at most 8 MB at once.

        After the last part, the file is read: GET the upload until it has a `source` or a
        `problem`.
        """
        part = await request.body()
        return await _row(services, await services.get(Uploads).append(upload, offset, part))

    @get(
        "/api/imports/uploads/{upload:str}",
        operation_id="getUpload",
        opt=declare(Access.BROWSER),
    )
    async def get_one(self, services: Services, upload: UploadId) -> Upload:
        """Return how far an upload is."""
        return await _row(services, await services.get(Uploads).get(upload))

    @delete(
        "/api/imports/uploads/{upload:str}",
        operation_id="deleteUpload",
        status_code=200,
        opt=declare(Access.BROWSER),
    )
    async def delete_one(self, services: Services, upload: UploadId) -> Acknowledged:
        """Delete an upload, whether it is complete or not; what was imported of it stays."""
        await services.get(Uploads).delete(upload)
        return Acknowledged(success=True)


async def _row(services: Kernel, state: UploadState) -> Upload:
    source: ImportSource | None = None
    if state.source is not None:
        survey = services.get(SourceSurvey)
        found = await survey.overview(state.source, await survey.rate())
        (source,) = await services.database.read(lambda tx: import_sources(tx, [found]))
    return Upload(
        id=state.id,
        name=state.name,
        size=state.size,
        received=state.received,
        source=source,
        problem=state.problem,
    )
