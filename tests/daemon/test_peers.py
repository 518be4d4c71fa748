"""Whose connection it is: every platform's lookup, with real sockets where this one has it."""

import os
import socket
import struct
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from intaglio.api.gate.principal import PeerIdentity
from intaglio.daemon.peers.identify import Peers, choose_peers, peers_of_system
from intaglio.daemon.peers.linux import ProcNetTcp, SockDiag, mapped_users
from intaglio.daemon.peers.lookup import PeerLookup, TcpConnection, Users
from intaglio.daemon.peers.macos import SocketList
from intaglio.daemon.peers.processes import ConnectionHolders, SystemProcesses

OWN, OTHER, UNKNOWN = PeerIdentity.OWN, PeerIdentity.OTHER, PeerIdentity.UNKNOWN
CONNECTION = TcpConnection(("127.0.0.1", 40_000), ("127.0.0.1", 3_850))
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the tables of Linux")


@pytest.mark.parametrize(
    ("users", "uid", "identity"),
    [
        (Users(1_000), 1_000, OWN),
        (Users(1_000), 0, OWN),
        (Users(1_000), 1_001, OTHER),
        (Users(1_000), 65_534, OTHER),
        (Users(65_534), 65_534, OWN),
        (Users(1_000, unmapped=65_534), 65_534, OTHER),
        (Users(65_534, unmapped=65_534), 65_534, UNKNOWN),
    ],
)
def test_only_the_own_user_and_root_count_as_own(
    users: Users, uid: int, identity: PeerIdentity
) -> None:
    assert users.identity(uid) is identity


@pytest.mark.parametrize(
    ("uid_map", "users"),
    [
        ("         0          0 4294967295\n", Users(1_000)),
        ("         0       1000          1\n", Users(1_000, 65_534)),
        ("0 1000 1\n1 100000 65536\n", Users(1_000, 65_534)),
        ("nonsense\n", Users(1_000)),
    ],
)
def test_a_restricted_user_namespace_is_detected(
    tmp_path: Path, uid_map: str, users: Users
) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "uid_map").write_text(uid_map)
    (tmp_path / "sys" / "kernel").mkdir(parents=True)
    (tmp_path / "sys" / "kernel" / "overflowuid").write_text("65534\n")
    assert mapped_users(1_000, tmp_path) == users


# --- Linux ----------------------------------------------------------------------------------------


@dataclass
class Ends:
    """A real connection: the listener, the peer's socket and the accepted one."""

    listener: socket.socket
    peer: socket.socket
    accepted: socket.socket
    connection: TcpConnection = field(init=False)

    def __post_init__(self) -> None:
        ours, peer = self.accepted.getsockname(), self.accepted.getpeername()
        self.connection = TcpConnection(peer[:2], ours[:2])


@contextmanager
def connected(host: str = "127.0.0.1", *, mapped: bool = False) -> Generator[Ends]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with (
        socket.create_server((host, 0), family=family) as listener,
        socket.socket(socket.AF_INET6 if mapped else family) as peer,
    ):
        peer.connect((f"::ffff:{host}" if mapped else host, listener.getsockname()[1]))
        accepted, _ = listener.accept()
        with accepted:
            yield Ends(listener, peer, accepted)


@contextmanager
def lookup(kind: str, users: Users) -> Generator[PeerLookup]:
    made: PeerLookup = SockDiag(users) if kind == "netlink" else ProcNetTcp(users)
    yield made
    made.close()


kinds = pytest.mark.parametrize("kind", ["netlink", "proc"])
US = Users(os.geteuid()) if sys.platform != "win32" else Users(0)


@linux_only
@kinds
@pytest.mark.parametrize(
    ("host", "mapped"), [("127.0.0.1", False), ("::1", False), ("127.0.0.1", True)]
)
def test_a_connection_of_this_process_is_own(kind: str, host: str, mapped: bool) -> None:
    with connected(host, mapped=mapped) as ends, lookup(kind, US) as asked:
        assert asked.identify(ends.connection) is OWN


@linux_only
@kinds
def test_a_connection_of_another_user_is_told_apart(kind: str) -> None:
    # Root's connections count as everyone's own, so root gives this one away.
    own = 4_321
    with connected() as ends, lookup(kind, Users(own)) as asked:
        if os.geteuid() == 0:
            assert asked.identify(ends.connection) is OWN
            os.fchown(ends.peer.fileno(), own + 1, -1)
        assert asked.identify(ends.connection) is OTHER


@linux_only
@kinds
def test_a_closed_peer_is_unknown_although_it_reads_as_root(kind: str) -> None:
    with connected() as ends, lookup(kind, US) as asked:
        ends.peer.close()
        assert asked.identify(ends.connection) is UNKNOWN
        ends.accepted.close()
        assert asked.identify(ends.connection) is UNKNOWN


