"""What a lookup of a connection's user is given and returns."""

from dataclasses import dataclass
from typing import Final, Protocol

from intaglio.api.gate.principal import PeerIdentity

ROOT: Final = 0


@dataclass(frozen=True, slots=True)
class TcpConnection:
    """A TCP connection of this machine: the address and port of its peer's end, and of ours."""

    peer: tuple[str, int]
    ours: tuple[str, int]

    @property
    def is_ipv6(self) -> bool:
        """Whether it is looked up among the IPv6 connections first."""
        return ":" in self.peer[0]


class PeerLookup(Protocol):
    """A table of the operating system that names the user at the other end of a connection."""

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        """Identify the user: UNKNOWN if it is closed or not listed, None without the table."""
        ...

    def close(self) -> None:
        """Release what it holds open."""
        ...


@dataclass(frozen=True, slots=True)
class Users:
    """How this process sees user ids.

    ``unmapped`` is the id that stands for every user whom this user namespace doesn't know, None
    if it knows all of them.
    """

    own: int
    unmapped: int | None = None

    def identity(self, uid: int) -> PeerIdentity:
        """Return who this user is: root may read the memories' file anyway and counts as own."""
        if uid == self.unmapped:
            # It may be us, but just as well anyone else.
            return PeerIdentity.UNKNOWN if uid == self.own else PeerIdentity.OTHER
        return PeerIdentity.OWN if uid in {self.own, ROOT} else PeerIdentity.OTHER
