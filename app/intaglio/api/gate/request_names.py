"""Refuses addresses that aren't text, and names that an operation doesn't know.

Dropping an unknown filter would return too much.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_to_bytes

from litestar.handlers import BaseRouteHandler, HTTPRouteHandler

from intaglio.api.gate.declaration import Access, Declaration, Principal
from intaglio.api.gate.request_agent import AGENT_PARAMETERS
from intaglio.api.parameter_names import names_as_sent
from intaglio.base.errors import InvalidInputError

WITHOUT_EFFECT: Final[Mapping[str, frozenset[str]]] = {
    "searchMemories": frozenset({"expand"}),
    "hookRecall": frozenset({"cwd", "runtimePath", "sessionId"}),
}
"""Names that the contract's clients send to an operation, and that change nothing in it."""

_BAD_ESCAPE: Final = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_SHOWN_NAMES: Final = 5
_SHOWN_CHARS: Final = 60


@dataclass(slots=True)
class QueryNames:
    """The query parameters of a handler and its dependencies, found at the first request."""

    handler: HTTPRouteHandler
    dependencies: Mapping[str, Callable[..., Any]]
    _names: frozenset[str] | None = None

    def all(self) -> frozenset[str]:
        """Return their names, as clients write them."""
        if self._names is None:
            self._names = frozenset(names_as_sent(self.handler, self.dependencies).values())
        return self._names


def check_encoding(path: bytes, query: bytes) -> None:
    """Raise InvalidInputError unless path and query string encode text, without NUL.

    SQLite's text ends at a NUL, and a lone surrogate can't be stored.
    """
    for what, raw in (("path", path), ("query string", query)):
        if _BAD_ESCAPE.search(raw):
            raise InvalidInputError(
                f"The {what} has a % that isn't followed by two hexadecimal digits",
                hint="Write a percent sign as %25.",
            )
        sent = unquote_to_bytes(raw)
        if b"\0" in sent:
            raise InvalidInputError(f"The {what} contains a NUL byte", hint="Leave out %00.")
        try:
            sent.decode()
        except UnicodeDecodeError:
            raise InvalidInputError(
                f"The {what} isn't UTF-8", hint="Percent-encode the text's UTF-8 bytes."
            ) from None


def check_query(declared: Declaration, names: QueryNames, query: str) -> None:
    """Raise InvalidInputError if the query string has a parameter that the operation doesn't.

    Operations without any, such as /health, ignore what is sent: there is nothing to select.
    """
    if not query or declared.access in {Access.FILE, Access.LINK}:
        return
    if declared.principal is Principal.NOBODY and not names.all():
        return
    sent = [name for name, _ in parse_qsl(query, keep_blank_values=True)]
    refuse_unknown("query parameter", sent, names.all(), declared, names.handler)


def refuse_unknown(
    what: str,
    sent: Iterable[str],
    known: Iterable[str],
    declared: Declaration | None,
    handler: BaseRouteHandler,
) -> None:
    """Raise InvalidInputError if one of the sent names isn't known.

    ``what`` is what the names are, in the singular. The error lists the unknown and the valid ones.
    """
    valid = set(known)
    if declared is not None and declared.principal is not Principal.NOBODY:
        valid.update(AGENT_PARAMETERS)
    operation = str(getattr(handler, "operation_id", ""))
    accepted = valid | WITHOUT_EFFECT.get(operation, frozenset())
    unknown = [name for name in dict.fromkeys(sent) if name not in accepted]
    if not unknown:
        return
    shown = ", ".join(repr(name[:_SHOWN_CHARS]) for name in unknown[:_SHOWN_NAMES])
    raise InvalidInputError(
        f"Unknown {what}{'s' if len(unknown) > 1 else ''}: {shown}",
        hint=f"Use {', '.join(sorted(valid))}." if valid else f"Send no {what}s.",
    )
