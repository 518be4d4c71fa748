"""The curl file works with the real curl, and curl is silent and content whatever happens."""

import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fakes.connect_home import Home, make_home, unhurry
from fakes.hostile import hostile_listener
from fakes.stub_daemon import StubDaemon, stub_daemon
from fakes.waiting import PATIENCE_S, at_best
from intaglio.base.files.hook_breaker import set_aside
from intaglio.connect.curl import curl_reaches_daemon, holds_sockets, supports_unix_sockets

EVENT = b'{"hook_event_name":"SessionStart","session_id":"s"}'


def _curl(home: Home) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["curl", "-q", "-K", str(home.paths.hooks / "claude-code.curl")],
        input=EVENT,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )


def _daemon(
    home: Home, status: int = 200, body: bytes = b"{}", *, hang: bool = False
) -> AbstractContextManager[StubDaemon]:
    return stub_daemon(status, body, hang=hang, socket=home.paths.socket)


def test_the_reply_of_the_daemon_is_printed(home: Home) -> None:
    with _daemon(home, body=b'{"a": 1}') as daemon:
        home.refresh()
        unhurry(home.paths)
        done = _curl(home)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"a": 1}', b"")
    assert daemon.bodies == [EVENT]
    assert daemon.headers[0]["authorization"] == f"Bearer {home.install.hook_token}"
    assert daemon.headers[0]["content-type"] == "application/json"


def test_a_state_folder_with_quotes_in_its_name_is_found(short_path: Path) -> None:
    folder = short_path / 'it\'s "here" \\ now'
    folder.mkdir()
    home = make_home(folder)
    home.refresh()
    unhurry(home.paths)
    with _daemon(home, body=b"ok"):
        assert _curl(home).stdout == b"ok"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
def test_a_refusal_of_the_daemon_prints_nothing(home: Home, status: int) -> None:
    with _daemon(home, status, b"no"):
        home.refresh()
        done = _curl(home)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_absent_daemon_costs_nothing(home: Home) -> None:
    home.refresh()
    runs = list[subprocess.CompletedProcess[bytes]]()
    at_best(lambda: runs.append(_curl(home)), under_s=1)
    assert {(done.returncode, done.stdout, done.stderr) for done in runs} == {(0, b"", b"")}


def test_a_hanging_daemon_is_left_after_two_seconds_or_at_once_when_set_aside(home: Home) -> None:
    with _daemon(home, hang=True):
        home.refresh()
        runs = list[subprocess.CompletedProcess[bytes]]()
        assert at_best(lambda: runs.append(_curl(home)), under_s=3.5) > 1.9
        assert home.paths.socket
        set_aside(home.paths.socket)
        assert at_best(lambda: runs.append(_curl(home)), under_s=1) < 1
    assert {(done.returncode, done.stdout, done.stderr) for done in runs} == {(0, b"", b"")}


def test_without_a_socket_curl_connects_to_nothing(far_home: Home) -> None:
    with hostile_listener() as hostile:
        far_home.refresh()
        text = (far_home.paths.hooks / "claude-code.curl").read_text()
        done = _curl(far_home)
    assert "unix-socket" not in text
    assert 'proto = "=http"' not in text
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hostile.heard == []


def test_a_proxy_in_the_environment_is_not_used(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hostile_listener() as hostile, _daemon(home, body=b"ok"):
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{hostile.port}")
        home.refresh()
        unhurry(home.paths)
        assert _curl(home).stdout == b"ok"
    assert hostile.heard == []


def test_only_the_owner_can_read_the_files(home: Home) -> None:
    home.refresh()
    assert {file.stat().st_mode & 0o777 for file in home.paths.hooks.iterdir()} == {0o600}
    assert home.paths.hooks.stat().st_mode & 0o777 == 0o700


def test_what_an_older_version_wrote_is_replaced_once(home: Home) -> None:
    curl = home.paths.hooks / "claude-code.curl"
    home.connect()
    curl.write_text('url = "http://127.0.0.1:3850/api/hooks/native/claude-code"\n')
    assert home.state() == "partly"
    assert home.refresh()
    assert not home.refresh()
    assert home.state() == "connected"
    assert "127.0.0.1" not in curl.read_text()


@pytest.mark.parametrize(
    ("script", "supported"),
    [
        ("echo 'curl 8.5.0'; echo 'Features: alt-svc SSL UnixSockets zstd'", True),
        ("echo 'curl 7.40.0'; echo 'Features: IPv6 unix-sockets'", True),
        ("echo 'curl 7.39.0 UnixSockets'; echo 'Features: IPv6 SSL'", False),
        ("exit 3", False),
    ],
)
def test_a_curl_says_whether_it_supports_unix_sockets(
    tmp_path: Path, script: str, *, supported: bool
) -> None:
    curl = tmp_path / "curl"
    curl.write_text(f"#!/bin/sh\n{script}\n")
    curl.chmod(0o755)
    assert supports_unix_sockets(str(curl)) is supported
    assert not supports_unix_sockets(str(tmp_path / "none"))


def test_the_harnesss_own_curl_gets_the_socket(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home.folder))
    assert not curl_reaches_daemon(home.paths)
    home.refresh()
    assert "unix-socket" in (home.paths.hooks / "claude-code.curl").read_text()


def test_a_file_system_without_sockets_is_noticed_and_nothing_is_left(short_path: Path) -> None:
    assert holds_sockets(short_path / "intaglio.sock")
    assert list(short_path.iterdir()) == []
    assert holds_sockets(short_path / "later" / "intaglio.sock")
    if Path("/sys/kernel").is_dir():
        assert not holds_sockets(Path("/sys/kernel/intaglio.sock"))
