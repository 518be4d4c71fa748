"""Asks a server in a richer form first, then in simpler ones, and remembers what it accepts."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from intaglio.inference.completion.parameters import REFUSALS
from intaglio.inference.server_http import ExchangeFailure

T = TypeVar("T")

_NAMES_OF_FORMS: Final = (b"response_format", b"json_schema", b"json schema", b"grammar")


class Fallbacks:
    """Remembers, for each kind of request, the first form that a server accepted."""

    def __init__(self) -> None:
        self._accepted = dict[str, str]()

    async def first_accepted(
        self,
        kind: str,
        forms: Sequence[str],
        send: Callable[[str], Awaitable[T | ExchangeFailure]],
    ) -> T | ExchangeFailure:
        """Send a request in each form until one isn't refused as malformed.

        If all are, the request itself is at fault: nothing is remembered, and the first refusal is
        returned.
        """
        known = self._accepted.get(kind)
        first: ExchangeFailure | None = None
        for form in forms[forms.index(known) :] if known in forms else forms:
            outcome = await send(form)
            if not isinstance(outcome, ExchangeFailure):
                self._accepted[kind] = form
                return outcome
            first = first or outcome
            if not _is_about_the_form(outcome):
                return outcome
        assert first is not None, "there is at least one form"  # noqa: S101 - for the type checker
        return first


def _is_about_the_form(failure: ExchangeFailure) -> bool:
    """Whether a request may be refused for its form; llama-cpp-python answers 500 then."""
    said = failure.body.lower()
    return failure.status in REFUSALS or any(word in said for word in _NAMES_OF_FORMS)