@linux_only
@kinds
def test_a_listener_on_a_closed_peers_port_is_not_the_peer(kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as bystander, lookup(kind, US) as asked:
        gone = TcpConnection(bystander.getsockname(), ("127.0.0.1", 1))
        assert asked.identify(gone) is UNKNOWN


def test_a_system_without_its_tables_has_no_answer(tmp_path: Path) -> None:
    assert ProcNetTcp(US, tmp_path / "missing").identify(CONNECTION) is None
    (tmp_path / "tcp").write_text(
        "  sl  local_address\n   0: 0100007F:9C40 0100007F:0F0A 01 short\n"
    )
    assert ProcNetTcp(US, tmp_path).identify(CONNECTION) is None


# --- macOS ----------------------------------------------------------------------------------------


def record(kind: int, fields: dict[int, bytes], length: int) -> bytes:
    """Lay out a record of the kernel's list: its length, its kind, and fields at their places."""
    laid = bytearray(length)
    laid[:8] = struct.pack("=II", length, kind)
    for at, content in fields.items():
        laid[at : at + len(content)] = content
    return bytes(laid) + bytes(-length % 8)


def listed(local: tuple[str, int], remote: tuple[str, int], uid: int) -> bytes:
    """One socket of the list, as ``xinpcb_n``, ``xsocket_n`` and what follows them."""
    family = socket.AF_INET6 if ":" in local[0] else socket.AF_INET
    addresses = [socket.inet_pton(family, host).rjust(16, b"\0") for host, _ in (remote, local)]
    block = {
        16: struct.pack("!HH", remote[1], local[1]),
        44: b"\x02" if family == socket.AF_INET6 else b"\x01",
        48: addresses[0],
        64: addresses[1],
    }
    owner = {64: struct.pack("=I", uid)}
    return record(0x010, block, 100) + record(0x001, owner, 76) + record(0x020, {}, 208)


def socket_list(*sockets: bytes) -> bytes:
    head = record(0, {}, 24)
    return b"".join((head, *sockets, head))


V6 = TcpConnection(("::1", 40_000), ("::1", 3_850))


@pytest.mark.parametrize(("uid", "identity"), [(501, OWN), (0, OWN), (502, OTHER)])
@pytest.mark.parametrize("connection", [CONNECTION, V6])
def test_the_list_of_macos_names_the_owner(
    connection: TcpConnection, uid: int, identity: PeerIdentity
) -> None:
    strangers = (
        listed(connection.ours, connection.peer, 999),
        listed((connection.peer[0], 40_001), connection.ours, 999),
    )
    ours = listed(connection.peer, connection.ours, uid)
    found = SocketList(Users(501), lambda: socket_list(*strangers, ours)).identify(connection)
    assert found is identity


@pytest.mark.parametrize("raw", [b"", b"\0" * 64, socket_list(), socket_list(b"\xff" * 40)])
def test_a_list_without_the_connection_leaves_it_unknown(raw: bytes) -> None:
    assert SocketList(Users(501), lambda: raw).identify(CONNECTION) is UNKNOWN


def test_a_mac_without_the_list_has_no_answer() -> None:
    assert SocketList(Users(501), lambda: None).identify(CONNECTION) is None


# --- processes ------------------------------------------------------------------------------------


@dataclass
class Processes:
    """A table of processes: which hold the connection, and each one's user."""

    users: dict[int, str | None]
    readable: bool = True

    def holders(self, connection: TcpConnection) -> Iterable[int]:
        del connection
        if not self.readable:
            raise PermissionError("not allowed")
        return self.users

    def user(self, pid: int) -> str | None:
        return self.users[pid]


@pytest.mark.parametrize(
    ("users", "identity"),
    [
        ({7: "PC\\ann"}, OWN),
        ({7: "PC\\ann", 8: "PC\\ann"}, OWN),
        ({7: "PC\\bob"}, OTHER),
        ({7: "PC\\ann", 8: "PC\\bob"}, OTHER),
        ({7: None}, UNKNOWN),
        ({7: "PC\\ann", 8: None}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_a_connection_belongs_to_its_processs_user(
    users: dict[int, str | None], identity: PeerIdentity
) -> None:
    assert ConnectionHolders(Processes(users), "PC\\ann").identify(CONNECTION) is identity


def test_connections_that_cannot_be_read_have_no_answer() -> None:
    refusing = Processes({}, readable=False)
    assert ConnectionHolders(refusing, "PC\\ann").identify(CONNECTION) is None


def test_this_systems_processes_hold_their_connections() -> None:
    with connected() as ends:
        assert os.getpid() in set(SystemProcesses().holders(ends.connection))


# --- the choice -----------------------------------------------------------------------------------


@dataclass
class Fixed:
    """A lookup that always answers the same."""

    answer: PeerIdentity | None
    closed: bool = False

    def identify(self, connection: TcpConnection) -> PeerIdentity | None:
        del connection
        return self.answer

    def close(self) -> None:
        self.closed = True


def test_a_lookup_that_fails_on_this_process_is_not_used() -> None:
    candidates = [Fixed(OTHER), Fixed(None), Fixed(UNKNOWN), Fixed(OWN)]
    chosen = choose_peers(candidates, US)
    assert chosen.lookups == (candidates[3],)
    assert [each.closed for each in candidates] == [True, True, True, False]
    assert choose_peers([Fixed(OTHER)], US).of_tcp(CONNECTION.peer, CONNECTION.ours) is UNKNOWN


def test_the_next_lookup_is_asked_when_one_stops_working() -> None:
    peers = Peers((Fixed(None), Fixed(OTHER)), US)
    assert peers.of_tcp(CONNECTION.peer, CONNECTION.ours) is OTHER
    assert peers.of_tcp(None, CONNECTION.ours) is UNKNOWN


def test_this_system_knows_its_own_connections() -> None:
    peers = peers_of_system()
    with connected() as ends:
        assert peers.of_tcp(ends.connection.peer, ends.connection.ours) is OWN
    peers.close()
