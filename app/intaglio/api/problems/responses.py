"""Turns every error into an HTTP response."""

import re
import secrets
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.handlers import BaseRouteHandler

from intaglio.api.parameter_names import names_as_sent
from intaglio.api.problems.errors import (
    MediaTypeError,
    MethodError,
    OtherUserError,
    QueryTooLongError,
    TooOftenError,
    TooSlowError,
)
from intaglio.base.errors import (
    ConflictError,
    ForbiddenError,
    IntaglioError,
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    TooLargeError,
    UnauthenticatedError,
    UnavailableError,
)
from intaglio.base.installation import command
from intaglio.base.log import get_logger
from intaglio.wire.problem import Problem

PROBLEM_TYPE: Final = "application/problem+json"
_STATUS: Final[dict[type[IntaglioError], int]] = {
    QueryTooLongError: 414,
    MediaTypeError: 415,
    TooSlowError: 408,
    MethodError: 405,
    InvalidInputError: 400,
    UnauthenticatedError: 401,
    ForbiddenError: 403,
    NotFoundError: 404,
    ConflictError: 409,
    TooLargeError: 413,
    RateLimitedError: 429,
    UnavailableError: 503,
}
# For errors raised without a hint of their own.
_HINTS: Final[dict[type[IntaglioError], str]] = {
    InvalidInputError: "GET /api/openapi.json describes what this endpoint accepts.",
    MethodError: "GET /api/openapi.json lists the methods of every endpoint.",
    NotFoundError: "Check the id. What was erased, or what this agent can't read, isn't found.",
    ConflictError: "Read the current state and try again.",
    TooLargeError: "Send less in one request.",
}
_RETRY_AFTER_S: Final = "1"
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})
_WHERE = re.compile(r" - at `\$\.?([^`]*)`$")
_MISSING = re.compile(r"missing required field `([^`]*)`")
# The contract's error texts for invalid fields.
_FIELD_WORDS: Final = {
    "if_version": "if_version must be a positive integer",
    "importance": "importance must be a finite number between 0 and 1",
    "pinned": "pinned must be true or false",
    "tags": "tags must be a string, a list of strings, or null",
    "reason": "reason is required",
}
_MISSING_PARAMETER = re.compile(r"Missing required \w+ parameter '([^']*)'")
_NULL = re.compile(r"got `null` - at `\$\.([^`.\[]*)`$")


def status_of(error: IntaglioError) -> int:
    """Return the HTTP status of an error: that of its nearest mapped class."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)


def _hint_of(error: IntaglioError) -> str:
    fallbacks = (_HINTS[kind] for kind in type(error).__mro__ if kind in _HINTS)
    return error.hint or next(fallbacks, "")


def problem_body(error: IntaglioError, status: int) -> bytes:
    """Encode an error as JSON; its extra fields are added to those of every problem."""
    problem = Problem(
        error=error.detail,
        code=error.code,
        title=error.title,
        status=status,
        detail=error.detail,
        hint=_hint_of(error),
    )
    return msgspec.json.encode(msgspec.structs.asdict(problem) | error.extra)


def problem_headers(error: IntaglioError, status: int) -> dict[str, str]:
    """Return the headers of an error response with this status."""
    match status:
        case 429 if isinstance(error, TooOftenError):
            return {"retry-after": str(error.wait_s)}
        case 403 if isinstance(error, OtherUserError):
            return {"connection": "close"}
        case 401:
            return {"www-authenticate": "Bearer"}
        case 429 | 503:
            return {"retry-after": _RETRY_AFTER_S}
        case _:
            return {}


def fault(error: BaseException) -> IntaglioError:
    """Log an unexpected exception and return an error that refers to it by an id."""
    number = secrets.token_hex(4)
    get_logger("api").error("unexpected fault", fault=number, exc_info=error)
    return IntaglioError(
        f"An unexpected error occurred (log id {number}).",
        hint=f"Run `{command('daemon logs')}` to see it, and please report it.",
        fault=number,
    )


def invalid_json(error: Exception) -> InvalidInputError:
    """Return the error for an invalid body, in the contract's words where it defines them."""
    text = str(error)
    missing = _MISSING.search(text) or _NULL.search(text)
    if missing:
        return InvalidInputError(f"{missing[1]} is required")
    where = _WHERE.search(text)
    if where is None or not isinstance(error, msgspec.ValidationError) or not where[1]:
        hint = "" if isinstance(error, RecursionError) else text
        return InvalidInputError("Invalid JSON body", hint=hint or "It's nested too deeply.")
    field = where[1].partition("[")[0]
    if field in _FIELD_WORDS:
        return InvalidInputError(_FIELD_WORDS[field], hint=text[: where.start()])
    return InvalidInputError(f"{where[1]}: {text[: where.start()]}")


def _from_litestar(error: HTTPException, names: Mapping[str, str]) -> IntaglioError:
    match error:
        case ValidationException():
            return _from_validation(error, names)
        case MethodNotAllowedException():
            return MethodError("This method isn't supported here")
        case NotFoundException():
            return NotFoundError("Not found", hint="GET /api/openapi.json lists every endpoint.")
        case HTTPException(status_code=413):
            return TooLargeError("The body is too large", hint="Split it into several requests.")
        case HTTPException(status_code=status) if status < 500:  # noqa: PLR2004 - the client's share
            return InvalidInputError(error.detail)
        case _:
            return fault(error)


def _from_validation(error: ValidationException, names: Mapping[str, str]) -> InvalidInputError:
    extra = error.extra
    if not extra and (missing := _MISSING_PARAMETER.match(error.detail)):
        return InvalidInputError(f"{missing[1]} is required")
    found: list[str] = []
    is_body = False
    for item in msgspec.convert(extra, list[dict[str, str]], strict=False) if extra else []:
        key = item.get("key", "")
        if item.get("source") == "body" or key == "data":
            # The framework also reports a missing body when a parameter is wrong.
            is_body = True
            continue
        key = names.get(key, key)
        message = f"{key}: {item.get('message', '')}".strip(": ")
        found.append(_FIELD_WORDS.get(key, message))
    if is_body and not found:
        return InvalidInputError("Invalid JSON body", hint="Send a JSON object.")
    return InvalidInputError("; ".join(found) or "Invalid request")


def refusal(error: Exception, names: Mapping[str, str] = _NO_NAMES) -> IntaglioError:
    """Map an exception to an error; an unexpected one is logged.

    ``names`` maps parameters of the handler to the names that clients write.
    """
    match error:
        case IntaglioError():
            return error
        case HTTPException():
            return _from_litestar(error, names)
        case _:
            return fault(error)


def _names_of(handler: BaseRouteHandler) -> Mapping[str, str]:
    provided = handler.resolve_dependencies().items()
    return names_as_sent(handler, {name: each.dependency for name, each in provided})


def answer_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Return the error response for an exception of a handler."""
    is_about_arguments = isinstance(error, ValidationException)
    refused = refusal(error, _names_of(request.route_handler) if is_about_arguments else _NO_NAMES)
    status = status_of(refused)
    headers: Mapping[str, str] = problem_headers(refused, status)
    return Response(
        problem_body(refused, status), status_code=status, media_type=PROBLEM_TYPE, headers=headers
    )
