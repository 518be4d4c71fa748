"""JSON-RPC 2.0 as the Model Context Protocol uses it: reads a message, writes its reply."""

import re
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType

from intaglio.base.json.characters import readable

PARSE_ERROR: Final = -32_700
INVALID_REQUEST: Final = -32_600
METHOD_NOT_FOUND: Final = -32_601
INVALID_PARAMS: Final = -32_602
INTERNAL_ERROR: Final = -32_603

_NULL: Final = b"null"
# Ids are texts or whole numbers; they are returned exactly as they came.
_ID: Final = re.compile(rb'"[^\x00]*"|-?\d{1,40}', re.DOTALL)


@dataclass(frozen=True, slots=True)
class McpRequest:
    """A request: ``id`` is the JSON of its id, ``params`` the JSON of its parameters or None."""

    id: bytes
    method: str
    params: bytes | None


@dataclass(frozen=True, slots=True)
class McpNotification:
    """A message that is never replied to: a notification, or a client's response."""


@dataclass(frozen=True, slots=True)
class InvalidMessage:
    """A message that can't be answered as a request; ``id`` is its own if it has a valid one."""

    code: int
    text: str
    id: bytes = _NULL


McpMessage: TypeAlias = McpRequest | McpNotification | InvalidMessage


class _Message(msgspec.Struct):
    jsonrpc: object = None
    id: Raw | UnsetType = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_decoder: Final = msgspec.json.Decoder(_Message)


def read_message(body: bytes) -> McpMessage:
    """Read one message; batches, which later versions of the protocol removed, are refused."""
    try:
        found = _decoder.decode(readable(body))
    except msgspec.ValidationError:
        return InvalidMessage(INVALID_REQUEST, "The body must be one JSON-RPC message")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return InvalidMessage(PARSE_ERROR, "The body isn't valid JSON")
    return _interpreted(found)


def _interpreted(found: _Message) -> McpMessage:
    has_id = not isinstance(found.id, UnsetType)
    own = _valid_id(found.id) if not isinstance(found.id, UnsetType) else None
    is_response = found.result is not UNSET or found.error is not UNSET
    match found:
        case _Message(jsonrpc=version) if version != "2.0":
            return InvalidMessage(INVALID_REQUEST, 'jsonrpc must be "2.0"', own or _NULL)
        case _Message(method=str()) if not has_id:
            return McpNotification()
        case _Message(method=str(method)) if own is not None:
            return McpRequest(own, method, _raw(found.params))
        case _Message(method=str()):
            return InvalidMessage(INVALID_REQUEST, "id must be a text or a whole number")
        case _ if is_response:
            return McpNotification()
        case _:
            return InvalidMessage(INVALID_REQUEST, "method is required", own or _NULL)


def _raw(value: Raw | UnsetType) -> bytes | None:
    return None if isinstance(value, UnsetType) else bytes(value)


def _valid_id(value: Raw) -> bytes | None:
    found = bytes(value)
    try:
        # What isn't interpreted isn't checked either.
        found.decode()
    except UnicodeDecodeError:
        return None
    return found if _ID.fullmatch(found) else None


def result_of(request_id: bytes, result: Any) -> bytes:  # noqa: ANN401 - anything JSON can hold
    """Return the reply with a result."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": Raw(request_id), "result": result})


def error_of(request_id: bytes, code: int, text: str) -> bytes:
    """Return the reply with an error."""
    failed = {"code": code, "message": text}
    return msgspec.json.encode({"jsonrpc": "2.0", "id": Raw(request_id), "error": failed})
