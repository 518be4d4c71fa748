"""Errors that only the HTTP edge raises, below those in `base/errors`."""

from intaglio.base.errors import (
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    RateLimitedError,
    TooLargeError,
    UnauthenticatedError,
)


class QueryTooLongError(TooLargeError):
    """The query string is too long."""

    code = "query_too_long"


class SignedOutError(UnauthenticatedError):
    """The request is a browser's that has no session."""

    code = "signed_out"


class MediaTypeError(InvalidInputError):
    """A page sent a body that isn't JSON."""

    code = "media_type"


class TooSlowError(InvalidInputError):
    """The body didn't arrive in time."""

    code = "too_slow"
    title = "The request took too long to arrive"


class OtherUserError(ForbiddenError):
    """The connection comes from another user of this machine; it is closed."""

    code = "other_user"


class MethodError(NotFoundError):
    """The address exists but doesn't support this method."""

    code = "method_not_allowed"
    title = "Method not allowed"


class TooOftenError(RateLimitedError):
    """An actor exceeded a rate limit; ``retryAfter`` in the reply is in ms since 1970."""

    def __init__(self, detail: str, *, wait_s: int, until_ms: int, hint: str = "") -> None:
        super().__init__(detail, hint=hint, retryAfter=until_ms)
        self.wait_s = wait_s
