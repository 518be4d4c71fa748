"""Who asks: the role that the guard found, and the names that go into a memory's history."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from litestar.connection import ASGIConnection


class Role(Enum):
    """What the asker has shown."""

    LOCAL = "local"
    """A program on this machine that showed nothing; it may do all but `local` endpoints."""

    HOOKS = "hooks"
    """The hook-only token: the hook endpoints and nothing else."""

    BROWSER = "browser"
    """A page of ours with the session cookie of a one-time link."""

    OWNER = "owner"
    """The installation's token: everything."""


ROLE_KEY = "intaglio_role"
"""Where the edge leaves the role in the ASGI scope's state."""

KERNEL_KEY = "intaglio_kernel"
"""Where the edge leaves the kernel that answers."""

_NAME_LIMIT = 200
_ACTOR_TYPES = frozenset({"operator", "agent", "daemon", "pipeline", "harness", "sdk"})


@dataclass(frozen=True, slots=True)
class ActorHeaders:
    """Who the request says it is, from its headers; never a proof of anything."""

    name: str | None
    type: str
    session_id: str | None
    request_id: str | None
    reason: str | None
    agent_id: str | None
    runtime_path: str | None


def _given(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(f"x-signet-{name}") or headers.get(f"x-intaglio-{name}") or ""
    # Headers arrive as Latin-1; control characters have no place in a history row.
    clean = "".join(letter for letter in value if letter.isprintable()).strip()
    return clean[:_NAME_LIMIT] or None


def actor_headers(headers: Mapping[str, str]) -> ActorHeaders:
    """Read the ``x-signet-*`` headers, or their ``x-intaglio-*`` synonyms."""
    kind = _given(headers, "actor-type")
    path = _given(headers, "runtime-path")
    return ActorHeaders(
        name=_given(headers, "actor"),
        type=kind if kind in _ACTOR_TYPES else "operator",
        session_id=_given(headers, "session-id"),
        request_id=_given(headers, "request-id"),
        reason=_given(headers, "reason"),
        agent_id=_given(headers, "agent-id"),
        runtime_path=path if path in {"plugin", "legacy"} else None,
    )


def wants_no_hooks(headers: Mapping[str, str]) -> bool:
    """Tell whether the client switched hooks off for itself."""
    return _given(headers, "no-hooks") == "1"


def role_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Role:
    """Return the role that the guard found."""
    role: Role = connection.scope["state"][ROLE_KEY]
    return role
