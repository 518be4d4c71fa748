"""The leash: a daemon leaves with whoever holds its standard input."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

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

COMMAND = [sys.executable, "-m", "intaglio", "daemon", "run", "--leash"]


def test_it_leaves_in_order_when_it_is_let_go(tmp_path: Path) -> None:
    env = daemon_env(tmp_path, free_port())
    paths = find_paths(env)
    child = spawn(paths, leash=True, env=env)
    assert child.stdin is not None
    with child.stdin:
        wait_for(lambda: is_answering(paths), "a daemon that answers")
    assert child.wait(PATIENCE_S) == 0
    assert not paths.lock.exists()
    assert not paths.database.with_name("intaglio.db-wal").exists()


def test_let_go_before_it_serves_it_leaves_too(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND,
        env=daemon_env(tmp_path, free_port()),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_without_a_leash_the_end_of_input_means_nothing(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        time.sleep(0.5)
        assert daemon.process.poll() is None


def test_on_a_leash_it_says_by_its_exit_code_that_another_one_runs(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        done = subprocess.run(
            COMMAND,
            env=dict(daemon.env),
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 6


def test_what_does_not_leave_is_ended_hard() -> None:
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


def test_output_that_grows_is_put_aside_and_goes_on_from_the_start(tmp_path: Path) -> None:
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
