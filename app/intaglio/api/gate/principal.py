"""Who makes a request: the role the guard found, and the names for a memory's history."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from litestar.connection import ASGIConnection


class Role(Enum):
    """What a caller has authenticated as."""

    LOCAL = "local"
    """A program on this machine without credentials."""

    HOOKS = "hooks"
    """A client with the hook token; it may only call the hook endpoints."""

    BROWSER = "browser"
    """A dashboard page with the session cookie of a one-time link."""

    OWNER = "owner"
    """A client with the installation's token; it may call everything."""


class ListenerKind(Enum):
    """Which of the daemon's listeners accepted a connection."""

    PORT = "port"
    """The port on the loopback addresses."""

    UNIX_SOCKET = "unix socket"
    """The socket in the private state folder, which only its owner can reach."""


class PeerIdentity(Enum):
    """Which user of this machine a connection comes from, as the operating system says."""

    OWN = "own"
    """The daemon's own user, or root."""

    OTHER = "other"
    """Another user."""

    UNKNOWN = "unknown"
    """It can't be told: the peer has already closed, or the system doesn't say."""


IDENTITY_KEY = "intaglio_peer"
"""The key of the peer's identity in the ASGI scope's state; without it, the peer is unknown."""

LISTENER_KEY = "intaglio_listener"
"""The key of the listener in the ASGI scope's state; without it, it counts as the port."""

PEER_PID_KEY = "intaglio_peer_pid"
"""The key of the peer's process id in the ASGI scope's state; absent where it isn't known."""

ROLE_KEY = "intaglio_role"
"""The key of the role in the ASGI scope's state."""

AGENT_KEY = "intaglio_agent"
"""The key of the `RequestAgent` in the ASGI scope's state; absent if nobody is acted for."""

KIND_KEY = "intaglio_kind"
"""The key of the request's kind, where the handler knows it better than its declaration."""

KERNEL_KEY = "intaglio_kernel"
"""The key of the kernel in the ASGI scope's state."""

_NAME_LIMIT = 200
_ACTOR_TYPES = frozenset({"operator", "agent", "daemon", "pipeline", "harness", "sdk"})


@dataclass(frozen=True, slots=True)
class ActorHeaders:
    """What a request's headers say about its caller; unverified."""

    name: str | None
    type: str
    session_id: str | None
    request_id: str | None
    reason: str | None
    runtime_path: str | None


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = context_header(headers, name) or ""
    # Control characters must not end up in a history row.
    clean = "".join(letter for letter in value if letter.isprintable()).strip()
    return clean[:_NAME_LIMIT] or None


def context_header(headers: Mapping[str, str], name: str) -> str | None:
    """Return an ``x-signet-…`` header, or its ``x-intaglio-…`` synonym, in full."""
    return headers.get(f"x-signet-{name}") or headers.get(f"x-intaglio-{name}")


def actor_headers(headers: Mapping[str, str]) -> ActorHeaders:
    """Read the ``x-signet-*`` headers, or their ``x-intaglio-*`` synonyms."""
    kind = _header(headers, "actor-type")
    path = _header(headers, "runtime-path")
    return ActorHeaders(
        name=_header(headers, "actor"),
        type=kind if kind in _ACTOR_TYPES else "operator",
        session_id=_header(headers, "session-id"),
        request_id=_header(headers, "request-id"),
        reason=_header(headers, "reason"),
        runtime_path=path if path in {"plugin", "legacy"} else None,
    )


def actor_name(headers: Mapping[str, str]) -> str | None:
    """Return the name of the caller, as `actor_headers` does."""
    return _header(headers, "actor")


def wants_no_hooks(headers: Mapping[str, str]) -> bool:
    """Whether the client has disabled hooks for itself."""
    return _header(headers, "no-hooks") == "1"


def role_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Role:
    """Return the role that the guard found."""
    role: Role = connection.scope["state"][ROLE_KEY]
    return role
