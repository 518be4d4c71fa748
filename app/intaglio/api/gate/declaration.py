"""What a handler declares: who may call it, what it counts as, how large its body may be.

An operation without a declaration is refused when the application is built. The gate reads the
declaration before it reads the body.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal, TypeAlias

Operation: TypeAlias = Literal["forget", "modify", "batchForget", "forceDelete", "admin"]
"""What is limited in number, by the name of its settings in ``auth.rateLimits``."""

RateRule: TypeAlias = Callable[[str, bytes], tuple[Operation, ...]]
"""From a request's query string and body to the operations that it counts as; mostly none."""

BODY_BYTES: Final = 1_000_000
HOOK_BODY_BYTES: Final = 8_000_000
"""A prompt may hold a pasted file, and must not be lost for it."""

_KEY: Final = "declaration"


class Access(Enum):
    """Who may call an operation. The owner, by the installation's token, may call every one."""

    FILE = "file"
    """Anyone on this machine, a page that has not signed in too: it holds no secret."""

    LINK = "link"
    """As ``PROGRAM``, and a link on another site may open it."""

    PROGRAM = "program"
    """Programs on this machine, and browsers that have signed in."""

    HOOK = "hook"
    """As ``PROGRAM``, and whoever shows the hook token."""

    BROWSER = "browser"
    """Browsers that have signed in, but no program without the token."""

    OWNER = "owner"
    """The owner alone."""


def uncounted(_query: str, _body: bytes) -> tuple[Operation, ...]:
    """Count nothing: the operation has no rate limit."""
    return ()


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the gate has to know of an operation."""

    access: Access
    rate: RateRule = uncounted
    body_bytes: int = BODY_BYTES


UNKNOWN: Final = Declaration(Access.PROGRAM)
"""For an address that does not exist: the gate judges who asks before that is said."""


def declare(
    access: Access, *, rate: RateRule = uncounted, body_bytes: int = BODY_BYTES
) -> dict[str, object]:
    """Make the ``opt`` of a handler."""
    return {_KEY: Declaration(access, rate, body_bytes)}


def declared(options: Mapping[str, Any]) -> Declaration | None:
    """Read what a handler's ``opt`` declares; None where it declares nothing."""
    found = options.get(_KEY)
    return found if isinstance(found, Declaration) else None
