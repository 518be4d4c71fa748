"""One tray app per user: the lock, the hand-over, and what a dead or silent one leaves behind."""

import json
import os
import queue
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.paths import Paths, find_paths
from intaglio.desktop.main import main
from intaglio.desktop.single_instance import (
    RequestAccepted,
    RequestTimedOut,
    RunningInstance,
    acquire_instance,
    hand_over,
    is_instance_running,
    quit_instance,
    start_or_hand_over,
)
from intaglio.desktop.values import Destination, OpenMemory, OpenPage, QuickSearch

HOLD = """
import sys, time
from intaglio.base.paths import find_paths
from intaglio.desktop.single_instance import acquire_instance
first = acquire_instance(find_paths())
first.listen(lambda size: b"x" * size, lambda what: None)
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return find_paths({"INTAGLIO_STATE_DIR": str(tmp_path)})


@pytest.fixture
def taken() -> "queue.Queue[Destination]":
    return queue.Queue()


@pytest.fixture
def first(paths: Paths, taken: "queue.Queue[Destination]") -> Generator[RunningInstance]:
    one = acquire_instance(paths)
    assert one is not None
    one.listen(os.urandom, taken.put)
    yield one
    one.close()


def record(paths: Paths) -> Path:
    return paths.runtime / "tray.json"


@pytest.mark.usefixtures("first")
def test_a_second_one_hands_over_what_it_was_asked_for(
    paths: Paths, taken: "queue.Queue[Destination]"
) -> None:
    assert acquire_instance(paths) is None
    for what in (OpenPage("memories"), OpenMemory("0193"), QuickSearch("why: 100% & more?")):
        assert hand_over(paths, what, PATIENCE_S) == RequestAccepted(os.getpid())
        assert taken.get(timeout=PATIENCE_S) == what


@pytest.mark.usefixtures("first")
def test_the_record_is_for_the_owner_alone(paths: Paths) -> None:
    assert stat.S_IMODE(record(paths).stat().st_mode) == 0o600


def test_after_the_end_the_next_one_is_first(paths: Paths, first: RunningInstance) -> None:
    first.close()
    assert not record(paths).exists()
    again = acquire_instance(paths)
    assert again is not None
    again.close()


def test_what_a_killed_one_left_behind_is_no_obstacle(
    paths: Paths, tmp_path: Path, taken: "queue.Queue[Destination]"
) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        env=os.environ | {"INTAGLIO_STATE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        assert acquire_instance(paths) is None
        holder.kill()
        holder.wait(PATIENCE_S)
    left = record(paths).read_bytes()
    after = acquire_instance(paths)
    assert after is not None
    after.listen(os.urandom, taken.put)
    assert record(paths).read_bytes() != left
    assert hand_over(paths, OpenPage(), PATIENCE_S) == RequestAccepted(os.getpid())
    after.close()


@pytest.mark.parametrize("left", [b"", b"{", b"null", b'{"pid":1,"port":99999,"key":"k"}', b"\xff"])
def test_a_damaged_record_fails_quickly_with_a_reason(paths: Paths, left: bytes) -> None:
    paths.runtime.mkdir(parents=True)
    record(paths).write_bytes(left)
    began = time.monotonic()
    assert isinstance(hand_over(paths, OpenPage(), timeout_s=0.5), RequestTimedOut)
    assert time.monotonic() - began < PATIENCE_S


def test_a_tray_app_that_accepts_and_says_nothing_is_given_up(paths: Paths) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        paths.runtime.mkdir(parents=True)
        where = {"pid": 1, "port": mute.getsockname()[1], "key": "k"}
        record(paths).write_text(json.dumps(where))
        began = time.monotonic()
        assert isinstance(hand_over(paths, OpenPage(), timeout_s=1), RequestTimedOut)
        assert time.monotonic() - began < PATIENCE_S


@pytest.mark.usefixtures("first")
def test_clients_that_say_nothing_keep_nobody_waiting(
    paths: Paths, taken: "queue.Queue[Destination]"
) -> None:
    port = json.loads(record(paths).read_text())["port"]
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    assert hand_over(paths, OpenPage(), PATIENCE_S) == RequestAccepted(os.getpid())
    assert taken.get(timeout=PATIENCE_S) == OpenPage()
    for one in silent:
        one.close()


def say(port: int, line: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(line)
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(1000)


@pytest.mark.usefixtures("first")
@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b'{"key":"wrong","link":"intaglio://remember"}\n',
        b'{"key":"","link":"intaglio://remember"}\n',
        b"\xff\xfe\n",
        b"x" * 70_000 + b"\n",
    ],
)
def test_without_the_key_nothing_is_done_or_said(
    paths: Paths, taken: "queue.Queue[Destination]", line: bytes
) -> None:
    try:
        said = say(json.loads(record(paths).read_text())["port"], line)
    except OSError:
        # It has hung up already.
        said = b""
    assert said == b""
    assert taken.empty()


@pytest.mark.usefixtures("first")
def test_a_link_that_means_nothing_is_answered_and_not_taken(
    paths: Paths, taken: "queue.Queue[Destination]"
) -> None:
    where = json.loads(record(paths).read_text())
    line = json.dumps({"key": where["key"], "link": "intaglio://restart"}).encode() + b"\n"
    assert "intaglio://open/PAGE" in json.loads(say(where["port"], line))["error"]
    assert taken.empty()


def test_a_second_launch_waits_for_one_that_is_only_starting(
    paths: Paths, taken: "queue.Queue[Destination]"
) -> None:
    one = acquire_instance(paths)
    assert one is not None
    late = threading.Timer(0.5, lambda: one.listen(os.urandom, taken.put))
    late.start()
    assert hand_over(paths, OpenPage(), PATIENCE_S) == RequestAccepted(os.getpid())
    late.join()
    one.close()


@pytest.mark.parametrize("destination", [OpenPage(), None])
def test_a_launch_during_shutdown_waits_and_becomes_first(
    paths: Paths, first: RunningInstance, destination: Destination | None
) -> None:
    first.stop_listening()
    gone = threading.Timer(0.5, first.close)
    gone.start()
    found = start_or_hand_over(paths, destination, PATIENCE_S)
    assert isinstance(found, RunningInstance)
    found.close()
    gone.join()


@pytest.mark.usefixtures("first")
def test_a_plain_second_launch_learns_that_one_runs(
    paths: Paths, taken: "queue.Queue[Destination]"
) -> None:
    assert start_or_hand_over(paths, None, PATIENCE_S) == RequestAccepted(os.getpid())
    assert taken.empty()


def test_a_flood_of_strangers_does_not_end_it(paths: Paths) -> None:
    with subprocess.Popen(
        # Few files: a flood would use them up.
        ["/bin/sh", "-c", 'ulimit -n 30; exec "$0" -c "$1"', sys.executable, HOLD],
        env={**os.environ, "INTAGLIO_STATE_DIR": str(paths.state)},
        stdout=subprocess.PIPE,
    ) as held:
        assert held.stdout is not None
        assert held.stdout.readline() == b"held\n"
        port = json.loads(record(paths).read_text())["port"]
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
        assert hand_over(paths, OpenPage(), PATIENCE_S) == RequestAccepted(held.pid)
        for one in silent:
            one.close()
        held.kill()


def test_one_that_is_asked_to_quit_is_waited_for(paths: Paths) -> None:
    one = acquire_instance(paths)
    assert one is not None
    one.listen(os.urandom, lambda _: None, one.close)
    assert is_instance_running(paths)
    assert quit_instance(paths, PATIENCE_S)
    assert not is_instance_running(paths)


def test_one_that_knows_no_such_request_is_terminated(paths: Paths) -> None:
    env = {**os.environ, "INTAGLIO_STATE_DIR": str(paths.state)}
    held = [sys.executable, "-c", HOLD, "tray"]
    with subprocess.Popen(held, env=env, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        assert quit_instance(paths, PATIENCE_S)
        assert other.wait(PATIENCE_S) != 0


def test_without_one_there_is_nothing_to_quit(paths: Paths) -> None:
    assert quit_instance(paths, PATIENCE_S)
    assert not paths.runtime.exists()


def test_the_command_quits_the_one_that_runs(
    paths: Paths, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("INTAGLIO_STATE_DIR", str(paths.state))
    one = acquire_instance(paths)
    assert one is not None
    one.listen(os.urandom, lambda _: None, one.close)
    assert main(["--quit"]) == 0
    assert main(["--quit"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "The tray app has quit.",
        "The tray app isn't running.",
    ]
