"""Held connections, whatever they wait for, keep nobody else from being served."""

import socket
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import dataclass, field

import httpx
import pytest

from fakes.daemon import NO_MODEL, Daemon, running_daemon, write_settings
from fakes.waiting import PATIENCE_S
from intaglio.api.gate.body import SMALL_BODY_BYTES, BodyBuffer, LargeBodies
from intaglio.api.gate.principal import ListenerKind, PeerIdentity
from intaglio.api.gate.routes import Message, Receive
from intaglio.base.errors import TooLargeError, UnavailableError
from intaglio.daemon.connections.pool import ConnectionPool, connection_pools

HELD = 600
OWN, OTHER, UNKNOWN = PeerIdentity.OWN, PeerIdentity.OTHER, PeerIdentity.UNKNOWN

IDLE = b""
HEAD = b"POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEAD + b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"
UNREAD = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("held")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


def tcp(daemon: Daemon) -> socket.socket:
    held = socket.socket()
    # What the daemon sends and nobody reads stays with the daemon.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    held.settimeout(PATIENCE_S)
    held.connect(("127.0.0.1", daemon.port))
    return held


def unix(daemon: Daemon) -> socket.socket:
    held = socket.socket(socket.AF_UNIX)
    # With a timeout it wouldn't wait for a place in the listener's queue.
    held.connect(str(daemon.paths.socket))
    held.settimeout(PATIENCE_S)
    return held


def answers(daemon: Daemon) -> list[int]:
    """Ask for /health and write, over the port and over the Unix socket, on new connections."""
    over_socket = httpx.HTTPTransport(uds=str(daemon.paths.socket))
    statuses: list[int] = []
    for client in (
        daemon.client(),
        httpx.Client(transport=over_socket, base_url="http://localhost", timeout=PATIENCE_S),
    ):
        with client:
            statuses.append(client.get("/health").status_code)
            kept = client.post("/api/memory/remember", json={"content": "Tea is at four."})
            statuses.append(kept.status_code)
    return statuses


@pytest.mark.parametrize("connect", [tcp, unix])
@pytest.mark.parametrize("sent", [IDLE, HEAD, BODY, UNREAD], ids=["idle", "head", "body", "unread"])
def test_held_connections_stop_nobody(
    daemon: Daemon, connect: Callable[[Daemon], socket.socket], sent: bytes
) -> None:
    with ExitStack() as stack:
        for _ in range(HELD):
            held = stack.enter_context(connect(daemon))
            held.sendall(sent)
        assert answers(daemon) == [200, 200, 200, 200]


# --- the pool -------------------------------------------------------------------------------------


@dataclass(eq=False)
class Connection:
    """A connection that notes when it is closed."""

    identity: PeerIdentity = OWN
    closed: list[str] = field(default_factory=list[str])

    def drop(self) -> None:
        self.closed.append("closed")


def full(*identities: PeerIdentity) -> tuple[ConnectionPool, list[Connection]]:
    pool = ConnectionPool(len(identities))
    held = [Connection(each) for each in identities]
    for each in held:
        pool.add(each)
    return pool, held


def closed(held: list[Connection]) -> list[int]:
    return [at for at, each in enumerate(held) if each.closed]


def test_the_one_that_has_waited_longest_is_closed() -> None:
    pool, held = full(OWN, OWN, OWN)
    pool.work(held[0])
    pool.wait(held[0])
    pool.add(Connection())
    pool.add(Connection())
    assert closed(held) == [1, 2]
    assert len(pool) == 3


def test_one_that_still_waits_keeps_its_place() -> None:
    pool, held = full(OWN, OWN)
    pool.wait(held[0])
    pool.add(Connection())
    assert closed(held) == [0]


def test_a_request_that_is_worked_on_is_never_cut_off() -> None:
    pool, held = full(OWN, OWN)
    for each in held:
        pool.work(each)
    late = Connection()
    pool.add(late)
    assert closed(held) == []
    assert late.closed


def test_other_users_never_push_out_the_own_user() -> None:
    pool, held = full(OWN, OTHER, UNKNOWN)
    pool.add(Connection(OTHER))
    assert closed(held) == [1]
    late = Connection(OTHER)
    for _ in range(3):
        late = Connection(OTHER)
        pool.add(late)
    assert closed(held) == [1]
    pool.add(Connection(OWN))
    assert late.closed
    pool.add(Connection(OWN))
    assert closed(held) == [1, 2]


def test_one_that_is_gone_takes_no_room() -> None:
    pool, held = full(OWN, OWN)
    pool.remove(held[0])
    pool.wait(held[0])
    pool.add(Connection())
    assert closed(held) == []


@pytest.mark.parametrize("files", [64, 256, 1_024, 2_048])
def test_the_listeners_leave_files_for_the_rest(files: int) -> None:
    pools = connection_pools(files)
    assert set(pools) == set(ListenerKind)
    opened = 0
    for pool in pools.values():
        for _ in range(files):
            pool.add(Connection())
        opened += len(pool)
    assert opened <= files / 2


# --- bodies ---------------------------------------------------------------------------------------


def arriving(*parts: int) -> Receive:
    left = list(parts)

    async def receive() -> Message:
        part = left.pop(0)
        return {"type": "http.request", "body": b"x" * part, "more_body": bool(left)}

    return receive


async def test_large_bodies_share_their_memory_and_small_ones_need_none() -> None:
    shared = LargeBodies(100_000)
    large, late, small = BodyBuffer(shared), BodyBuffer(shared), BodyBuffer(shared)
    half = SMALL_BODY_BYTES // 2
    size = SMALL_BODY_BYTES + 90_000
    assert len(await large.read(arriving(half, size - half), size)) == size
    with pytest.raises(UnavailableError):
        await late.read(arriving(size), size)
    late.release()
    assert len(await small.read(arriving(half, half), size)) == SMALL_BODY_BYTES
    large.release()
    assert len(await late.read(arriving(size), size)) == size
    late.release()
    with pytest.raises(TooLargeError):
        await small.read(arriving(11), 10)
    shared.take(100_000)
