"""The hook endpoints that take and return a harness's own JSON."""

from typing import Annotated, Final, TypeAlias
from urllib.parse import unquote

from litestar import Controller, Response, post
from litestar.params import PathParameter

from intaglio.api.gate.declaration import HOOK_BODY_BYTES, Access, Principal, declare
from intaglio.api.gate.principal import PEER_PID_KEY, context_header, wants_no_hooks
from intaglio.api.request_context import (
    AnyRequest,
    named_agent_of,
)
from intaglio.api.services import Services
from intaglio.base.errors import NotFoundError
from intaglio.base.process.process_tree import ancestors
from intaglio.harness.dispatch import Dispatch

HarnessName: TypeAlias = Annotated[str, PathParameter(max_length=100)]

NATIVE: Final = declare(Access.HOOK, Principal.HARNESS, body_bytes=HOOK_BODY_BYTES, kind="hooks")
_MAX_PATH_CHARS: Final = 4_096
# Enough for the shells between a harness and one that its agent has started.
_PROCESS_LEVELS: Final = 12


class HooksController(Controller):
    """Events that harnesses report at the start, during and at the end of a session."""

    tags = ("hooks",)

    @post(
        "/api/hooks/native/{harness:str}",
        operation_id="hookNative",
        status_code=200,
        opt=NATIVE,
    )
    async def native(
        self, services: Services, request: AnyRequest, harness: HarnessName
    ) -> Response[bytes]:
        """Handle an event in the harness's own JSON and reply in the same; usually empty."""
        return await _answer(services, request, harness)

    @post(
        "/api/hooks/{name:str}",
        operation_id="hookNativeOlder",
        status_code=200,
        opt=NATIVE,
    )
    async def native_older(
        self, services: Services, request: AnyRequest, name: HarnessName
    ) -> Response[bytes]:
        """Handle the same event at an older path, for hooks installed with it."""
        harness = services.get(Dispatch).name_at(f"/api/hooks/{name}")
        if harness is None:
            raise NotFoundError(
                f"Hook {name!r} not found",
                hint="Post the harness's own JSON to /api/hooks/native/{harness}.",
            )
        return await _answer(services, request, harness)


async def _answer(services: Services, request: AnyRequest, harness: str) -> Response[bytes]:
    if wants_no_hooks(request.headers):
        return Response(b"", media_type="application/json")
    named = named_agent_of(request)
    directory = unquote(context_header(request.headers, "project-dir") or "")[:_MAX_PATH_CHARS]
    pid = request.scope["state"].get(PEER_PID_KEY)
    above = () if pid is None else ancestors(pid, _PROCESS_LEVELS)
    if pid is not None and context_header(request.headers, "in-process"):
        # A plugin runs in the harness's own process, not in one that the harness started.
        above = (pid, *above)
    reply = await services.get(Dispatch).answer(
        harness, await request.body(), named, above, directory or None
    )
    return Response(reply, media_type="application/json")
