"""JSON-RPC messages: what is a request, and what is refused."""

import json

import pytest

from intaglio.api.routes.mcp import mcp_rate
from intaglio.mcp.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    InvalidMessage,
    McpNotification,
    McpRequest,
    error_of,
    read_message,
    result_of,
)


@pytest.mark.parametrize("request_id", ["7", "-1", "123456789012345678901234567890", '"a\\u00e9"'])
def test_an_id_is_returned_exactly_as_it_came(request_id: str) -> None:
    found = read_message(
        f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping","params":{{"a":1}}}}'.encode()
    )
    assert isinstance(found, McpRequest)
    assert found == McpRequest(request_id.encode(), "ping", b'{"a":1}')
    assert f'"id":{request_id}'.encode() in result_of(found.id, {})
    assert f'"id":{request_id}'.encode() in error_of(found.id, -1, "no")


@pytest.mark.parametrize("request_id", ["null", "1.5", "true", "[1]", '{"a":1}', "1e3", "9" * 41])
def test_an_invalid_id_is_refused(request_id: str) -> None:
    body = f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping"}}'.encode()
    assert isinstance(read_message(body), InvalidMessage)


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
    ],
)
def test_notifications_and_responses_get_no_reply(message: object) -> None:
    assert read_message(json.dumps(message).encode()) == McpNotification()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", PARSE_ERROR),
        (b"{", PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b"3", INVALID_REQUEST),
        (b'{"id":1,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', INVALID_REQUEST),
    ],
)
def test_an_invalid_message_is_refused(body: bytes, code: int) -> None:
    found = read_message(body)
    assert isinstance(found, InvalidMessage)
    assert found.code == code


def test_a_lone_surrogate_is_replaced() -> None:
    params = b'{"a":"\\ud83e\\udd84 \\\\ud83e \\ud83e"}'
    found = read_message(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + params + b"}")
    assert isinstance(found, McpRequest)
    assert json.loads(found.params or b"") == {"a": "\U0001f984 \\ud83e \ufffd"}


def test_a_tool_call_has_the_rate_limit_of_its_rest_request() -> None:
    limited = {"memory_modify": ("modify",), "memory_forget": ("forget",), "memory_get": ()}
    for name, operations in limited.items():
        for reason in ("x", "\\ud83e"):
            params = f'{{"name":"{name}","arguments":{{"reason":"{reason}"}}}}'
            body = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}'
            assert mcp_rate("", body.encode()) == operations
