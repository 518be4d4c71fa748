"""Turns an error reply of the daemon back into the exception it was made from."""

from typing import Any, cast

import httpx
import msgspec

from intaglio.base.errors import (
    ConfirmationNeededError,
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


class UnreachableError(UnavailableError):
    """The daemon isn't running or doesn't answer."""

    code = "unreachable"
    title = "Couldn't reach the daemon"


class UnresponsiveError(UnreachableError):
    """The daemon, or a program in its place, accepted a request and didn't answer in time."""


_BY_STATUS: dict[int, type[IntaglioError]] = {
    400: InvalidInputError,
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    429: RateLimitedError,
    503: UnavailableError,
}
# Those that a caller tells from others of their status.
_BY_CODE: dict[str, type[IntaglioError]] = {
    ConfirmationNeededError.code: ConfirmationNeededError,
}
_PROBLEM_FIELDS = frozenset({"error", "code", "title", "status", "detail", "hint"})


def read_problem(response: httpx.Response) -> IntaglioError:
    """Return the exception for an error reply.

    A reply that isn't in the daemon's form comes from another program on that port.
    """
    try:
        body = msgspec.json.decode(response.content)
    except (msgspec.DecodeError, UnicodeDecodeError):
        body = None
    fields = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
    if "code" not in fields:
        return UnreachableError(
            f"Another program answers at {response.url} (HTTP {response.status_code})."
        )
    extra = {name: value for name, value in fields.items() if name not in _PROBLEM_FIELDS}
    of_status = _BY_STATUS.get(response.status_code, IntaglioError)
    kind = _BY_CODE.get(str(fields["code"]), of_status)
    detail = fields.get("detail") or fields.get("error") or f"HTTP {response.status_code}"
    return kind(str(detail), hint=str(fields.get("hint") or ""), **extra)
