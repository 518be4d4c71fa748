"""What a handler declares: who may call it, for which agent it acts, its limits.

The application can't be built with an undeclared operation. The gate reads the declaration before
it reads the body.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

from intaglio.base.metrics.usage import RequestKind

Operation: TypeAlias = Literal["forget", "modify", "batchForget", "forceDelete", "admin"]
"""A rate-limited operation, named as its setting in ``auth.rateLimits``."""

RateRule: TypeAlias = Callable[[str, bytes], tuple[Operation, ...]]
"""Maps a request's query string and body to the operations it counts as, usually none."""

BODY_BYTES: Final = 1_000_000
HOOK_BODY_BYTES: Final = 8_000_000
"""Larger, because a prompt may contain a pasted file."""
JSON: Final = "application/json"
BYTES: Final = "application/octet-stream"
PART_BODY_BYTES: Final = 8_388_608
"""A part of an uploaded file."""

_KEY: Final = "declaration"


class Access(Enum):
    """Who may call an operation. The owner (the installation's token) may call every operation."""

    FILE = "file"
    """Anyone on this machine, including a page that isn't signed in: it contains no secrets."""

    OPEN = "open"
    """Any program on this machine, whatever it shows; of browsers, those that are signed in."""

    LINK = "link"
    """Like ``PROGRAM``, also for browsers that follow a link to it without being signed in."""

    PROGRAM = "program"
    """Programs on this machine, and signed-in browsers."""

    HOOK = "hook"
    """Like ``PROGRAM``, and clients with the hook token."""

    BROWSER = "browser"
    """Signed-in browsers, but no programs without the token."""

    OWNER = "owner"
    """Only the owner."""


class Principal(Enum):
    """For which agent an operation acts: where a request may name it.

    Every operation that reads or changes memories acts for one. A request names it by ``agentId``
    or ``agent_id`` in its query or body, or by the header ``x-signet-agent-id``.
    """

    NOBODY = "nobody"
    """The operation neither reads nor changes memories."""

    AGENT = "agent"
    """Query, header or body name the agent."""

    SESSION = "session"
    """Like ``AGENT``; without a name, the body's session key may contain one."""

    HARNESS = "harness"
    """Query or header name the agent; the body is in the harness's own format."""


def no_rate_limit(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Return no operations: the request isn't rate-limited."""
    return ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the gate needs to know about an operation.

    A body of another type than JSON reaches the handler as it was sent. As what kind of request the
    operation is counted and timed is ``kind``.
    """

    access: Access
    principal: Principal = Principal.NOBODY
    rate: RateRule = no_rate_limit
    body_bytes: int = BODY_BYTES
    media_type: str = JSON
    kind: RequestKind = "other"

    @property
    def is_json(self) -> bool:
        """Whether the body is JSON."""
        return self.media_type == JSON


UNKNOWN: Final = Declaration(Access.PROGRAM)
"""For an unknown address: the caller must pass the gate before learning that it doesn't exist."""


def declare(
    access: Access,
    principal: Principal = Principal.NOBODY,
    *,
    rate: RateRule = no_rate_limit,
    body_bytes: int = BODY_BYTES,
    media_type: str = JSON,
    kind: RequestKind = "other",
) -> dict[str, object]:
    """Return the ``opt`` of a handler."""
    return {_KEY: Declaration(access, principal, rate, body_bytes, media_type, kind)}


def declared(options: Mapping[str, Any]) -> Declaration | None:
    """Return the declaration in a handler's ``opt``, or None."""
    found = options.get(_KEY)
    return found if isinstance(found, Declaration) else None
