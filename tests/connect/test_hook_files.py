"""The curl file works with the real curl, and curl is silent and content whatever happens."""

import subprocess

import pytest

from fakes.connect_home import Home, unhurry
from fakes.daemon import free_port
from fakes.stub_daemon import stub_daemon
from fakes.waiting import PATIENCE_S, at_best

EVENT = b'{"hook_event_name":"SessionStart","session_id":"s"}'


def _curl(home: Home) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["curl", "-q", "-K", str(home.paths.hooks / "claude-code.curl")],
        input=EVENT,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_the_reply_of_the_daemon_is_printed(home: Home) -> None:
    with stub_daemon(body=b'{"a": 1}') as daemon:
        home.refresh(daemon.port)
        unhurry(home.paths)
        done = _curl(home)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"a": 1}', b"")
    assert daemon.bodies == [EVENT]
    assert daemon.headers[0]["authorization"] == f"Bearer {home.install.hook_token}"
    assert daemon.headers[0]["content-type"] == "application/json"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503])
def test_a_refusal_of_the_daemon_prints_nothing(home: Home, status: int) -> None:
    with stub_daemon(status, b"no") as daemon:
        home.refresh(daemon.port)
        done = _curl(home)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_absent_daemon_costs_nothing(home: Home) -> None:
    home.refresh(free_port())
    runs = list[subprocess.CompletedProcess[bytes]]()
    at_best(lambda: runs.append(_curl(home)), under_s=1)
    assert {(done.returncode, done.stdout, done.stderr) for done in runs} == {(0, b"", b"")}


def test_a_hanging_daemon_is_left_after_two_seconds(home: Home) -> None:
    with stub_daemon(hang=True) as daemon:
        home.refresh(daemon.port)
        runs = list[subprocess.CompletedProcess[bytes]]()
        assert at_best(lambda: runs.append(_curl(home)), under_s=3.5) > 1.9
    assert {(done.returncode, done.stdout, done.stderr) for done in runs} == {(0, b"", b"")}


def test_a_proxy_in_the_environment_is_not_used(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    with stub_daemon(body=b"ok") as daemon:
        home.refresh(daemon.port)
        unhurry(home.paths)
        assert _curl(home).stdout == b"ok"


def test_only_the_owner_can_read_the_files(home: Home) -> None:
    home.refresh(4000)
    assert {file.stat().st_mode & 0o777 for file in home.paths.hooks.iterdir()} == {0o600}
    assert home.paths.hooks.stat().st_mode & 0o777 == 0o700


def test_a_new_port_rewrites_the_files_and_the_same_one_does_not(home: Home) -> None:
    assert home.refresh(4000)
    assert not home.refresh(4000)
    assert home.refresh(4001)
    assert "127.0.0.1:4001" in (home.paths.hooks / "claude-code.curl").read_text()
