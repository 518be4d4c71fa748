"""Refusals that only the HTTP edge knows; each is a leaf below the one root in `base/errors`."""

from intaglio.base.errors import (
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    TooLargeError,
)


class QueryTooLongError(TooLargeError):
    """The query string exceeds its limit."""

    code = "query_too_long"


class MediaTypeError(InvalidInputError):
    """A page sent something else than JSON."""

    code = "media_type"


class TooSlowError(InvalidInputError):
    """The body did not arrive in time."""

    code = "too_slow"
    title = "The request took too long to arrive"


class MethodError(NotFoundError):
    """The address exists, but not with this method."""

    code = "method_not_allowed"
    title = "Not with this method"


class TooOftenError(RateLimitedError):
    """One actor asked for one thing too often; ``retryAfter`` in the reply is in ms since 1970."""

    def __init__(self, detail: str, *, wait_s: int, until_ms: int, hint: str = "") -> None:
        super().__init__(detail, hint=hint, retryAfter=until_ms)
        self.wait_s = wait_s
