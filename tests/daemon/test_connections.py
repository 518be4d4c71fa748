"""Held connections, whatever they wait for, keep nobody else from being served."""

from collections.abc import Generator
from dataclasses import dataclass, field

import pytest

from fakes.daemon import NO_MODEL, Daemon, running_daemon, write_settings
from fakes.held_connections import (
    HELD_FOR,
    Connect,
    answers,
    hold,
    is_closed,
    over_port,
    over_unix_socket,
)
from fakes.other_user import NOBODY, holding_as, needs_root
from intaglio.api.gate.body import SMALL_BODY_BYTES, BodyBuffer, LargeBodies
from intaglio.api.gate.principal import ListenerKind, PeerIdentity
from intaglio.api.gate.routes import Message, Receive
from intaglio.base.errors import TooLargeError, UnavailableError
from intaglio.daemon.connections.pool import ConnectionPool, connection_pools

HELD = 600
OWN, OTHER, UNKNOWN = PeerIdentity.OWN, PeerIdentity.OTHER, PeerIdentity.UNKNOWN


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("held")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


@pytest.mark.parametrize(
    "connect", [over_port, pytest.param(over_unix_socket, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("kind", HELD_FOR)
def test_held_connections_do_not_block_others(daemon: Daemon, connect: Connect, kind: str) -> None:
    with hold(daemon, connect, HELD_FOR[kind], HELD):
        assert answers(daemon) == [200, 200, 200, 200]


@needs_root
def test_another_users_connections_close_none_of_ours(daemon: Daemon) -> None:
    with daemon.client() as client, hold(daemon, over_port, b"", 100) as ours:
        client.get("/health")
        with holding_as(NOBODY, daemon.port, HELD):
            assert answers(daemon) == [200, 200, 200, 200]
            assert client.get("/health").status_code == 200
            assert not any(is_closed(each) for each in ours)


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


def test_the_connection_waiting_longest_is_closed() -> None:
    pool, held = full(OWN, OWN, OWN)
    pool.work(held[0])
    pool.wait(held[0])
    pool.add(Connection())
    pool.add(Connection())
    assert closed(held) == [1, 2]
    assert len(pool) == 3


def test_a_waiting_connection_keeps_its_place() -> None:
    pool, held = full(OWN, OWN)
    pool.wait(held[0])
    pool.add(Connection())
    assert closed(held) == [0]


def test_a_request_in_progress_is_never_closed() -> None:
    pool, held = full(OWN, OWN)
    more = [Connection(), Connection()]
    for each in held:
        pool.work(each)
    for each in more:
        pool.add(each)
        pool.work(each)
    late = Connection()
    pool.add(late)
    assert closed(held + more) == []
    assert late.closed
    assert len(pool) == 4


def test_other_users_never_displace_the_own_user() -> None:
    pool, held = full(OWN, OTHER, UNKNOWN)
    others = [Connection(OTHER) for _ in range(10)]
    for each in others:
        pool.add(each)
    assert closed(held) == [1]
    assert closed(others) == list(range(9))
    pool.add(Connection(OWN))
    assert others[9].closed
    pool.add(Connection(OWN))
    assert closed(held) == [1, 2]
    pool.add(Connection(OTHER))
    pool.add(Connection(UNKNOWN))
    assert closed(held) == [1, 2]
    pool.add(Connection(OWN))
    assert len(pool) <= 4


def test_a_closed_connection_takes_no_room() -> None:
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
