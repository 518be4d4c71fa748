"""Where a client looks for the daemon, and to whom it shows the token."""

import json
from pathlib import Path

import pytest

from intaglio.base.files.hook_breaker import aside
from intaglio.base.paths import Paths, find_paths
from intaglio.client.discovery import DaemonAddress, DaemonNotFound, find_daemon

RECORD = {
    "app": "intaglio",
    "pid": 1,
    "create_time": 1.0,
    "port": 4321,
    "host": "127.0.0.1",
    "version": "0.1.0",
    "started_at": "2026-01-31T08:00:00.000Z",
    "install_id": "0123456789ab",
    "token": "owner-token",
}


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = find_paths({"INTAGLIO_STATE_DIR": str(tmp_path)})
    found.runtime.mkdir(parents=True)
    found.identity.write_text(
        json.dumps({"install_id": "0123456789ab", "token": "owner-token", "hook_token": "h"})
    )
    return found


def test_without_a_record_no_daemon_is_found(paths: Paths) -> None:
    assert find_daemon(paths, {}) == DaemonNotFound()


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", '{"app": 1}', "\x00"])
def test_a_broken_record_counts_as_none(paths: Paths, text: str) -> None:
    paths.lock.write_text(text)
    assert find_daemon(paths, {}) == DaemonNotFound()


def test_the_record_names_the_daemon(paths: Paths) -> None:
    paths.lock.write_text(json.dumps(RECORD))
    expected = DaemonAddress("http://127.0.0.1:4321", "0123456789ab", "owner-token")
    assert find_daemon(paths, {}) == expected


def test_a_daemon_with_a_socket_is_reached_there(paths: Paths) -> None:
    file = paths.state / "intaglio.sock"
    paths.lock.write_text(json.dumps(RECORD | {"socket": str(file)}))

    def socket() -> Path | None:
        found = find_daemon(paths, {})
        assert isinstance(found, DaemonAddress)
        return found.socket

    assert socket() == file
    aside(file).touch()
    assert socket() == aside(file)
    file.touch()
    assert socket() == file


@pytest.mark.parametrize("name", ["INTAGLIO_DAEMON_URL", "SIGNET_DAEMON_URL"])
def test_a_configured_address_takes_precedence(paths: Paths, name: str) -> None:
    paths.lock.write_text(json.dumps(RECORD))
    found = find_daemon(paths, {name: "http://localhost:5000/"})
    # By its number: the name may lead to ::1, which somebody else may hold.
    assert found == DaemonAddress("http://127.0.0.1:5000", "0123456789ab", "owner-token")


@pytest.mark.parametrize(
    "url", ["http://memory.example:3850", "http://10.0.0.7:3850", "http://localhost.evil.example"]
)
def test_another_machine_is_never_shown_the_token(paths: Paths, url: str) -> None:
    assert find_daemon(paths, {"INTAGLIO_DAEMON_URL": url}) == DaemonAddress(url, None, None)
