"""Another program took the port of a daemon that is gone: it hears nothing and says nothing."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.connect_home import unhurry
from fakes.daemon import (
    NO_MODEL,
    Daemon,
    killed_daemon,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.hostile import INJECTION, Hostile, hostile_listener
from fakes.waiting import PATIENCE_S, at_best, wait_for
from intaglio.client.daemon_client import DaemonClient
from intaglio.client.discovery import find_daemon
from intaglio.client.errors import UnresponsiveError
from intaglio.desktop.supervisor.effects import ProcessEffects
from intaglio.desktop.supervisor.values import DaemonAbsent, ProbeFinished, SupervisorEvent

SAID = "We decided to move to Lisbon in spring."
EVENT = json.dumps(
    {"hook_event_name": "SessionStart", "session_id": "s-1", "cwd": "/", "source": "startup"}
).encode()
COMMANDS = (
    ("remember", SAID),
    ("recall", SAID),
    ("list",),
    ("show", "abcdefgh"),
    ("forget", "abcdefgh", "--yes"),
    ("pause",),
    ("dashboard", "--print"),
    ("db", "backups"),
    ("daemon", "status"),
    ("doctor",),
    ("daemon", "stop"),
)


@pytest.fixture(params=["socket", pytest.param("port", marks=pytest.mark.slow)])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Path]:
    """A folder for a daemon with a Unix socket, and one whose path is too long for one."""
    if request.param == "port":
        long = tmp_path / ("far" * 30)
        long.mkdir()
        yield long
        return
    with tempfile.TemporaryDirectory(prefix="taken-") as short:
        yield Path(short)


def hook(daemon: Daemon, *command: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        command, input=EVENT, capture_output=True, check=False, timeout=PATIENCE_S, env=daemon.env
    )


def program(daemon: Daemon) -> "subprocess.CompletedProcess[bytes]":
    file = daemon.paths.hooks / "claude-code.py"
    return hook(daemon, sys.executable, "-I", "-S", str(file), "--reply")


def curl(daemon: Daemon) -> "subprocess.CompletedProcess[bytes]":
    return hook(daemon, "curl", "-q", "-K", str(daemon.paths.hooks / "claude-code.curl"))


def assert_no_secret(hostile: Hostile, daemon: Daemon) -> None:
    identity = daemon.identity
    for secret in (identity["token"], identity["hook_token"], "Lisbon", "abcdefgh", "s-1"):
        assert secret not in hostile.text


def test_a_program_that_took_a_killed_daemons_port_receives_nothing(folder: Path) -> None:
    write_settings(folder, NO_MODEL)
    with killed_daemon(folder) as daemon:
        wait_for((daemon.paths.hooks / "claude-code.curl").exists, "the hook files")
        unhurry(daemon.paths)
    printed = list[str]()
    with hostile_listener(daemon.port) as hostile:
        for command in COMMANDS:
            done = run_command(*command, env=daemon.env, folder=folder)
            printed += [done.stdout, done.stderr]
            if command[0] not in {"doctor", "daemon"}:
                assert done.returncode == 3, done
        hooks = [program(daemon), curl(daemon)]
        assert [(one.returncode, one.stdout, one.stderr) for one in hooks] == [(0, b"", b"")] * 2
        events = list[SupervisorEvent]()
        since = "2020-01-01T00:00:00.000Z"
        effects = ProcessEffects(
            daemon.paths, events.append, lambda _: None, lambda: since, daemon.env
        )
        effects.probe(1, full_report=True, check_port=False)
        wait_for(lambda: events, "what the desktop app sees")
        assert events == [ProbeFinished(1, DaemonAbsent("died"))]
        effects.close()
    assert_no_secret(hostile, daemon)
    assert not any(INJECTION in text or "evil.example" in text for text in printed)
    # The doctor names whoever holds the port, so it asks; nothing else does over a socket.
    if daemon.paths.socket is not None:
        assert all(one.startswith(b"GET /api/auth/proof?nonce=") for one in hostile.heard if one)
        assert len(hostile.heard) == 1


@pytest.mark.slow
def test_a_configured_address_must_prove_itself(folder: Path) -> None:
    write_settings(folder, NO_MODEL)
    with running_daemon(folder) as daemon, hostile_listener() as hostile:
        env = dict(daemon.env)
        for url in (daemon.url, f"http://localhost:{daemon.port}"):
            done = run_command(
                "remember", SAID, env=env | {"INTAGLIO_DAEMON_URL": url}, folder=folder
            )
            assert done.returncode == 0, done
        env["INTAGLIO_DAEMON_URL"] = f"http://127.0.0.1:{hostile.port}"
        for command in (("recall", SAID), ("dashboard", "--print")):
            done = run_command(*command, env=env, folder=folder)
            assert done.returncode == 3
            assert "didn't prove" in done.stderr
            assert INJECTION not in done.stdout + done.stderr
        assert_no_secret(hostile, daemon)
        # Without the token there is nothing to check the proof with.
        stranger = env | {"INTAGLIO_STATE_DIR": str(folder / "other")}
        assert "didn't prove" not in run_command("recall", "x", env=stranger, folder=folder).stderr


@pytest.mark.slow
def test_a_suspended_daemon_delays_hooks_only_once(
    folder: Path,
) -> None:
    write_settings(folder, NO_MODEL)
    with running_daemon(folder) as daemon:
        with daemon.client() as client:
            client.post("/api/memory/remember", json={"content": SAID, "pinned": True})
        assert b"Lisbon" in program(daemon).stdout
        os.kill(daemon.process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        said = [program(daemon).stdout]
        assert time.monotonic() - begun > 1.9
        at_best(lambda: said.append(program(daemon).stdout), under_s=1)
        said.append(curl(daemon).stdout)
        assert set(said) == {b""}
        place = find_daemon(daemon.paths, {})
        with DaemonClient(place, 0.2) as client, pytest.raises(UnresponsiveError):
            client.status()
        os.kill(daemon.process.pid, signal.SIGCONT)
        wait_for(lambda: program(daemon).stdout, "a reply to a hook")
        if daemon.paths.socket is not None:
            wait_for(lambda: curl(daemon).stdout, "a reply to curl")
