"""The ASGI application: all controllers, one error mapping, and the gate in front of them."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Final, cast

from litestar import Controller, Litestar, Response, get
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.types import Scope

from intaglio.api.controllers import CONTROLLERS
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.guard import Guard
from intaglio.api.gate.middleware import GateMiddleware
from intaglio.api.gate.principal import KERNEL_KEY
from intaglio.api.gate.rate_limiter import RateLimiter
from intaglio.api.gate.rate_limits import RequestLimits
from intaglio.api.gate.request_meter import RequestMeter
from intaglio.api.gate.routes import AsgiApp, Handlers, Routes
from intaglio.api.gate.settings import AuthSettings
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.openapi import describe
from intaglio.api.problems.responses import answer_problem
from intaglio.api.request_body import JsonRequest
from intaglio.api.services import Services
from intaglio.base.errors import IntaglioError
from intaglio.inbox.kinds import InboxKinds
from intaglio.kernel import Kernel


def _kernel_of(scope: Scope) -> Kernel:
    kernel: Kernel = scope["state"][KERNEL_KEY]
    return kernel


_DEPENDENCIES: Final = {"services": Provide(_kernel_of, sync_to_thread=False)}


def _build(handlers: Handlers) -> AsgiApp:
    app = Litestar(
        [handlers],
        dependencies=_DEPENDENCIES,
        exception_handlers={
            IntaglioError: answer_problem,
            HTTPException: answer_problem,
            Exception: answer_problem,
        },
        request_class=JsonRequest,
        # The OpenAPI document is built on demand (`openapi.py`), not at every start.
        openapi_config=None,
        logging_config=None,
    )
    return cast("AsgiApp", app)


class _Description:
    """The OpenAPI document, written once, however many ask for it at the same time."""

    def __init__(self, controllers: Sequence[type[Controller]]) -> None:
        self._controllers = controllers
        self._writing = threading.Lock()
        self.text = b""

    def write(self, kinds: InboxKinds) -> bytes:
        """Return the document, after about a second the first time."""
        with self._writing:
            self.text = self.text or describe(kinds, self._controllers)
            return self.text


class Application:
    """All operations, independent of a kernel: one instance can serve any number of kernels."""

    def __init__(self, controllers: Sequence[type[Controller]] = CONTROLLERS) -> None:
        document = _Description(controllers)

        @get("/api/openapi.json", include_in_schema=False, opt=declare(Access.PROGRAM))
        async def description(services: Services) -> Response[bytes]:
            kinds = services.get(InboxKinds)
            text = document.text or await asyncio.to_thread(document.write, kinds)
            return Response(text, media_type="application/json")

        self.routes = Routes([*controllers, description], _build)

    def serve(self, kernel: Kernel) -> AsgiApp:
        """Return the ASGI application for a kernel."""
        running = kernel.running
        guard = Guard(
            running.install,
            running.port,
            kernel.get(SignIn),
            serves_team=lambda: kernel.settings().of(AuthSettings).mode == "team",
        )
        limits = RequestLimits(
            lambda: kernel.settings().of(AuthSettings), kernel.get(RateLimiter), kernel.clock
        )
        meter = RequestMeter(kernel.metrics, kernel.monotonic_s)
        return GateMiddleware(self.routes.find, guard, limits, kernel, kernel.new_id, meter)
