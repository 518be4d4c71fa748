"""Rubbish at /mcp: a JSON-RPC reply with the request's id, or a refusal, and never a fault.

What a tool is sent is made from its own schema, so a new tool is tried without a line here.
"""

import asyncio
import json
import socket
from collections.abc import Generator, Iterator
from itertools import product
from typing import Any, Final

import httpx
import pytest

from fakes.daemon import Daemon
from fakes.mcp import ENDPOINT, checked_reply, message, text_of, tool_call
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.mcp.tool_list import TOOLS

INVALID_PARAMS: Final = -32_602
# An idle daemon that has loaded its model has 200 MB.
RSS_BYTES: Final = 250_000_000
AT_ONCE: Final = 200
DEEP: Final = "[" * 50_000 + "]" * 50_000

# JSON texts, since a value of Python couldn't say all of them.
VALUES: Final = {
    "null": "null",
    "true": "true",
    "zero": "0",
    "negative": "-1",
    "float": "0.5",
    "beyond": "1e308",
    "infinite": "1e999",
    "huge number": "9" * 4_000,
    "empty": '""',
    "blanks": '" \\t\\n"',
    "nul": '"a\\u0000b"',
    "lone surrogate": '"\\ud800"',
    "invisible": '"\u202e\u200b\ufeff"',
    "query": '"\\"a\\" OR NEAR(b c) * ^ col:x -- ; {}"',
    "number as text": '"1"',
    "long": f'"{"word " * 190_000}"',
    "array": "[]",
    "texts": '["a", "b"]',
    "mixed": '["a", 1, null, {}]',
    "object": "{}",
    "keys": '{"": 1, "\\u0000": 2, "id": {"id": {}}}',
    "deep": DEEP,
}
FITTING: Final[dict[str, object]] = {
    "string": "a",
    "integer": 1,
    "number": 0.5,
    "object": {},
    "boolean": False,
}

VALID_IDS: Final = [
    "0",
    "-1",
    str(2**63),
    "9" * 30,
    '""',
    '"a b"',
    '"\\u0000"',
    '"\\ud83e\\udd84"',
    '"é"',
]
INVALID_IDS: Final = ["null", "1.5", "1e3", "true", "[1]", '{"a":1}', "9" * 4_000, DEEP]

