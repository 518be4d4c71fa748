"""Another user of the machine gets nothing over the port; real users, so this takes root."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.daemon import NO_MODEL, Daemon, daemon_env, free_port, running_daemon, write_settings
from fakes.other_user import (
    CALLS,
    NOBODY,
    PLANTED,
    STRANGER,
    Call,
    call_as,
    connect_as,
    needs_root,
    send_and_leave_as,
)
from fakes.waiting import PATIENCE_S

pytestmark = needs_root


def contents(daemon: Daemon) -> str:
    with daemon.client() as client:
        return client.get("/api/memories").text


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    home = tmp_path_factory.mktemp("own")
    write_settings(home, NO_MODEL)
    with running_daemon(home) as running:
        yield running


def test_another_users_calls_are_refused_even_with_the_token(daemon: Daemon) -> None:
    shown = tuple((m, p, {**headers, **daemon.owner}, body) for m, p, headers, body in CALLS)
    answers = call_as(NOBODY, daemon.port, CALLS + shown)
    for (method, path, *_), (status, connection, body) in zip(CALLS * 2, answers, strict=True):
        assert (status, connection) == (403, "close"), (method, path, body)
        problem = json.loads(body)
        assert problem["code"] == "other_user"
        assert problem["title"]
        assert problem["hint"]
    # Nothing came of it, and the own user is still served.
    assert PLANTED not in contents(daemon)


def test_a_peer_that_has_left_is_not_taken_for_root(daemon: Daemon) -> None:
    body = json.dumps({"content": PLANTED})
    request = (
        "POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}"
    )
    # While it is stopped nothing is accepted: every peer has closed before it is looked up.
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        send_and_leave_as(NOBODY, daemon.port, [request] * 50)
    finally:
        daemon.process.send_signal(signal.SIGCONT)
    assert PLANTED not in contents(daemon)


@pytest.mark.slow
def test_a_team_is_served_by_token_alone(tmp_path: Path) -> None:
    write_settings(tmp_path, NO_MODEL + "auth: {mode: team}\n")
    with running_daemon(tmp_path) as daemon:
        calls: list[Call] = [
            ("GET", "/api/memories", {}, ""),
            ("POST", "/api/memory/remember", {}, json.dumps({"content": PLANTED})),
            ("GET", "/api/memories", daemon.owner, ""),
        ]
        answers = call_as(NOBODY, daemon.port, calls)
        assert [status for status, _, _ in answers] == [401, 401, 200]


@pytest.fixture
def open_folder() -> Generator[Path]:
    """A folder of nobody's, outside root's own, that all users may pass through."""
    with tempfile.TemporaryDirectory(dir=Path("/var/tmp")) as name:  # noqa: S108 - a new folder
        folder = Path(name)
        folder.chmod(0o755)
        os.chown(folder, NOBODY, NOBODY)
        yield folder


def test_a_daemon_without_root_serves_its_user_and_root(open_folder: Path) -> None:
    port = free_port()
    write_settings(open_folder, NO_MODEL)
    env = daemon_env(open_folder, port)
    for each in open_folder.rglob("*"):
        os.chown(each, NOBODY, NOBODY)
    process = subprocess.Popen(
        [sys.executable, "-m", "intaglio", "daemon", "run"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd=open_folder,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
    )
    daemon = Daemon(process, port, env, open_folder / "output.txt")
    try:
        # As root, which can read the file anyway.
        daemon.wait_until("ready")
        read: Call = ("GET", "/api/memories", {}, "")
        assert call_as(NOBODY, port, [read])[0][0] == 200
        assert call_as(STRANGER, port, [read])[0][0] == 403
        file = daemon.paths.socket
        assert file is not None
        assert connect_as(NOBODY, file) == "connected"
        assert connect_as(STRANGER, file) == "PermissionError"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
