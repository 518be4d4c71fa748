"""The one root of everything that Intaglio refuses, and its leaves.

The HTTP edge, the command line and the tray show ``title`` and ``hint`` from the same object;
only the edge knows status codes.
"""

from typing import ClassVar


class IntaglioError(Exception):
    """Something was refused or failed in a way that a person can act on.

    ``code`` is a stable word for programs, ``title`` says what in a few words, ``detail`` says it
    for this case, ``hint`` says what to do, ``extra`` holds fields that a reply carries besides.
    """

    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"

    def __init__(self, detail: str, *, hint: str = "", **extra: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.hint = hint
        self.extra = extra


class InvalidInputError(IntaglioError):
    """The request is malformed or out of range."""

    code = "invalid_input"
    title = "The request cannot be read"


class MisconfiguredError(InvalidInputError):
    """A setting or a variable of the environment cannot be used as it stands."""

    code = "misconfigured"
    title = "A setting cannot be used"


class UnauthenticatedError(IntaglioError):
    """No proof of who asks, or a broken one."""

    code = "unauthenticated"
    title = "Sign in first"


class ForbiddenError(IntaglioError):
    """Known or unknown, the asker may not do this."""

    code = "forbidden"
    title = "Not allowed"


class NotFoundError(IntaglioError):
    """There is no such thing, or it is not visible to the asker."""

    code = "not_found"
    title = "Not found"


class ConflictError(IntaglioError):
    """The thing is not in the state that the request expects."""

    code = "conflict"
    title = "It cannot be done as things stand"


class TooLargeError(IntaglioError):
    """The request exceeds a size limit."""

    code = "too_large"
    title = "Too large"


class RateLimitedError(IntaglioError):
    """Too many requests of one kind."""

    code = "rate_limited"
    title = "Too many requests"


class UnavailableError(IntaglioError):
    """The daemon cannot do this now: starting, checking, degraded, full, or not running."""

    code = "unavailable"
    title = "Not available now"