PARSE_ERROR: Final = -32_700
INVALID_REQUEST: Final = -32_600
NO_MESSAGES: Final = {
    "nothing": (b"", PARSE_ERROR),
    "blanks": (b" \n ", PARSE_ERROR),
    "no JSON": (b"method=ping&id=1", PARSE_ERROR),
    "cut": (b'{"jsonrpc": "2.0", "id": 1, "method": "pi', PARSE_ERROR),
    "two": (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"} {}', PARSE_ERROR),
    "line break in the id": (b'{"jsonrpc": "2.0", "id": "a\nb", "method": "ping"}', PARSE_ERROR),
    "escape in the id": (b'{"jsonrpc": "2.0", "id": "\\x", "method": "ping"}', PARSE_ERROR),
    "deep": (DEEP.encode(), INVALID_REQUEST),
    "deep inside": (b'{"jsonrpc": "2.0", "id": 1, "x": ' + DEEP.encode() + b"}", PARSE_ERROR),
    "null": (b"null", INVALID_REQUEST),
    "text": (b'"ping"', INVALID_REQUEST),
    "batch": (json.dumps([message("ping"), message("ping")]).encode(), INVALID_REQUEST),
    "empty batch": (b"[]", INVALID_REQUEST),
    "empty object": (b"{}", INVALID_REQUEST),
}


@pytest.fixture(scope="module")
def client(daemon: Daemon) -> Generator[httpx.Client]:
    """A client; when all is done, the daemon is well, and none of it was an unexpected fault."""
    with daemon.client() as client:
        yield client
        checked_reply(client.post(ENDPOINT, json=message("ping")), 1)

        # What a request needed is given back after a rest.
        def is_bounded() -> bool:
            status: dict[str, Any] = client.get("/api/status", headers=daemon.owner).json()
            return bool(status["process"]["rssBytes"] < RSS_BYTES)

        wait_for(is_bounded, f"less than {RSS_BYTES} bytes of memory")
    assert "unexpected fault" not in daemon.paths.log_file.read_text()


def fitting(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the required arguments, each of its type."""
    return {name: FITTING[schema["properties"][name]["type"]] for name in schema["required"]}


def bad_arguments(schema: dict[str, Any]) -> Iterator[str]:
    """Yield what a tool could be sent, as JSON: each argument odd, missing, or not known."""
    base = fitting(schema)
    for name in schema["properties"]:
        others = {other: value for other, value in base.items() if other != name}
        yield json.dumps(others)
        for value in VALUES.values():
            yield f"{json.dumps(others)[:-1]}{', ' if others else ''}{json.dumps(name)}: {value}}}"
    for value in VALUES.values():
        yield value
        yield f'{{"unknown": {value}}}'


@pytest.mark.parametrize("name", TOOLS)
def test_no_argument_breaks_a_tool(client: httpx.Client, name: str) -> None:
    listed = client.post(ENDPOINT, json=message("tools/list")).json()["result"]["tools"]
    schema = next(tool["inputSchema"] for tool in listed if tool["name"] == name)
    for number, arguments in enumerate(bad_arguments(schema)):
        body = json.dumps(tool_call(name, None, number)).replace(
            '"arguments": null', f'"arguments": {arguments}'
        )
        # What nests deeper than any reader goes isn't read as far as its id.
        request_id = None if DEEP in arguments else number
        found = checked_reply(client.post(ENDPOINT, content=body.encode()), request_id)
        if "result" in found:
            assert text_of(found["result"])
        else:
            codes = {PARSE_ERROR} if DEEP in arguments else {INVALID_PARAMS}
            assert found["error"]["code"] in codes, arguments[:200]


@pytest.mark.parametrize("name", TOOLS)
def test_missing_required_arguments_are_named(client: httpx.Client, name: str) -> None:
    schema = client.post(ENDPOINT, json=message("tools/list")).json()["result"]["tools"]
    required = next(tool["inputSchema"]["required"] for tool in schema if tool["name"] == name)
    for sent in ({}, {"unknown": 1}):
        result = client.post(ENDPOINT, json=tool_call(name, sent)).json()["result"]
        assert result.get("isError", False) is bool(required)
        named = required or list(sent)
        assert not named or any(word in text_of(result) for word in named)


def test_an_id_comes_back_as_it_was(client: httpx.Client) -> None:
    for request_id in VALID_IDS:
        body = f'{{"jsonrpc": "2.0", "method": "ping", "id": {request_id}}}'
        reply = client.post(ENDPOINT, content=body.encode())
        assert checked_reply(reply, json.loads(request_id))["result"] == {}


def test_an_invalid_id_is_refused(client: httpx.Client) -> None:
    for request_id in INVALID_IDS:
        body = f'{{"jsonrpc": "2.0", "method": "ping", "id": {request_id}}}'
        reply = client.post(ENDPOINT, content=body.encode())
        code = checked_reply(reply, None)["error"]["code"]
        assert code in {INVALID_REQUEST, PARSE_ERROR}, request_id[:20]
        assert reply.status_code == 400


def test_an_invalid_message_is_refused(client: httpx.Client) -> None:
    for name, (body, code) in NO_MESSAGES.items():
        reply = client.post(ENDPOINT, content=body)
        assert reply.status_code == 400, name
        assert checked_reply(reply, None)["error"]["code"] == code, name


@pytest.mark.parametrize("version", ["1.0", 2.0, 2, None, ["2.0"]])
def test_another_version_of_json_rpc_is_refused(client: httpx.Client, version: object) -> None:
    reply = client.post(ENDPOINT, json={**message("ping"), "jsonrpc": version})
    assert checked_reply(reply, 1)["error"]["code"] == INVALID_REQUEST
    assert reply.status_code == 400


def test_no_parameters_break_a_method(client: httpx.Client) -> None:
    methods = ("initialize", "ping", "tools/list", "tools/call", "server/discover")
    for value, method in product(VALUES.values(), methods):
        for params in (value, f'{{"name": {value}}}', f'{{"protocolVersion": {value}}}'):
            body = f'{{"jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params}}}'
            checked_reply(
                client.post(ENDPOINT, content=body.encode()), None if value == DEEP else 1
            )
    for value in VALUES.values():
        body = f'{{"jsonrpc": "2.0", "id": 1, "method": {value}}}'
        reply = client.post(ENDPOINT, content=body.encode())
        checked_reply(reply, 1 if value.startswith('"') else None)


@pytest.mark.parametrize("name", ["", "memory", "memory_Search", "memory_search ", "a" * 10_000])
def test_an_unknown_tool_is_an_invalid_parameter(client: httpx.Client, name: str) -> None:
    reply = client.post(ENDPOINT, json=tool_call(name, {"query": "tea"}))
    assert checked_reply(reply, 1)["error"]["code"] == INVALID_PARAMS
    assert len(reply.content) < 1_000


def test_a_message_of_more_than_1_mb_is_refused(client: httpx.Client) -> None:
    large = tool_call("memory_search", {"query": "x" * 1_000_000})
    reply = client.post(ENDPOINT, json=large)
    assert reply.status_code == 413
    assert {"title", "detail", "hint"} <= reply.json().keys()


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_to_open_and_no_session_to_end(
    client: httpx.Client, method: str
) -> None:
    assert client.request(method, ENDPOINT).status_code == 405


@pytest.mark.parametrize("version", ["2030-01-01", "x" * 5_000, "2025-06-18, 2025-06-18"])
def test_a_version_of_the_transport_that_is_unknown_is_refused(
    client: httpx.Client, version: str
) -> None:
    headers = {"mcp-protocol-version": version}
    reply = client.post(ENDPOINT, json=message("ping"), headers=headers)
    assert reply.status_code == 400
    assert checked_reply(reply, 1)["error"]["code"] == INVALID_PARAMS


def test_no_request_context_breaks_a_call(client: httpx.Client) -> None:
    names = ("harness", "workspace", "session", "process", "agentId")
    values = ("", " ", "0", "-1", "9" * 30, "1.5", "%00", "%ff", "../..", "/" * 4_000, "%f0%9f")
    body = tool_call("memory_list", {"limit": 1})
    for name, value in product(names, values):
        replies = [client.post(f"{ENDPOINT}?{name}={value}", json=body)]
        if "%" not in value:
            header = f"x-intaglio-{name.replace('agentId', 'agent-id')}"
            replies.append(client.post(ENDPOINT, json=body, headers={header: value.strip()}))
        for reply in replies:
            if reply.status_code == 400 and reply.headers["content-type"].endswith("problem+json"):
                assert {"title", "detail", "hint"} <= reply.json().keys()
            else:
                assert "result" in checked_reply(reply, 1), (name, value)


def test_calls_whose_caller_leaves_do_no_harm(daemon: Daemon, client: httpx.Client) -> None:
    body = json.dumps(tool_call("memory_search", {"query": "tea"})).encode()
    head = f"POST {ENDPOINT} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    for sent in (body, body[:20]):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", daemon.port), PATIENCE_S) as left:
                left.sendall(head.encode() + sent)
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    reply = client.post(ENDPOINT, json=cancelled)
    assert (reply.status_code, reply.content) == (202, b"")


async def test_two_hundred_calls_at_once_are_all_answered(
    daemon: Daemon, client: httpx.Client
) -> None:
    del client
    names = list(TOOLS)
    limits = httpx.Limits(max_connections=AT_ONCE)
    async with httpx.AsyncClient(
        base_url=daemon.url, timeout=PATIENCE_S, trust_env=False, limits=limits
    ) as many:

        async def call(number: int) -> None:
            name = names[number % len(names)]
            sent = {"content": f"Stone {number} is laid."} if name == "memory_store" else {}
            sent |= {"query": "stone"} if name == "memory_search" else {}
            reply = await many.post(ENDPOINT, json=tool_call(name, sent, number))
            result = checked_reply(reply, number)["result"]
            # What is stored without a project waits for the user.
            is_refused = name not in {"memory_search", "memory_list"}
            assert result.get("isError", False) is is_refused, text_of(result)

        await asyncio.gather(*map(call, range(AT_ONCE)))
