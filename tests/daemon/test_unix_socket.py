"""The Unix socket: private, beside the port, and put back when it is gone."""

import asyncio
import os
import socket
import stat
import sys
from pathlib import Path

import httpx
import pytest

from fakes.daemon import Daemon, killed_daemon, running_daemon
from fakes.other_user import NOBODY, needs_root
from fakes.waiting import until, wait_for
from intaglio.base.daemon_record import daemon_proof
from intaglio.base.files.hook_breaker import aside, set_aside
from intaglio.base.paths import find_paths
from intaglio.daemon.unix_socket import BoundSocket, UnixSocket, bind_socket

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets")


def file_of(daemon: Daemon) -> Path:
    file = daemon.paths.socket
    assert file is not None
    return file


def over_socket(daemon: Daemon) -> httpx.Client:
    transport = httpx.HTTPTransport(uds=str(file_of(daemon)))
    return httpx.Client(transport=transport, base_url="http://localhost", trust_env=False)


def connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def test_a_daemon_answers_on_port_and_socket_and_removes_the_file(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        file = file_of(daemon)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        with over_socket(daemon) as client:
            kept = client.post("/api/memory/remember", json={"content": "Tea is at four."})
            assert kept.status_code == 200
            # The name that a program gives the daemon is checked here as it is on the port.
            strange = client.get("/health", headers={"host": "evil.example"})
            assert strange.status_code == 403
            shown = client.get("/health", headers={"origin": "https://evil.example"})
            assert shown.status_code == 403
        with daemon.client() as client:
            assert kept.json()["id"] in client.get("/api/memories").text
    assert not file.exists()


@pytest.mark.slow
def test_a_removed_or_stale_socket_is_replaced(
    tmp_path: Path,
) -> None:
    with killed_daemon(tmp_path) as daemon:
        file_of(daemon).unlink()
        wait_for(file_of(daemon).exists, "the socket is put back")
        with over_socket(daemon) as client:
            assert client.get("/health").status_code == 200
    left = file_of(daemon)
    assert left.exists()
    assert not connects(left)
    with running_daemon(tmp_path, daemon.port) as again, over_socket(again) as client:
        assert client.get("/health").status_code == 200


async def test_a_socket_that_was_set_aside_is_put_back_but_not_twice_within_a_minute(
    tmp_path: Path,
) -> None:
    path, note = tmp_path / "a.sock", tmp_path / "note"
    aside(path).touch()
    opened: list[asyncio.AbstractServer] = []

    async def serve(listener: socket.socket) -> asyncio.AbstractServer:
        opened.append(await asyncio.start_unix_server(lambda _r, w: w.close(), sock=listener))
        return opened[-1]

    ours = UnixSocket(path, serve, note, interval_s=0.01)
    await ours.open()
    assert not aside(path).exists()
    file = path.stat().st_ino
    keeping = asyncio.create_task(ours.keep())
    note.touch()
    set_aside(path)
    await until(path.exists, "the socket is put back")
    assert path.stat().st_ino == file
    assert len(opened) == 1
    assert not note.exists()
    set_aside(path)
    await asyncio.sleep(0.1)
    assert not path.exists()
    assert connects(aside(path))
    keeping.cancel()
    ours.close()
    assert not aside(path).exists()
    opened[0].close()
    await opened[0].wait_closed()


def test_the_daemon_proves_that_it_knows_the_tokens_and_its_port(tmp_path: Path) -> None:
    nonce = "0123456789abcdef" * 2
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        proof = client.get("/api/auth/proof", params={"nonce": nonce}).json()
        identity = daemon.identity
        assert proof == {
            "port": daemon.port,
            "token": daemon_proof(identity["token"], nonce, daemon.port),
            "hookToken": daemon_proof(identity["hook_token"], nonce, daemon.port),
        }
        assert proof["token"] != daemon_proof(identity["token"], nonce, daemon.port + 1)
        for refused in ("", "0123", "z" * 32):
            answer = client.get("/api/auth/proof", params={"nonce": refused})
            assert answer.status_code == 400, refused


def test_a_folder_that_others_could_write_to_becomes_private(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o775)
    bound = bind_socket(shared / "a.sock")
    assert isinstance(bound, BoundSocket)
    bound.listener.close()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o700


@needs_root
def test_a_folder_of_another_user_holds_no_socket(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    os.chown(shared, NOBODY, NOBODY)
    reason = bind_socket(shared / "a.sock")
    assert isinstance(reason, str)
    assert "belongs to another user" in reason
    assert list(shared.iterdir()) == []


def test_a_socket_that_another_daemon_serves_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.sock"
    first = bind_socket(path)
    assert isinstance(first, BoundSocket)
    with first.listener:
        assert bind_socket(path) == "another daemon listens there"
        assert connects(path)
    second = bind_socket(path)
    assert isinstance(second, BoundSocket)
    with second.listener:
        assert connects(path)


def test_an_unbindable_socket_path_is_only_reported(tmp_path: Path) -> None:
    assert isinstance(bind_socket(tmp_path / ("x" * 120)), str)
    (tmp_path / "folder").mkdir()
    assert isinstance(bind_socket(tmp_path / "folder"), str)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder"]


def test_a_long_state_folder_has_no_socket(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "INTAGLIO_STATE_DIR": "/" + "x" * 90}
    assert find_paths(env).socket is None
    short = find_paths(env | {"INTAGLIO_STATE_DIR": "/x"}).socket
    assert short == Path("/x/intaglio.sock")


async def test_another_programs_socket_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.sock"

    opened: list[asyncio.AbstractServer] = []

    async def serve(listener: socket.socket) -> asyncio.AbstractServer:
        opened.append(await asyncio.start_unix_server(lambda _r, w: w.close(), sock=listener))
        return opened[-1]

    ours = UnixSocket(path, serve, tmp_path / "note")
    await ours.open()
    path.unlink()
    theirs = bind_socket(path)
    assert isinstance(theirs, BoundSocket)
    with theirs.listener:
        ours.close()
        assert connects(path)
    for each in opened:
        each.close()
        await each.wait_closed()
