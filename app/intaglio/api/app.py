"""The application: all controllers, one mapping of errors, and the gate around them."""

import asyncio
from functools import cache
from typing import cast

from litestar import Litestar, Response, get
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import ControllerRouterHandler

from intaglio.api.body import JsonRequest
from intaglio.api.document import describe
from intaglio.api.gate.edge import AsgiApp, Edge
from intaglio.api.gate.guard import Guard
from intaglio.api.gate.limits import Limits
from intaglio.api.problems.answer import answer_problem
from intaglio.api.routes.access import AccessController
from intaglio.api.routes.agents import AgentsController
from intaglio.api.routes.backups import BackupsController
from intaglio.api.routes.capture import CaptureController
from intaglio.api.routes.daemon import DaemonController
from intaglio.api.routes.embeddings import EmbeddingsController
from intaglio.api.routes.events import EventsController
from intaglio.api.routes.health import HealthController
from intaglio.api.routes.hooks import HooksController
from intaglio.api.routes.jobs import JobsController
from intaglio.api.routes.memory.facets import FacetsController
from intaglio.api.routes.memory.legacy import LegacyController
from intaglio.api.routes.memory.many import ManyController
from intaglio.api.routes.memory.one import MemoryController
from intaglio.api.routes.memory.timeline import TimelineController
from intaglio.api.routes.recall import RecallController
from intaglio.api.routes.repair import RepairController, RetentionController
from intaglio.api.routes.similar import SimilarController
from intaglio.api.routes.site import SiteController
from intaglio.api.services import Services
from intaglio.base.errors import IntaglioError

CONTROLLERS: tuple[ControllerRouterHandler, ...] = (
    HealthController,
    AccessController,
    MemoryController,
    ManyController,
    LegacyController,
    TimelineController,
    RecallController,
    FacetsController,
    SimilarController,
    HooksController,
    AgentsController,
    JobsController,
    EmbeddingsController,
    RepairController,
    RetentionController,
    CaptureController,
    BackupsController,
    DaemonController,
    EventsController,
    SiteController,
)


def document() -> bytes:
    """Return the API's description, OpenAPI 3.1 as JSON, without starting anything."""
    return describe(CONTROLLERS)


def _description_handler() -> ControllerRouterHandler:
    once = cache(document)

    @get("/api/openapi.json", include_in_schema=False)
    async def description() -> Response[bytes]:
        return Response(await asyncio.to_thread(once), media_type="application/json")

    return description


def make_app(services: Services) -> AsgiApp:
    """Build the ASGI application that the server runs."""

    async def provide() -> Services:
        return services

    inner = Litestar(
        [*CONTROLLERS, _description_handler()],
        dependencies={"services": Provide(provide)},
        exception_handlers={
            IntaglioError: answer_problem,
            HTTPException: answer_problem,
            Exception: answer_problem,
        },
        request_class=JsonRequest,
        # The description is built on demand (`document.py`), not at every start.
        openapi_config=None,
        logging_config=None,
    )
    guard = Guard(services.running.install, services.running.port, services.sign_in)
    limits = Limits(lambda: services.settings().auth, services.limiter, services.clock)
    return Edge(cast("AsgiApp", inner), guard, limits)
