"""Reads the address of a remote: over which protocol, to which host, and with whose password."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from intaglio.redaction.redact import clean

Protocol: TypeAlias = Literal["https", "http", "ssh", "file"]

TOKEN_USER: Final = "x-access-token"  # noqa: S105 - a name
"""The name that goes with a token."""

_MAX: Final = 2_000
_SCP: Final = re.compile(r"(?:[^@/:\s-][^@/:\s]*@)?(?P<host>[^:/@\\\s-][^:/@\\\s]+):(?!//|\\)\S+")
_PROTOCOLS: Final[dict[str, Protocol]] = {
    "https": "https",
    "http": "http",
    "ssh": "ssh",
    "git+ssh": "ssh",
    "file": "file",
}


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """A remote's address; ``url`` holds no password, which is ``password``.

    ``host`` has its port, if that is given.
    """

    url: str
    protocol: Protocol
    host: str
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class UnusableRemote:
    """An address that isn't used, and why."""

    reason: str


def read_address(url: str, protocols: frozenset[Protocol]) -> RemoteAddress | UnusableRemote:
    """Read an address as git understands it; other programs that git could run aren't started."""
    text = url.strip()
    if not text or len(text) > _MAX or not text.isprintable() or text.startswith("-"):
        return UnusableRemote("The address of the remote isn't valid.")
    found = _with_scheme(text) if "://" in text else _without(text)
    if isinstance(found, UnusableRemote) or found.protocol in protocols:
        return found
    match found.protocol:
        case "file":
            return UnusableRemote(
                "The remote is a folder on this machine. It isn't used: git would run its hooks."
            )
        case "http":
            return UnusableRemote("The remote uses http, which isn't encrypted. Use https or ssh.")
        case _:
            return UnusableRemote(f"Remotes over {found.protocol} aren't used.")


def _with_scheme(text: str) -> RemoteAddress | UnusableRemote:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return UnusableRemote("The address of the remote isn't valid.")
    protocol = _PROTOCOLS.get(parts.scheme)
    if protocol is None:
        return UnusableRemote("Only remotes over https and ssh are used.")
    if protocol == "file":
        return RemoteAddress(text, "file", "")
    if not host or host.startswith("-"):
        return UnusableRemote("The address of the remote isn't valid.")
    place = f"[{host}]" if ":" in host else host
    place = place if port is None else f"{place}:{port}"
    user = parts.username or ""
    if protocol == "ssh":
        named = f"{user}@{place}" if user else place
        return RemoteAddress(parts._replace(netloc=named).geturl(), protocol, place, unquote(user))
    name, password = unquote(user), unquote(parts.password or "")
    if not password and clean(name) != name:
        # A token in the place of the name.
        name, password = TOKEN_USER, name
    return RemoteAddress(parts._replace(netloc=place).geturl(), protocol, place, name, password)


def _without(text: str) -> RemoteAddress | UnusableRemote:
    if "::" in text:
        return UnusableRemote("Only remotes over https and ssh are used.")
    scp = _SCP.fullmatch(text)
    return (
        RemoteAddress(text, "file", "") if scp is None else RemoteAddress(text, "ssh", scp["host"])
    )
