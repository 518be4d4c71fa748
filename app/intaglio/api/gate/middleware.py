"""The outermost ASGI layer: access checks, limits, security headers and error mapping."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeVar

from intaglio.api.gate.body import (
    SEND_LESS,
    SMALL_BODY_BYTES,
    BodyBuffer,
    LargeBodies,
    check_values,
    replay,
)
from intaglio.api.gate.declaration import Access, Principal
from intaglio.api.gate.guard import AccessRequest, Guard
from intaglio.api.gate.principal import (
    AGENT_KEY,
    IDENTITY_KEY,
    KERNEL_KEY,
    LISTENER_KEY,
    ROLE_KEY,
    ListenerKind,
    PeerIdentity,
)
from intaglio.api.gate.rate_limits import RequestLimits
from intaglio.api.gate.request_agent import find_agent
from intaglio.api.gate.request_id import given_id
from intaglio.api.gate.request_meter import RequestMeasurement, RequestMeter
from intaglio.api.gate.request_names import check_encoding, check_query
from intaglio.api.gate.routes import AsgiScope, Message, NoRoute, Receive, RouteLookup, Send
from intaglio.api.problems.errors import TooSlowError
from intaglio.api.problems.responses import (
    PROBLEM_TYPE,
    problem_body,
    problem_headers,
    refusal,
    status_of,
)
from intaglio.base.errors import (
    IntaglioError,
    InvalidInputError,
    TooLargeError,
    UnavailableError,
)
from intaglio.base.ids import NewId
from intaglio.base.json.characters import readable
from intaglio.base.log import in_request

BODY_TIMEOUT_S: Final = 10
MAX_CONCURRENT_REQUESTS: Final = 256

_SECURITY: Final[tuple[tuple[bytes, bytes], ...]] = (
    (
        b"content-security-policy",
        (
            b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            b"connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
            b"form-action 'self'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
# Unless the handler says otherwise, as it does for the dashboard's files.
_NO_STORE: Final = (b"cache-control", b"no-store")

T = TypeVar("T")


async def _of_body(read: Callable[[bytes], T], body: bytes) -> T:
    """Read a body; a long one in a thread."""
    if len(body) <= SMALL_BODY_BYTES:
        return read(body)
    return await asyncio.to_thread(read, body)


def _access_request(scope: AsgiScope) -> AccessRequest:
    headers: dict[str, str] = {}
    repeated: set[str] = set()
    raw: Iterable[tuple[bytes, bytes]] = scope["headers"]
    for name_bytes, value in raw:
        name = name_bytes.decode("latin-1").lower()
        if name in headers:
            repeated.add(name)
            # Cookie headers are joined; of any other header the first one counts.
            if name == "cookie":
                headers[name] += "; " + value.decode("latin-1")
            continue
        headers[name] = value.decode("latin-1")
    client = scope.get("client")
    state = scope.get("state", {})
    return AccessRequest(
        method=scope["method"],
        path=scope["path"],
        query_bytes=len(scope["query_string"]),
        peer=client[0] if client else None,
        headers=headers,
        repeated=frozenset(repeated),
        identity=state.get(IDENTITY_KEY, PeerIdentity.UNKNOWN),
        listener=state.get(LISTENER_KEY, ListenerKind.PORT),
    )


def _completed(
    headers: Iterable[tuple[bytes, bytes]], request_id: str
) -> list[tuple[bytes, bytes]]:
    sent = [*headers, *_SECURITY, (b"x-request-id", request_id.encode())]
    if all(name.lower() != _NO_STORE[0] for name, _ in sent):
        sent.append(_NO_STORE)
    return sent


def _content_length(request: AccessRequest) -> int:
    text = request.headers.get("content-length", "0")
    if not text.isascii() or not text.isdecimal():
        raise InvalidInputError(
            "Content-Length must be a number", hint="Send the body's size in bytes."
        )
    return int(text[:20])


async def _send_problem(send: Send, refused: IntaglioError) -> None:
    status = status_of(refused)
    body = problem_body(refused, status)
    headers = {
        "content-type": PROBLEM_TYPE,
        "content-length": str(len(body)),
        **problem_headers(refused, status),
    }
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


class _Response:
    """A response on its way: adds the headers that all have, and notes when it starts."""

    def __init__(self, send: Send, request_id: str, measurement: RequestMeasurement) -> None:
        self._send = send
        self.measurement = measurement
        self._request_id = request_id
        self._at_start: Callable[[], None] | None = None
        self.has_started = False

    def at_start(self, do: Callable[[], None]) -> None:
        """Do this once, when the response starts or has failed."""
        self._at_start = do

    def begin(self) -> None:
        """Do what is due at the start, unless it is done."""
        due, self._at_start = self._at_start, None
        if due is not None:
            due()

    async def send(self, message: Message) -> None:
        """Pass a message on to the server."""
        if message["type"] == "http.response.start":
            self.has_started = True
            self.begin()
            self.measurement.end(message["status"])
            message["headers"] = _completed(message.get("headers", ()), self._request_id)
        await self._send(message)


class GateMiddleware:
    """Wraps every other ASGI application: only checked, bounded requests reach it.

    Handlers find their services through ``kernel``. Each request has an id, the client's own or a
    new one, which its log lines and its response have.
    """

    def __init__(  # noqa: PLR0913 - what each request needs
        self,
        find: RouteLookup,
        guard: Guard,
        limits: RequestLimits,
        kernel: object,
        new_id: NewId,
        meter: RequestMeter,
        *,
        body_timeout_s: float = BODY_TIMEOUT_S,
    ) -> None:
        self._find = find
        self._guard = guard
        self._kernel = kernel
        self._new_id = new_id
        self._meter = meter
        self._limits = limits
        self._body_timeout_s = body_timeout_s
        self._running = 0
        self._large_bodies = LargeBodies()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request; refuse anything else."""
        match scope["type"]:
            case "http":
                request_id = given_id(scope["headers"]) or self._new_id()
                response = _Response(send, request_id, self._meter.begin(scope))
                with in_request(request_id):
                    await self._answer(scope, receive, response)
            case _:
                await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, scope: AsgiScope, receive: Receive, response: _Response) -> None:
        body = BodyBuffer(self._large_bodies)
        try:
            await self._admit(scope, receive, response, body)
        # Whatever escapes the framework still gets a mapped, logged response.
        except Exception as error:  # noqa: BLE001
            refused = refusal(error)
            if not response.has_started:
                await _send_problem(response.send, refused)
        finally:
            response.begin()
            body.release()

    async def _admit(
        self, scope: AsgiScope, receive: Receive, response: _Response, buffer: BodyBuffer
    ) -> None:
        request = _access_request(scope)
        route = self._find(request.method, request.path)
        response.measurement.route, response.measurement.request = route, request
        declared = route.declaration
        request = replace(request, media_type=declared.media_type)
        role = self._guard.admit(request, declared.access)
        max_bytes = declared.body_bytes
        if _content_length(request) > max_bytes:
            raise TooLargeError(f"The body exceeds {max_bytes} bytes", hint=SEND_LESS)
        try:
            async with asyncio.timeout(self._body_timeout_s):
                body = await buffer.read(receive, max_bytes)
        except TimeoutError:
            raise TooSlowError(
                f"The body didn't arrive within {self._body_timeout_s:.0f} s",
                hint="Send the request again.",
            ) from None
        self._start(response)
        response.measurement.read()
        if declared.is_json:
            body = await _of_body(readable, body)
        text = scope["query_string"].decode("latin-1")
        self._limits.spend(declared, request, role, text, body)
        if isinstance(route, NoRoute):
            raise route.refusal
        check_encoding(scope.get("raw_path") or b"", scope["query_string"])
        check_query(declared, route.parameters, text)
        if declared.is_json and declared.access is not Access.HOOK:
            # A hook's body is read for a few fields only, and nothing of it may be lost.
            await _of_body(check_values, body)
        state = scope.setdefault("state", {})
        state.update({ROLE_KEY: role, KERNEL_KEY: self._kernel})
        if declared.principal is not Principal.NOBODY:
            state[AGENT_KEY] = find_agent(declared.principal, request.headers, text, body)
        await route.app(scope, replay(body, receive), response.send)

    def _start(self, response: _Response) -> None:
        """Count a request while it is worked on.

        Requests that aren't complete, and responses that nobody reads, don't count: their
        connections are bounded, and they must not keep others from being served.
        """
        if self._running >= MAX_CONCURRENT_REQUESTS:
            raise UnavailableError("Too many concurrent requests", hint="Try again in a moment.")
        self._running += 1
        response.at_start(self._finish)

    def _finish(self) -> None:
        self._running -= 1
