"""/mcp: the Model Context Protocol over Streamable HTTP, stateless, with JSON replies."""

import contextlib
from typing import Annotated, Final

import msgspec
from litestar import Controller, Response, post
from litestar.params import QueryParameter

from intaglio.api.gate.declaration import Access, Operation, Principal, declare
from intaglio.api.gate.principal import (
    KIND_KEY,
    LISTENER_KEY,
    ListenerKind,
    actor_headers,
    context_header,
)
from intaglio.api.request_context import AnyRequest, named_agent_of
from intaglio.api.services import Services
from intaglio.base.metrics.usage import RequestKind
from intaglio.mcp.messages import McpRequest, read_message
from intaglio.mcp.server import McpServer
from intaglio.mcp.values import McpContext

_LIMITED: Final[dict[str, tuple[Operation, ...]]] = {
    "memory_modify": ("modify",),
    "memory_forget": ("forget",),
}
_KINDS: Final[dict[str, RequestKind]] = {
    "memory_store": "remember",
    "memory_search": "recall",
    "memory_modify": "mutate",
    "memory_forget": "mutate",
}
_MAX_PATH_CHARS: Final = 4_096
_MAX_ROOTS: Final = 10_000
Name = Annotated[str | None, QueryParameter(max_length=1_000)]
Folder = Annotated[str | None, QueryParameter(max_length=_MAX_PATH_CHARS)]
Folders = Annotated[list[str] | None, QueryParameter(max_items=_MAX_ROOTS)]
Pid = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1)]


class _ToolCall(msgspec.Struct):
    name: object = None


def _tool_of(body: bytes) -> str:
    """Return the name of the tool that a message calls; empty if it calls none."""
    match read_message(body):
        case McpRequest(method="tools/call", params=bytes(params)):
            try:
                name = msgspec.json.decode(params, type=_ToolCall).name
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                # The endpoint can't read it either and will refuse it.
                return ""
            return name if isinstance(name, str) else ""
        case _:
            return ""


def mcp_rate(_query: str, body: bytes) -> tuple[Operation, ...]:
    """Count a call of a tool as the request that does the same by REST."""
    return _LIMITED.get(_tool_of(body), ())


class McpController(Controller):
    """The endpoint of MCP clients."""

    tags = ("mcp",)

    @post(
        "/mcp",
        status_code=200,
        include_in_schema=False,
        opt=declare(Access.HOOK, Principal.HARNESS, rate=mcp_rate),
    )
    async def message(  # noqa: PLR0913 - what a client may say of itself
        self,
        services: Services,
        request: AnyRequest,
        *,
        harness: Name = None,
        workspace: Folder = None,
        project_dir: Folder = None,
        root: Folders = None,
        session: Name = None,
        process: Pid = None,
        channel: Name = None,
    ) -> Response[bytes]:
        """Answer a JSON-RPC message; notifications get 202 and no body.

        `workspace` is the directory that the client was started in, `project_dir` that of the
        project as the harness names it, and each `root` one of the client's roots; `process` is
        the harness's process and `session` its session. Headers such as `x-intaglio-workspace` say
        the same. `channel` is accepted and has no effect.
        """
        del channel
        over_port = request.scope["state"].get(LISTENER_KEY) is ListenerKind.PORT
        client = request.client
        context = McpContext(
            agent_id=named_agent_of(request),
            harness=harness or _header(request, "harness"),
            workspace=workspace or _header(request, "workspace"),
            project_dir=project_dir or _header(request, "project-dir"),
            roots=tuple(root or ()),
            session=session or actor_headers(request.headers).session_id,
            process=process,
            port=client.port if over_port and client else None,
        )
        body = await request.body()
        request.scope["state"][KIND_KEY] = _KINDS.get(_tool_of(body), "other")
        reply = await services.get(McpServer).answer(
            body, context, request.headers.get("mcp-protocol-version")
        )
        return Response(reply.body, status_code=reply.status, media_type="application/json")


def _header(request: AnyRequest, name: str) -> str | None:
    text = context_header(request.headers, name) or ""
    with contextlib.suppress(UnicodeError):
        # Headers are read as Latin-1, but paths are written in UTF-8.
        text = text.encode("latin-1").decode()
    return text.strip()[:_MAX_PATH_CHARS] or None
