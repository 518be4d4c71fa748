"""The parent watchdog: a daemon exits when its standard input ends."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fakes.daemon import daemon_env, free_port, running_daemon
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.paths import find_paths
from intaglio.client.daemon_process import (
    bound_output,
    is_answering,
    output_file,
    output_tail,
    spawn,
)
from intaglio.daemon.parent_watchdog import watch_parent

COMMAND = [sys.executable, "-m", "intaglio", "daemon", "run", "--exit-with-parent"]


def test_the_daemon_shuts_down_when_its_input_is_closed(tmp_path: Path) -> None:
    env = daemon_env(tmp_path, free_port())
    paths = find_paths(env)
    child = spawn(paths, exit_with_parent=True, env=env)
    assert child.stdin is not None
    with child.stdin:
        wait_for(lambda: is_answering(paths), "a daemon that answers")
    assert child.wait(PATIENCE_S) == 0
    assert not paths.lock.exists()
    assert not paths.database.with_name("intaglio.db-wal").exists()


@pytest.mark.slow
def test_input_that_ends_during_the_start_stops_the_daemon(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND,
        env=daemon_env(tmp_path, free_port()),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_the_option_the_end_of_input_is_ignored(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        time.sleep(0.5)
        assert daemon.process.poll() is None


def test_the_exit_code_tells_the_parent_that_another_daemon_runs(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        done = subprocess.run(
            COMMAND,
            env=dict(daemon.env),
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 6


def test_a_daemon_that_does_not_stop_in_time_exits_immediately() -> None:
    ours, theirs = os.pipe()
    parent_gone, exit_codes = threading.Event(), list[int]()
    thread = watch_parent(parent_gone.set, descriptor=ours, timeout_s=0.05, kill=exit_codes.append)
    os.write(theirs, b"words mean nothing")
    time.sleep(0.05)
    assert not parent_gone.is_set()
    os.close(theirs)
    thread.join(PATIENCE_S)
    os.close(ours)
    assert parent_gone.is_set()
    assert exit_codes == [5]


def test_large_output_is_rotated_and_starts_from_empty(tmp_path: Path) -> None:
    paths = find_paths({"INTAGLIO_LOG_DIR": str(tmp_path)})
    descriptor = os.open(output_file(paths), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, b"old\n" * 100 + b"the newest\n")
    bound_output(paths, most_bytes=1_000)
    assert output_tail(paths).endswith("the newest")
    bound_output(paths, most_bytes=50)
    os.write(descriptor, b"after\n")
    os.close(descriptor)
    assert output_tail(paths) == "after"
    former = output_file(paths).with_name("daemon.out.1").read_text()
    assert former.endswith("the newest\n")
    assert len(former) == 50
