"""GET /api/projects/places: what became of the code that a project's memories name."""

from contextlib import suppress
from typing import Annotated

from litestar import Controller, get
from litestar.params import FromQuery, QueryParameter

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, project_of, reader_of
from intaglio.api.serializers.places import stale_memory
from intaglio.api.services import Services
from intaglio.base.errors import UnavailableError
from intaglio.code.checking import PlaceChecks
from intaglio.code.places import MemoryPlaces
from intaglio.store.tx import ReadTx
from intaglio.wire.places import ProjectPlaces

_ProjectText = Annotated[str, QueryParameter(min_length=1, max_length=4_096)]


class ProjectPlacesController(Controller):
    """The code that memories name."""

    tags = ("projects",)

    @get(
        "/api/projects/places",
        operation_id="listProjectPlaces",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def places(
        self,
        services: Services,
        request: AnyRequest,
        project: _ProjectText,
        *,
        check: FromQuery[bool] = False,
    ) -> ProjectPlaces:
        """List a project's memories whose files or symbols are gone, renamed or changed since.

        With `check`, all places are checked first, unless the database is read-only: then the
        states that were found last are listed.
        """
        key = await project_of(services, project) or ""
        reader = await reader_of(services, request)
        if check:
            with suppress(UnavailableError):
                await services.get(PlaceChecks).check(key)
        places = services.get(MemoryPlaces)

        def work(tx: ReadTx) -> ProjectPlaces:
            read_at, stopped = places.reading(tx, key)
            return ProjectPlaces(
                project=key,
                read_at=read_at,
                stopped=stopped,
                checked=places.count(tx, key, reader),
                memories=[stale_memory(each) for each in places.stale_in(tx, key, reader)],
            )

        return await services.database.read(work)
