"""The one place that turns a refusal, or a fault, into a reply."""

import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)

from intaglio.api.problems.errors import (
    MediaTypeError,
    MethodError,
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
_RETRY_AFTER_S: Final = "1"
_WHERE = re.compile(r" - at `\$\.?([^`]*)`$")
_MISSING = re.compile(r"missing required field `([^`]*)`")
# How the contract puts what may be wrong with a field.
_FIELD_WORDS: Final = {
    "if_version": "if_version must be a positive integer",
    "importance": "importance must be a finite number between 0 and 1",
    "pinned": "pinned must be true or false",
    "tags": "tags must be a string, a list of strings, or null",
    "reason": "reason is required",
}
_NULL = re.compile(r"got `null` - at `\$\.([^`.\[]*)`$")


def status_of(error: IntaglioError) -> int:
    """Return the HTTP status of a refusal: that of the nearest class in its line."""
    return next((_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS), 500)


def problem_body(error: IntaglioError, status: int) -> bytes:
    """Encode a refusal; its extra fields stand beside those of every problem."""
    problem = Problem(
        error=error.detail,
        code=error.code,
        title=error.title,
        status=status,
        detail=error.detail,
        hint=error.hint,
    )
    return msgspec.json.encode(msgspec.structs.asdict(problem) | error.extra)


def problem_headers(error: IntaglioError, status: int) -> dict[str, str]:
    """Return the headers that belong to a refusal with this status."""
    match status:
        case 429 if isinstance(error, TooOftenError):
            return {"retry-after": str(error.wait_s)}
        case 401:
            return {"www-authenticate": "Bearer"}
        case 429 | 503:
            return {"retry-after": _RETRY_AFTER_S}
        case _:
            return {}


def fault(error: BaseException) -> IntaglioError:
    """Log what should not have happened and make the refusal that names it by an id."""
    number = secrets.token_hex(4)
    get_logger("api").error("unexpected fault", fault=number, exc_info=error)
    return IntaglioError(
        f"An unexpected fault; the log has it as {number}.",
        hint=f"Run `{command('daemon logs')}` to see it, and please report it.",
        fault=number,
    )


def invalid_json(error: Exception) -> InvalidInputError:
    """Say what is wrong with a body in the contract's words where it has some."""
    text = str(error)
    missing = _MISSING.search(text) or _NULL.search(text)
    if missing:
        return InvalidInputError(f"{missing[1]} is required")
    where = _WHERE.search(text)
    if where is None or not isinstance(error, msgspec.ValidationError) or not where[1]:
        hint = "" if isinstance(error, RecursionError) else text
        return InvalidInputError("Invalid JSON body", hint=hint or "It is nested too deeply.")
    field = where[1].partition("[")[0]
    if field in _FIELD_WORDS:
        return InvalidInputError(_FIELD_WORDS[field], hint=text[: where.start()])
    return InvalidInputError(f"{where[1]}: {text[: where.start()]}")


def _from_litestar(error: HTTPException) -> IntaglioError:
    match error:
        case ValidationException():
            return _from_validation(error.extra)
        case MethodNotAllowedException():
            return MethodError("this address does not know that method")
        case NotFoundException():
            return NotFoundError("Not found", hint="GET /api/openapi.json lists every address.")
        case HTTPException(status_code=413):
            return TooLargeError("the body is too large")
        case HTTPException(status_code=status) if status < 500:  # noqa: PLR2004 - the client's share
            return InvalidInputError(error.detail)
        case _:
            return fault(error)


def _from_validation(extra: object) -> InvalidInputError:
    found: list[str] = []
    is_body = False
    for item in msgspec.convert(extra, list[dict[str, str]], strict=False) if extra else []:
        key = item.get("key", "")
        if item.get("source") == "body" or key == "data":
            # Where a parameter is wrong too, the framework blames a body that was left out.
            is_body = True
            continue
        told = f"{key}: {item.get('message', '')}".strip(": ")
        found.append(_FIELD_WORDS.get(key, told))
    if is_body and not found:
        return InvalidInputError("Invalid JSON body", hint="A JSON object is expected.")
    return InvalidInputError("; ".join(found) or "the request cannot be read")


def refusal(error: Exception) -> IntaglioError:
    """Turn whatever a handler raised into a refusal; what is none becomes a logged fault."""
    match error:
        case IntaglioError():
            return error
        case HTTPException():
            return _from_litestar(error)
        case _:
            return fault(error)


def answer_problem(_: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer an exception of a handler."""
    refused = refusal(error)
    status = status_of(refused)
    headers: Mapping[str, str] = problem_headers(refused, status)
    return Response(
        problem_body(refused, status), status_code=status, media_type=PROBLEM_TYPE, headers=headers
    )
