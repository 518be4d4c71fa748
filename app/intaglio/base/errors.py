"""The exceptions that Intaglio raises for expected failures, below one root.

The HTTP API, the command line and the tray show the same ``title`` and ``hint``; only the API knows
status codes.
"""

from typing import ClassVar


class IntaglioError(Exception):
    """An expected failure that a person can act on.

    ``code`` is a stable identifier for programs, ``title`` a short general description, ``detail``
    describes this case, ``hint`` says what to do, ``extra`` holds additional fields of the
    response.
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
    title = "Invalid request"


class MisconfiguredError(InvalidInputError):
    """A setting or an environment variable has an unusable value."""

    code = "misconfigured"
    title = "Invalid setting"


class UnauthenticatedError(IntaglioError):
    """The request has no valid credentials."""

    code = "unauthenticated"
    title = "Sign in first"


class ForbiddenError(IntaglioError):
    """The caller isn't allowed to do this."""

    code = "forbidden"
    title = "Not allowed"


class NotFoundError(IntaglioError):
    """The resource doesn't exist, or the caller may not see it."""

    code = "not_found"
    title = "Not found"


class ConflictError(IntaglioError):
    """The resource isn't in the state that the request requires."""

    code = "conflict"
    title = "Can't do this now"


class ConfirmationNeededError(ConflictError):
    """The change has a consequence that the user must confirm first."""

    code = "confirmation_needed"
    title = "Confirm this change"


class TooLargeError(IntaglioError):
    """The request exceeds a size limit."""

    code = "too_large"
    title = "Too large"


class RateLimitedError(IntaglioError):
    """Too many requests of one kind."""

    code = "rate_limited"
    title = "Too many requests"


class UnavailableError(IntaglioError):
    """The daemon can't do this now: starting, checking, degraded, overloaded or not running."""

    code = "unavailable"
    title = "Unavailable"


def writes_frozen() -> UnavailableError:
    """Return the error for a change while the user has frozen all of them."""
    return UnavailableError(
        "Mutations are frozen (kill switch active)",
        hint="Set memory.pipelineV2.mutationsFrozen to false in Settings.",
    )
