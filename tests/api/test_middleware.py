"""The outermost layer on its own: the number of requests at once, and faults of the application."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, MutableMapping
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from litestar import get

from fakes.api import INSTALL, as_own_user
from fakes.waiting import until
from intaglio.api.gate.declaration import Access, declare
from intaglio.api.gate.guard import Guard
from intaglio.api.gate.middleware import (
    BODY_TIMEOUT_S,
    MAX_CONCURRENT_REQUESTS,
    GateMiddleware,
)
from intaglio.api.gate.rate_limiter import RateLimiter
from intaglio.api.gate.rate_limits import RequestLimits
from intaglio.api.gate.request_meter import RequestMeter
from intaglio.api.gate.routes import AsgiApp, AsgiScope, Receive, Routes, Send
from intaglio.api.gate.settings import AuthSettings
from intaglio.api.gate.sign_in import SignIn
from intaglio.base.log import current_request
from intaglio.base.metrics.metrics import Metrics

PORT = 4850


def now() -> datetime:
    return datetime(2026, 1, 31, tzinfo=UTC)


METER = RequestMeter(Metrics.empty(now), lambda: 0.0)
NO_LIMITS = RequestLimits(AuthSettings, RateLimiter(lambda: 0.0), now)


@get("/health", opt=declare(Access.PROGRAM))
async def health() -> None: ...


def edge(app: AsgiApp, body_timeout_s: float = BODY_TIMEOUT_S) -> GateMiddleware:
    """Stand before an application that answers at one address."""
    sign_in = SignIn(INSTALL, now, lambda: 0.0)
    routes = Routes([health], lambda _: app)
    guard = Guard(INSTALL, PORT, sign_in)
    numbers = itertools.count(1)

    def new_id() -> str:
        return f"new-{next(numbers)}"

    return GateMiddleware(
        routes.find, guard, NO_LIMITS, None, new_id, METER, body_timeout_s=body_timeout_s
    )


def client(app: AsgiApp, body_timeout_s: float = BODY_TIMEOUT_S) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=as_own_user(edge(app, body_timeout_s)))
    return httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}")


async def test_more_requests_at_once_than_the_limit_are_refused_with_a_reason() -> None:
    gate, begun = asyncio.Event(), list[object]()

    async def slow(scope: AsgiScope, _: Receive, send: Send) -> None:
        begun.append(scope)
        await gate.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with client(slow) as asked:
        running = [
            asyncio.create_task(asked.get("/health")) for _ in range(MAX_CONCURRENT_REQUESTS)
        ]
        await until(lambda: len(begun) == MAX_CONCURRENT_REQUESTS, "as many as may be")
        refused = await asked.get("/health")
        gate.set()
        served = [reply.status_code for reply in await asyncio.gather(*running)]
    assert (refused.status_code, refused.json()["detail"]) == (503, "Too many concurrent requests")
    assert refused.headers["retry-after"] == "1"
    assert served == [200] * MAX_CONCURRENT_REQUESTS


async def test_a_body_that_drips_is_refused_once_its_time_is_up() -> None:
    ended = asyncio.Event()

    async def drip() -> AsyncGenerator[bytes]:
        yield b"{"
        await ended.wait()

    async def unasked(_: AsgiScope, __: Receive, ___: Send) -> None:
        raise AssertionError

    async with client(unasked, 0.05) as asked:
        reply = await asked.post("/health", content=drip())
    assert reply.status_code == 408
    assert reply.json()["hint"] == "Send the request again."


async def test_a_fault_of_the_application_is_answered_with_a_number_and_no_more() -> None:
    async def broken(_: AsgiScope, __: Receive, ___: Send) -> None:
        raise RuntimeError("a password: hunter2")

    async with client(broken) as asked:
        reply = await asked.get("/health")
    assert reply.status_code == 500
    assert reply.json()["fault"] in reply.json()["error"]
    assert "hunter2" not in reply.text
    assert reply.headers["x-content-type-options"] == "nosniff"


async def test_a_websocket_is_refused() -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def keep(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def never(*_: object) -> Any:  # noqa: ANN401 - never called
        raise AssertionError

    await edge(never)({"type": "websocket"}, never, keep)
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    ("headers", "id_"),
    [
        ({}, "new-1"),
        ({"x-request-id": "9f1c:a/b-7"}, "9f1c:a/b-7"),
        ({"x-request-id": "proxy", "x-signet-request-id": "own"}, "own"),
        ({"x-request-id": "two words"}, "new-1"),
        ({"x-request-id": "x" * 101}, "new-1"),
        ({"x-signet-request-id": "", "x-request-id": "proxy"}, "proxy"),
    ],
)
async def test_a_request_has_its_clients_id_if_that_is_a_plain_word(
    headers: dict[str, str], id_: str
) -> None:
    known: list[str | None] = []

    async def quick(_: AsgiScope, __: Receive, send: Send) -> None:
        known.append(current_request())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with client(quick) as asked:
        reply = await asked.get("/health", headers=headers)
        refused = await asked.get("/unknown", headers=headers)
    assert (known, reply.headers["x-request-id"]) == ([id_], id_)
    assert refused.headers["x-request-id"] in {id_, "new-2"}
    assert current_request() is None
