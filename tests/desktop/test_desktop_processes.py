"""The tray app and its daemon as real processes: killed, stopped, adopted, hung, port taken."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from fakes import fast_desktop
from fakes.daemon import daemon_env, free_port, running_daemon, start_script
from fakes.forked import RunningProcess
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.daemon_record import DaemonRecord, read_record
from intaglio.base.installation import read_installation
from intaglio.base.paths import Paths, find_paths, write_private
from intaglio.client.daemon_process import find_process, is_answering, stop

T = TypeVar("T")


@dataclass
class TrayApp:
    """A tray app without an icon, its directories and what it wrote."""

    process: RunningProcess
    env: dict[str, str]
    home: Path

    @property
    def paths(self) -> Paths:
        return find_paths(self.env)

    @property
    def said(self) -> str:
        return (self.home / "tray.txt").read_text()

    @property
    def states(self) -> list[str]:
        """List the supervisor's states so far, by name."""
        file = self.paths.logs / "tray.log"
        lines = (
            [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        )
        return [line["now"].partition("(")[0] for line in lines if line["event"] == "state"]

    def daemon(self, but: int = 0) -> DaemonRecord:
        """Wait for a daemon that answers, another one than ``but``, and return its record."""

        def found() -> DaemonRecord | None:
            record = read_record(self.paths.lock)
            health = is_answering(self.paths) if record is not None and record.pid != but else None
            return record if health is not None else None

        return until(found, self)

    def leaves(self) -> int:
        return self.process.wait(PATIENCE_S)


def until(look: Callable[[], T | None], app: TrayApp) -> T:
    """Wait until something is found; a line that is just being written is one more look."""
    found: list[T] = []

    def is_there() -> bool:
        seen = look()
        assert seen, f"states {app.states}, said {app.said}"
        found[:] = [seen]
        return True

    wait_for(is_there, "what the tray app has to do")
    return found[0]


@contextmanager
def running_tray_app(
    home: Path, *arguments: str, port: int | None = None, **env: str
) -> Generator[TrayApp]:
    """Run a tray app below ``home``; at the end it and a daemon of its own are ended."""
    home.mkdir(parents=True, exist_ok=True)
    environment = daemon_env(home, port or free_port(), **env)
    environment["QUICK_TRAY_CLOCK"] = str(home / "clock")
    before = read_record(find_paths(environment).lock)
    with (home / "tray.txt").open("ab") as stream:
        process = start_script(
            fast_desktop.__file__,
            "--no-icon",
            *(arguments or ["--login"]),
            env=environment,
            folder=home,
            output=stream,
        )
    app = TrayApp(process, environment, home)
    try:
        yield app
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(PATIENCE_S)
        finally:
            process.kill()
            left = read_record(app.paths.lock)
            if left is not None and left != before:
                stop(app.paths)


def has_ended(record: DaemonRecord) -> bool:
    return find_process(record) is None


def kill(record: DaemonRecord) -> None:
    os.kill(record.pid, signal.SIGKILL)


@contextmanager
def stranger() -> Generator[int]:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Nobody else takes it when this one lets it go.
        other.bind(("127.0.0.1", free_port()))
        other.listen()
        yield other.getsockname()[1]


def test_a_killed_daemon_comes_back_on_the_same_port(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        first = app.daemon()
        kill(first)
        second = app.daemon(but=first.pid)
        assert second.port == first.port


@contextmanager
def not_ignored(number: int) -> Generator[None]:
    """Let programs that are started meanwhile hear a signal, though the tests run under nohup."""
    before = signal.getsignal(number)
    if before is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_a_signal_leaves_nothing_behind(tmp_path: Path, number: int) -> None:
    with not_ignored(number), running_tray_app(tmp_path) as app:
        record = app.daemon()
        app.process.send_signal(number)
        assert app.leaves() == 0
        assert has_ended(record)
        assert not app.paths.lock.exists()
        assert not (app.paths.runtime / "tray.json").exists()


@pytest.mark.slow
def test_a_second_signal_does_not_wait_for_a_daemon_that_hangs(tmp_path: Path) -> None:
    with running_tray_app(tmp_path, QUICK_TRAY_RULES='{"shutdown_timeout_s": 600}') as app:
        record = app.daemon()
        os.kill(record.pid, signal.SIGSTOP)
        app.process.send_signal(signal.SIGTERM)
        until(lambda: app.states[-1] == "Stopping", app)
        time.sleep(1)
        assert app.process.poll() is None
        app.process.send_signal(signal.SIGTERM)
        assert app.leaves() == 0
        os.kill(record.pid, signal.SIGCONT)
        until(lambda: has_ended(record), app)


@pytest.mark.slow
def test_a_killed_tray_app_takes_its_daemon_along_and_the_next_one_starts_as_ever(
    tmp_path: Path,
) -> None:
    port = free_port()
    with running_tray_app(tmp_path, port=port) as app:
        record = app.daemon()
        app.process.kill()
        until(lambda: has_ended(record), app)
        assert not app.paths.lock.exists()
        assert (app.paths.runtime / "tray.json").exists()
    with running_tray_app(tmp_path, port=port) as app:
        assert app.daemon().port == port


@pytest.mark.slow
def test_an_adopted_daemon_survives_the_tray_app_however_that_ends(tmp_path: Path) -> None:
    with running_daemon(tmp_path) as daemon:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with running_tray_app(tmp_path, port=daemon.port) as app:
                until(lambda: "Running" in app.states, app)
                app.process.send_signal(number)
                app.leaves()
                assert daemon.process.poll() is None
                (app.paths.logs / "tray.log").unlink()
        with daemon.client() as client:
            assert client.get("/health").json()["pid"] == daemon.process.pid


@pytest.mark.slow
def test_a_daemon_of_another_version_is_replaced_though_it_was_adopted(tmp_path: Path) -> None:
    # The tray app believes that another version is installed than the one that runs.
    with (
        running_daemon(tmp_path) as daemon,
        running_tray_app(tmp_path, port=daemon.port, QUICK_TRAY_VERSION="9.9") as app,
    ):
        assert app.daemon(but=daemon.process.pid).port == daemon.port
        assert daemon.process.wait(PATIENCE_S) == 0
        until(lambda: "note updated" in app.said, app)
        time.sleep(1)
        assert app.states.count("Stopping") == 1


@pytest.mark.slow
def test_repeated_kills_end_in_one_notification_and_no_daemon(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        records = [app.daemon()]
        for _ in range(4):
            kill(records[-1])
            records.append(app.daemon(but=records[-1].pid))
        kill(records[-1])
        until(lambda: "Failed" in app.states and "note daemon_failed" in app.said, app)
        time.sleep(1.5)
        assert all(has_ended(record) for record in records)
        assert is_answering(app.paths) is None
        assert app.said.count("note daemon_failed") == 1
        assert app.states.count("Starting") == 5
        assert app.process.poll() is None


@pytest.mark.slow
def test_kills_right_after_a_sleep_are_not_counted(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        pid = 0
        for hours in range(1, 6):
            record = app.daemon(but=pid)
            pid = record.pid
            write_private(tmp_path / "clock", str(hours * 3_600))
            kill(record)
        app.daemon(but=pid)
        assert "Failed" not in app.states


@pytest.mark.slow
def test_a_daemon_that_hangs_is_ended_and_replaced(tmp_path: Path) -> None:
    with running_tray_app(tmp_path, QUICK_TRAY_RULES='{"hang_s": 0.5}') as app:
        record = app.daemon()
        # It may answer us before the tray app probes it, and may be silent while it starts.
        until(lambda: app.states[-1] == "Running", app)
        os.kill(record.pid, signal.SIGSTOP)
        assert app.daemon(but=record.pid).port == record.port
        assert has_ended(record)
        assert "Stopping" in app.states


@pytest.mark.slow
def test_a_hanging_daemon_that_was_adopted_is_left_alone(tmp_path: Path) -> None:
    with (
        running_daemon(tmp_path) as daemon,
        running_tray_app(tmp_path, port=daemon.port, QUICK_TRAY_RULES='{"hang_s": 0.5}') as app,
    ):
        until(lambda: "Running" in app.states, app)
        os.kill(daemon.process.pid, signal.SIGSTOP)
        until(lambda: "Unresponsive" in app.states, app)
        os.kill(daemon.process.pid, signal.SIGCONT)
        until(lambda: app.states[-1] == "Running", app)
        assert daemon.process.poll() is None


@pytest.mark.slow
def test_a_daemon_that_was_stopped_on_purpose_stays_stopped(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        app.daemon()
        assert stop(app.paths)
        until(lambda: app.states[-1] == "Stopped", app)
        time.sleep(1)
        assert app.states[-1] == "Stopped"
        assert is_answering(app.paths) is None


@pytest.mark.slow
def test_a_taken_port_is_told_once_and_the_daemon_starts_there_when_it_is_free(
    tmp_path: Path,
) -> None:
    with stranger() as port:
        app = running_tray_app(tmp_path, port=port)
        with contextlib.ExitStack() as stack:
            running = stack.enter_context(app)
            until(lambda: "note port_taken" in running.said, running)
            time.sleep(1.5)
            assert running.said.count("note port_taken") == 1
            stack.pop_all()
    try:
        assert running.daemon().port == port
    finally:
        running.process.terminate()
        running.process.wait(PATIENCE_S)


@pytest.mark.slow
def test_a_second_launch_hands_its_link_over_and_ends(tmp_path: Path) -> None:
    opened = tmp_path / "opened.txt"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\ncat "${{1#file://}}" >> "{opened}"\n')
    browser.chmod(0o755)
    with running_tray_app(tmp_path / "home", BROWSER=f"{browser} %s") as app:
        app.daemon()
        second = subprocess.run(
            [sys.executable, "-m", "intaglio", "tray", "--no-icon", "intaglio://memory/0193-ab"],
            env=app.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert second.returncode == 0
        assert second.stdout.startswith(f"Intaglio is already running (pid {app.process.pid})")
        assert len(second.stdout.splitlines()) == 1
        address = until(lambda: opened.read_text() if opened.exists() else "", app)
        assert "/enter?key=" in address
        assert "&amp;next=%2Fmemories%2F0193-ab" in address


@pytest.mark.slow
def test_a_start_during_shutdown_gets_a_tray_app(tmp_path: Path) -> None:
    with running_tray_app(tmp_path, QUICK_TRAY_RULES='{"shutdown_timeout_s": 1.0}') as leaving:
        first = leaving.daemon()
        # Its daemon keeps it from leaving at once.
        os.kill(first.pid, signal.SIGSTOP)
        leaving.process.terminate()
        until(lambda: "Stopping" in leaving.states, leaving)
        with running_tray_app(tmp_path, port=first.port) as app:
            assert app.daemon(but=first.pid).port == first.port
            assert leaving.leaves() == 0
            assert app.process.poll() is None


@pytest.mark.slow
def test_under_nohup_the_end_of_the_terminal_is_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with running_tray_app(tmp_path) as app:
            signal.signal(signal.SIGHUP, before)
            record = app.daemon()
            app.process.send_signal(signal.SIGHUP)
            time.sleep(1)
            assert app.daemon() == record
            assert app.process.poll() is None
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
def test_without_a_screen_it_is_the_daemon_that_runs_and_says_where(tmp_path: Path) -> None:
    runs_alone(daemon_env(tmp_path, free_port()))


@pytest.mark.slow
@pytest.mark.usefixtures("desktop_packages")
def test_an_unreachable_display_counts_as_none(tmp_path: Path) -> None:
    # As after a forwarded session that ended. gi's own import warns.
    runs_alone(daemon_env(tmp_path, free_port(), DISPLAY="127.0.0.1:4095", PYTHONWARNINGS=""))


def runs_alone(env: dict[str, str]) -> None:
    headless = subprocess.Popen(
        [sys.executable, "-m", "intaglio", "tray"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    with headless:
        assert headless.stdout is not None
        assert headless.stdout.readline().startswith("No screen found: ")
        assert "/enter?key=" in headless.stdout.readline()
        record = read_record(find_paths(env).lock)
        assert record is not None
        assert record.pid == headless.pid
        headless.terminate()
        assert headless.wait(PATIENCE_S) == 0


@pytest.mark.slow
def test_the_output_of_the_daemon_before_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        first = app.daemon()
        output = app.paths.logs / "daemon.out"
        with output.open("a") as stream:
            stream.write("last words\n")
        kill(first)
        app.daemon(but=first.pid)
        assert "last words" in output.with_name("daemon.out.1").read_text()
        assert "last words" not in output.read_text()


@pytest.mark.slow
def test_the_stored_identity_is_the_daemons(tmp_path: Path) -> None:
    with running_tray_app(tmp_path) as app:
        record = app.daemon()
        install = read_installation(app.paths)
        assert install is not None
        assert (record.install_id, record.port) == (install.install_id, install.port)
