"""The port: chosen once, kept, and never changed silently."""

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from fakes.daemon import free_port, running_daemon, start_daemon
from fakes.waiting import PATIENCE_S
from intaglio.daemon.port import BoundPort, PortInUse, choose_port


@contextmanager
def held(port: int = 0) -> Generator[int]:
    """Hold a port like another program does."""
    with socket.socket() as other:
        # Connections of a daemon that has just ended may still be closing.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        yield other.getsockname()[1]


def close(bound: BoundPort) -> None:
    for listener in bound.sockets:
        listener.close()


def test_the_default_is_taken_when_it_is_free() -> None:
    port = free_port()
    chosen = choose_port(None, None, default=port)
    assert isinstance(chosen, BoundPort)
    assert chosen.port == port
    close(chosen)


def test_the_very_first_start_moves_on_when_the_default_is_held() -> None:
    with held() as port:
        chosen = choose_port(None, None, default=port)
        assert isinstance(chosen, BoundPort)
        assert port < chosen.port < port + 50
        close(chosen)


def test_a_kept_port_is_never_given_up() -> None:
    with held() as port:
        assert choose_port(None, port) == PortInUse(port)


def test_an_asked_port_wins_over_the_kept_one() -> None:
    port = free_port()
    with held() as other:
        chosen = choose_port(port, other)
        assert isinstance(chosen, BoundPort)
        assert chosen.port == port
        close(chosen)


def test_localhost_answers_by_either_address() -> None:
    chosen = choose_port(free_port(), None)
    assert isinstance(chosen, BoundPort)
    assert {listener.family for listener in chosen.sockets} >= {socket.AF_INET}
    close(chosen)


def test_a_taken_port_is_reported_with_exit_code_3(tmp_path: Path) -> None:
    with held() as port:
        daemon = start_daemon(tmp_path, port)
        assert daemon.process.wait(PATIENCE_S) == 3
        assert f"Port {port} is used by another program." in daemon.said


def test_the_chosen_port_is_kept_for_the_next_start(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        port = daemon.port
    identity = json.loads(daemon.paths.identity.read_text())
    assert identity["port"] == port
    with held(port):
        again = start_daemon(tmp_path, port, INTAGLIO_PORT="")
        assert again.process.wait(PATIENCE_S) == 3
