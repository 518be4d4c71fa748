"""Refusals that only the HTTP edge knows; each is a leaf below the one root in `base/errors`."""

from intaglio.base.errors import InvalidInputError, NotFoundError, TooLargeError


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
