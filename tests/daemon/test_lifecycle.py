"""A daemon from its start to its end, as a real process."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.daemon import (
    NO_MODEL,
    daemon_env,
    free_port,
    running_daemon,
    start_daemon,
    write_settings,
)
from fakes.waiting import PATIENCE_S, wait_for


def test_a_second_daemon_reports_the_first_and_exits(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as first:
        second = subprocess.run(
            [sys.executable, "-m", "intaglio", "daemon", "run"],
            env=dict(first.env),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert second.returncode == 0
        assert f"already running (pid {first.process.pid}, port {first.port})" in second.stdout


def test_a_daemon_of_other_directories_does_not_take_the_same_workspace(tmp_path: Path) -> None:
    with running_daemon(tmp_path / "one") as first:
        env = daemon_env(tmp_path / "two", free_port())
        second = subprocess.run(
            [sys.executable, "-m", "intaglio", "daemon", "run"],
            env=env | {"INTAGLIO_WORKSPACE": first.env["INTAGLIO_WORKSPACE"]},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert second.returncode == 4
        assert "Another daemon is using the workspace" in second.stderr


def test_the_first_line_is_a_link_that_signs_in(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        wait_for(lambda: "\n" in daemon.said, "its first line")
        first = daemon.said.splitlines()[0]
        assert first.startswith("Intaglio 0.1.0 · dashboard: http://127.0.0.1:")
        assert client.get(first.partition("dashboard: ")[2]).status_code == 303


def test_the_record_is_private_and_removed_at_the_end(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        record = json.loads(daemon.paths.lock.read_text())
        assert (record["pid"], record["port"]) == (daemon.process.pid, daemon.port)
        assert stat.S_IMODE(daemon.paths.lock.stat().st_mode) == 0o600
        assert daemon.stop() == 0
        assert not daemon.paths.lock.exists()


def test_sigint_ends_it_as_cleanly_as_sigterm(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        daemon.process.send_signal(signal.SIGINT)
        assert daemon.process.wait(PATIENCE_S) == 0
        assert not daemon.paths.database.with_name("intaglio.db-wal").exists()


def test_an_open_event_stream_does_not_delay_the_end(tmp_path: Path) -> None:
    with (
        running_daemon(tmp_path) as daemon,
        daemon.client() as client,
        client.stream("GET", "/api/events") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == "event: state"
        assert daemon.stop() == 0
        # One that is waited for is cut off after a while; this one comes to its own end.
        assert list(lines)[-1:] == [""]


def test_a_stale_record_does_not_prevent_a_start(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        port = daemon.port
        daemon.kill()
        assert daemon.paths.lock.exists()
    with running_daemon(tmp_path, port) as daemon:
        assert json.loads(daemon.paths.lock.read_text())["pid"] == daemon.process.pid


def test_after_a_kill_it_checks_the_database_and_keeps_what_it_acknowledged(
    tmp_path: Path,
) -> None:
    write_settings(tmp_path, NO_MODEL)
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "Acknowledged before the kill"})
        daemon.kill()
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        rows = client.get("/api/memories").json()["memories"]
        assert [row["content"] for row in rows] == ["Acknowledged before the kill"]


def test_two_daemons_with_own_directories_never_touch_each_other(tmp_path: Path) -> None:
    for home in (tmp_path / "a", tmp_path / "b"):
        write_settings(home, NO_MODEL)
    with running_daemon(tmp_path / "a") as one, running_daemon(tmp_path / "b") as two:
        with one.client() as client:
            client.post("/api/memory/remember", json={"content": "Only in the first"})
        with two.client() as client:
            assert client.get("/api/memories").json()["stats"]["total"] == 0
            refused = client.post("/api/daemon/stop", headers=one.owner)
            assert refused.status_code == 401
        assert one.identity["install_id"] != two.identity["install_id"]


def test_the_owner_can_stop_it_over_http(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        client.post("/api/daemon/stop", headers=daemon.owner)
        assert daemon.process.wait(PATIENCE_S) == 0


def test_the_log_never_holds_a_secret(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    write_settings(tmp_path, f"search:\n  min_score: {secret}\n")
    with running_daemon(tmp_path) as daemon:
        log = daemon.paths.log_file.read_text()
        assert "invalid setting" in log
        assert secret not in log


def test_changed_settings_apply_without_a_restart(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        with client.stream("GET", "/api/events") as stream:
            write_settings(tmp_path, "memory:\n  pipelineV2:\n    mutationsFrozen: true\n")
            for line in stream.iter_lines():
                if line == "event: settings":
                    break
        reply = client.post("/api/memory/remember", json={"content": "Too late"})
        assert (reply.status_code, reply.json()["error"]) == (
            503,
            "Mutations are frozen (kill switch active)",
        )


@pytest.mark.skipif(os.name == "nt", reason="folders hold no pipes")
def test_without_a_database_no_sign_in_link_is_shown(tmp_path: Path) -> None:
    pipe = tmp_path / "agents" / "memory" / "intaglio.db"
    pipe.parent.mkdir(parents=True)
    os.mkfifo(pipe)
    daemon = start_daemon(tmp_path)
    assert daemon.process.wait(PATIENCE_S) == 4
    assert f"{pipe} is a named pipe" in daemon.said
    assert "dashboard:" not in daemon.said


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "memory"
    folder.mkdir(parents=True)
    foreign = folder / "intaglio.db"
    subprocess.run(
        [sys.executable, "-c", _MAKE_FOREIGN, os.fspath(foreign)],
        check=True,
        env=daemon_env(tmp_path),
    )
    before = foreign.read_bytes()
    daemon = start_daemon(tmp_path)
    assert daemon.process.wait(PATIENCE_S) == 4
    assert "another program" in daemon.said
    assert foreign.read_bytes() == before


_MAKE_FOREIGN = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("CREATE TABLE theirs(x)")
connection.commit()
connection.close()
"""
