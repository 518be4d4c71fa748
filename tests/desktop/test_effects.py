"""The supervisor's effects on a real daemon: probes, and the move to another port."""

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
import pytest

from fakes.daemon import daemon_env, free_port, running_daemon
from fakes.hostile import hostile_listener
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.daemon_record import DaemonRecord
from intaglio.base.paths import find_paths
from intaglio.desktop.captured.captured_counts import CapturedCounts
from intaglio.desktop.daemon_cache import DaemonReport
from intaglio.desktop.supervisor import effects as effects_module
from intaglio.desktop.supervisor.effects import ProcessEffects, find_free_port, is_port_free
from intaglio.desktop.supervisor.values import (
    ChildExited,
    DaemonAbsent,
    DaemonAnswered,
    DaemonSpawned,
    ProbeFinished,
    SpawnFailed,
    SupervisorEvent,
)


def long_ago() -> str:
    return "2020-01-01T00:00:00.000Z"


def see(
    effects: ProcessEffects, events: "queue.Queue[SupervisorEvent]", *, port: bool = False
) -> DaemonAnswered | DaemonAbsent:
    effects.probe(1, full_report=True, check_port=port)
    event = events.get(timeout=PATIENCE_S)
    assert isinstance(event, ProbeFinished)
    return event.result


def test_a_running_daemon_is_seen_with_all_that_it_says(tmp_path: Path) -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    facts: queue.Queue[DaemonReport] = queue.Queue()
    with running_daemon(tmp_path) as daemon, daemon.client() as client:
        client.post(
            "/api/memory/remember", json={"content": "Seen from the tray app\nin two lines"}
        )
        effects = ProcessEffects(daemon.paths, events.put, facts.put, long_ago, daemon.env)
        with contextlib.closing(effects):

            def told_all() -> bool:
                # An answer that takes long is a look without one, or without all of it.
                assert see(effects, events) == DaemonAnswered(daemon.process.pid, "0.1.0")
                told = facts.get(timeout=PATIENCE_S)
                assert (told.memories, told.health, told.port) == (1, "ready", daemon.port)
                assert told.captured in (None, CapturedCounts(long_ago()))
                return told.captured is not None and [one.title for one in told.recent] == [
                    "Seen from the tray app in two lines"
                ]

            wait_for(told_all, "all that it says")
            daemon.kill()
            assert see(effects, events) == DaemonAbsent("died")


def test_what_left_in_order_is_told_from_what_died(tmp_path: Path) -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    with running_daemon(tmp_path) as daemon:
        daemon.stop()
        effects = ProcessEffects(daemon.paths, events.put, lambda _: None, long_ago, daemon.env)
        assert see(effects, events) == DaemonAbsent("left")


def test_a_daemon_of_another_version_that_proves_nothing_is_known_by_its_process(
    tmp_path: Path,
) -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    paths = find_paths(daemon_env(tmp_path))
    with (
        hostile_listener() as hostile,
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as older,
    ):
        paths.runtime.mkdir(parents=True)
        record = DaemonRecord(
            app="intaglio",
            pid=older.pid,
            create_time=psutil.Process(older.pid).create_time(),
            port=hostile.port,
            host="127.0.0.1",
            version="0.0.9",
            started_at="",
            install_id="a1b2c3d4e5f6",
            token="owner-token",  # noqa: S106 - a token of this test
        )
        paths.lock.write_bytes(msgspec.json.encode(record))
        effects = ProcessEffects(paths, events.put, lambda _: None, long_ago, {})
        assert see(effects, events) == DaemonAnswered(older.pid, "0.0.9")
        older.kill()
        older.wait()
        assert see(effects, events) == DaemonAbsent("died")
        assert "owner-token" not in hostile.text


def test_a_daemon_that_does_not_answer_has_its_socket_set_aside_until_it_does() -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    with (
        tempfile.TemporaryDirectory(prefix="probe-") as folder,
        running_daemon(Path(folder)) as daemon,
    ):
        effects = ProcessEffects(daemon.paths, events.put, lambda _: None, long_ago, daemon.env)
        file = daemon.paths.socket
        assert file is not None
        with contextlib.closing(effects):
            wait_for(lambda: isinstance(see(effects, events), DaemonAnswered), "an answer")
            assert file.exists()
            os.kill(daemon.process.pid, signal.SIGSTOP)
            assert see(effects, events) == DaemonAbsent("silent", pid=daemon.process.pid)
            assert not file.exists()
            os.kill(daemon.process.pid, signal.SIGCONT)
            # It asks by the other name, so it needs no luck to find it.
            wait_for(lambda: isinstance(see(effects, events), DaemonAnswered), "an answer again")
            wait_for(file.exists, "the socket is put back")


def test_a_stranger_on_the_port_is_no_daemon_of_ours(tmp_path: Path) -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        env = daemon_env(tmp_path, port)
        effects = ProcessEffects(find_paths(env), events.put, lambda _: None, long_ago, env)
        assert see(effects, events, port=True) == DaemonAbsent("left", port_free=False)
        assert not is_port_free(port)
        assert find_free_port(port) != port
    assert see(effects, events, port=True) == DaemonAbsent("left", port_free=True)


@pytest.mark.slow
def test_with_consent_the_daemon_moves_and_keeps_the_new_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where no daemon of another test, or of this machine, is.
    monkeypatch.setattr(effects_module, "DEFAULT_PORT", free_port())
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    env = daemon_env(tmp_path, free_port())
    with socket.create_server(("127.0.0.1", int(env["INTAGLIO_PORT"]))):
        effects = ProcessEffects(find_paths(env), events.put, lambda _: None, long_ago, env)
        effects.spawn(move_port=False)
        assert isinstance(events.get(timeout=PATIENCE_S), DaemonSpawned)
        ended = events.get(timeout=PATIENCE_S)
        assert isinstance(ended, ChildExited)
        assert ended.code == 3
        assert "is used by another program" in ended.output
        effects.spawn(move_port=True)
        assert isinstance(events.get(timeout=PATIENCE_S), DaemonSpawned)
        with contextlib.closing(effects):
            end = time.monotonic() + PATIENCE_S
            while not isinstance(see(effects, events), DaemonAnswered):
                assert time.monotonic() < end
                time.sleep(0.05)
            kept = json.loads(find_paths(env).identity.read_text())["port"]
            assert kept != int(env["INTAGLIO_PORT"])
        assert events.get(timeout=PATIENCE_S) == ChildExited(0)


def test_a_process_that_cannot_be_made_is_an_event(tmp_path: Path) -> None:
    events: queue.Queue[SupervisorEvent] = queue.Queue()
    (tmp_path / "logs").touch()
    env = daemon_env(tmp_path, free_port())
    ProcessEffects(find_paths(env), events.put, lambda _: None, long_ago, env).spawn(
        move_port=False
    )
    assert isinstance(events.get(timeout=PATIENCE_S), SpawnFailed)
