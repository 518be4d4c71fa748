"""The owner of a TCP connection by its process: on Windows, and where the kernel's list fails."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import psutil

from intaglio.api.gate.principal import PeerIdentity
from intaglio.daemon.peers.lookup import TcpConnection


class ProcessTable(Protocol):
    """The processes of this machine and their connections."""

    def holders(self, connection: TcpConnection) -> Iterable[int]:
        """Return the pids that hold the peer's end, among the processes that can be seen."""
        ...

    def user(self, pid: int) -> str | None:
        """Return the name of a process's user; None if it is gone or may not be known."""
        ...


@dataclass(frozen=True, slots=True)
class ConnectionHolders:
    """Finds the process at the peer's end, and compares its user with the daemon's."""

    table: ProcessTable
    own: str

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        """Identify the user of the peer's end; None if the connections can't be read."""
        try:
            users = {self.table.user(pid) for pid in self.table.holders(connection)}
        except (OSError, psutil.Error):
            return None
        if users == {self.own}:
            return PeerIdentity.OWN
        # A process whose user can't be seen is probably another user's, but nothing proves it.
        return PeerIdentity.UNKNOWN if None in users or not users else PeerIdentity.OTHER

    def close(self) -> None:
        """Nothing is held open."""


class SystemProcesses:
    """The process table as psutil reads it."""

    def holders(self, connection: TcpConnection) -> Iterator[int]:
        """Return the pids that hold the peer's end.

        Windows lists the connections of all users. Elsewhere only those of the own processes can be
        read, which is enough to recognize them.
        """
        ends = connection.peer, connection.ours
        if sys.platform == "win32":
            for each in psutil.net_connections("tcp"):
                if each.pid and (each.laddr, each.raddr) == ends:
                    yield each.pid
        else:
            for process in psutil.process_iter():
                with contextlib.suppress(psutil.Error):
                    if process.uids().effective == os.geteuid() and any(
                        (each.laddr, each.raddr) == ends for each in process.net_connections("tcp")
                    ):
                        yield process.pid

    def user(self, pid: int) -> str | None:
        """Return the name of a process's user."""
        try:
            return psutil.Process(pid).username()
        except psutil.Error:
            return None
