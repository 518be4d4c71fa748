"""The command line as a user runs it, against a real daemon."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from fakes.daemon import NO_MODEL, write_settings
from fakes.shell import Shell, shell_of
from fakes.waiting import PATIENCE_S, wait_for


@pytest.fixture
def shell(tmp_path: Path) -> Generator[Shell]:
    with shell_of(tmp_path) as one:
        yield one


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    """A home whose daemon runs, for all that leaves it running."""
    with shell_of(tmp_path_factory.mktemp("started")) as one:
        # Half a minute after its start a daemon makes its first backup.
        write_settings(one.home, "backup: {enabled: false}\n" + NO_MODEL)
        one.start()
        yield one


@contextmanager
def stranger(port: int) -> Generator[None]:
    with socket.socket() as other:
        # Connections of a daemon that has just ended may still be closing.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        yield


def until_listening(port: int) -> None:
    def listening() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    wait_for(listening, f"a program on port {port}")


@pytest.mark.slow
def test_start_and_stop_report_when_there_is_nothing_to_do(shell: Shell) -> None:
    started = shell("daemon", "start", fresh=True)
    assert started.returncode == 0, started.stderr
    pid = int(started.stdout.partition("pid ")[2].rstrip(").\n"))
    again = shell("daemon", "start", fresh=True)
    assert "is already running" in again.stdout
    assert f"pid {pid}" in again.stdout
    assert shell("daemon", "status", fresh=True).stdout.startswith("Intaglio 0.1.0: ready")
    restarted = shell("daemon", "restart", fresh=True)
    assert restarted.returncode == 0, restarted.stderr
    assert not psutil.pid_exists(pid)
    pid = int(restarted.stdout.partition("pid ")[2].rstrip(").\n"))
    assert shell("daemon", "stop", fresh=True).stdout == "The daemon has stopped.\n"
    assert not psutil.pid_exists(pid)
    assert shell("daemon", "stop").stdout == "The daemon isn't running.\n"


@pytest.mark.slow
def test_stop_finds_a_daemon_whose_start_time_no_longer_agrees(shell: Shell) -> None:
    pid = shell.start()
    lock = shell.home / "state" / "run" / "daemon.json"
    record = json.loads(lock.read_text())
    lock.write_text(json.dumps(record | {"create_time": record["create_time"] - 3_600}))
    assert shell("daemon", "stop").stdout == "The daemon has stopped.\n"
    assert not psutil.pid_exists(pid)


def test_a_second_run_names_the_dashboard_of_the_first(started: Shell) -> None:
    again = started("daemon", "run")
    assert again.returncode == 0
    assert again.stdout.startswith("Intaglio is already running (pid ")
    assert "/enter?key=" in again.stdout


def test_an_impossible_request_is_answered_in_one_line(shell: Shell) -> None:
    (shell.home / "file").touch()
    shell.env["INTAGLIO_STATE_DIR"] = str(shell.home / "file" / "state")
    shell.env["INTAGLIO_LOG_DIR"] = str(shell.home / "file" / "logs")
    for command in (["connect", "claude-code", "--yes"], ["daemon", "start"], ["daemon", "run"]):
        done = shell(*command)
        assert done.returncode == (4 if command[-1] == "run" else 1), done
        assert "Traceback" not in done.stderr
        assert "Not a directory" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INTAGLIO_WORKSPACE", "~nobody-of-that-name/x"),
        ("INTAGLIO_DAEMON_URL", "http://[::1"),
        ("INTAGLIO_DAEMON_URL", "nonsense"),
    ],
)
def test_an_invalid_variable_is_reported_in_one_line(shell: Shell, name: str, value: str) -> None:
    shell.env[name] = value
    done = shell("recall", "x")
    assert done.returncode in {1, 3}
    assert "Traceback" not in done.stderr
    shell.env.pop(name)


@pytest.mark.parametrize("value", ["none", "0", "65536"])
def test_an_invalid_port_is_refused_by_name(shell: Shell, value: str) -> None:
    shell.env["INTAGLIO_PORT"] = value
    for command, code in ((["daemon", "run"], 4), (["doctor"], 1)):
        done = shell(*command)
        assert done.returncode == code, done
        assert f"INTAGLIO_PORT is '{value}'" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
    assert not (shell.home / "state" / "daemon.json").exists()


def test_an_argument_that_is_not_utf8_is_refused(started: Shell) -> None:
    done = started("remember", os.fsdecode(b"no \xff utf8"), fresh=True)
    assert done.returncode == 2
    assert "isn't valid UTF-8" in done.stderr


@pytest.mark.slow
def test_a_daemon_that_died_on_a_port_that_a_web_server_took_is_not_mistaken(shell: Shell) -> None:
    daemon = psutil.Process(shell.start())
    daemon.kill()
    # Until it is gone it holds the port.
    daemon.wait(PATIENCE_S)
    port = shell.env["INTAGLIO_PORT"]
    command = [sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        until_listening(int(port))
        try:
            assert "is used by another program" in shell("daemon", "start").stderr
            assert shell("recall", "x").returncode == 3
            assert "FAIL  port:" in shell("doctor").stdout
            assert shell("daemon", "stop").stdout == "The daemon isn't running.\n"
        finally:
            server.kill()


def test_without_a_daemon_a_command_says_how_to_start_it_and_ends_with_3(shell: Shell) -> None:
    for command in (
        ["recall", "x"],
        ["remember", "x"],
        ["pause"],
        ["daemon", "status"],
        ["dashboard"],
    ):
        done = shell(*command)
        assert done.returncode == 3, done
        assert "intaglio daemon start" in done.stderr


def test_a_refusal_ends_with_1_and_wrong_usage_with_2(started: Shell) -> None:
    assert started("remember", " ").returncode == 1
    assert started("remember", "x", "--type", "nonsense").returncode == 2
    assert started("remember").returncode == 2
    assert started("nonsense").returncode == 2


def test_a_remembered_text_is_recalled(started: Shell) -> None:
    kept = started("remember", "We", "decided", "on Postgres", "--tags", "db")
    assert kept.stdout.startswith("Remembered for all projects (Decision): We decided on Postgres")
    assert started("remember", "-", say="We decided on Postgres").stdout.startswith(
        "Already remembered"
    )
    found = started("recall", "postgres?", "--explain")
    assert "We decided on Postgres" in found.stdout
    assert started("recall", "elephants").stdout == "No memories found.\n"


def test_start_reports_a_taken_port(shell: Shell) -> None:
    with stranger(int(shell.env["INTAGLIO_PORT"])):
        done = shell("daemon", "start")
        assert done.returncode == 1
        assert "is used by another program" in done.stderr


def test_a_stale_record_never_ends_another_process(shell: Shell) -> None:
    shell.start()
    lock = shell.home / "state" / "run" / "daemon.json"
    record = json.loads(lock.read_text())
    shell("daemon", "stop")
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as other:
        # Its daemon began at another time than the process that has its number by now.
        stale = {"pid": other.pid, "create_time": record["create_time"] - 3_600}
        lock.write_text(json.dumps(record | stale))
        try:
            assert shell("daemon", "stop").stdout == "The daemon isn't running.\n"
            assert other.poll() is None
        finally:
            other.kill()


@pytest.mark.slow
def test_a_hanging_daemon_is_stopped(shell: Shell) -> None:
    pid = shell.start()
    os.kill(pid, signal.SIGSTOP)
    assert shell("daemon", "stop").stdout == "The daemon has stopped.\n"
    assert not psutil.pid_exists(pid)


@pytest.mark.slow
def test_run_by_the_installed_command_becomes_the_daemon_itself(shell: Shell) -> None:
    command = [sys.executable, "-c", "from intaglio.cli.main import main; main()", "daemon", "run"]
    with subprocess.Popen(command, env=shell.env, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline().startswith("Intaglio 0.1.0 · dashboard: http://127.0.0.1:")
        new_link = run.stdout.readline()
        assert new_link.startswith("The link works once. For a new one, run: ")
        assert new_link.endswith("intaglio dashboard\n")
        first_step = run.stdout.readline()
        assert first_step.startswith("Connect an agent: ")
        assert first_step.endswith("intaglio connect\n")
        assert f"pid {run.pid}" in shell("daemon", "status").stdout
        run.terminate()
        assert run.wait(PATIENCE_S) == 0


def test_status_summarises_whether_everything_works(shell: Shell) -> None:
    assert shell("status").returncode == 3
    shell.start()
    shell("remember", "Tabs are 4 wide")
    told = shell("status")
    assert told.returncode == 0
    assert told.stdout.startswith("Intaglio 0.1.0: running\n  Warning: No agent is connected.\n")
    assert "Agents     none connected\n" in told.stdout
    assert "Memories   1 (0 forgotten)\n" in told.stdout
    assert "Inbox      nothing waits\n" in told.stdout
    assert f"http://127.0.0.1:{shell.env['INTAGLIO_PORT']} (" in told.stdout
    (shell.home / ".claude").mkdir()
    asked = shell("connect", say="y\n")
    assert "Write these changes" in asked.stdout
    assert "Claude Code is connected." in asked.stdout
    # What the checks found is shown for two seconds.
    wait_for(lambda: "  All is well: one agent is connected; " in shell("status").stdout, "well")
    assert "Agents     Claude Code\n" in shell("status").stdout
    assert json.loads(shell("status", "--json").stdout)["issues"] == []
    assert shell("connect").stdout.startswith("claude-code: connected, tools registered")


@pytest.mark.slow
def test_connect_and_disconnect_work_without_a_daemon(shell: Shell) -> None:
    settings = shell.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    shown = shell("connect", "claude-code", "--print")
    assert "+" in shown.stdout
    assert not (shell.home / "state").exists()
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'
    refused = shell("connect", "claude-code", say="n\n")
    assert refused.returncode == 1
    assert "connected" in shell("connect", "claude-code", "--yes").stdout
    assert "claude-code.py" in settings.read_text()
    assert "ok    claude-code tools: registered" in shell("doctor").stdout
    assert "already connected" in shell("connect", "claude-code", "--yes").stdout
    shell("connect", "claude-code", "--no-mcp", "--yes")
    assert not (shell.home / ".claude.json").exists()
    assert "claude-code: connected, tools declined" in shell("connect").stdout
    assert "disconnected" in shell("disconnect", "claude-code", "--yes").stdout
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'


@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_the_command_that_the_dashboard_shows_works_in_another_terminal(started: Shell) -> None:
    with httpx.Client(base_url=f"http://127.0.0.1:{started.env['INTAGLIO_PORT']}") as http:
        rows = http.get("/api/harnesses").json()["harnesses"]
    for row in rows:
        line = f"{row['command']} --print"
        # Neither an activated environment nor the variables of this installation.
        env = {"HOME": str(started.home), "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            ["/bin/sh", "-c", line], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert str(started.home / "state" / "hooks") in done.stdout


def test_the_doctor_finds_what_is_wrong(shell: Shell) -> None:
    sick = shell("doctor")
    assert sick.returncode == 1
    assert "FAIL  daemon: not responding" in sick.stdout
    assert "warn  agent programs: none that can be connected was found\n" in sick.stdout
    shell.start()
    (shell.home / ".claude").mkdir()
    (shell.home / "agents" / "agent.yaml").write_text("search:\n  min_score: 7\n")
    (shell.home / "agents" / ".daemon").mkdir()
    (shell.home / "agents" / ".daemon" / "pid").write_text(str(os.getpid()))
    aside = shell.home / "state" / "spool" / "rejected"
    aside.mkdir(parents=True)
    (aside / "1.json").write_text("{}")
    found = shell("doctor")
    assert found.returncode == 0, found.stdout
    assert "warn  spool: 0 events queued, 1 rejected" in found.stdout
    assert "warn  agents: No agent is connected\n" in found.stdout
    assert "ok    models: " in found.stdout
    assert "warn  settings: search.min_score must be a number from 0 to 1" in found.stdout
    assert "warn  signet:" in found.stdout
    assert "warn  claude-code: not connected" in found.stdout


def test_the_doctor_names_missing_gitignore_entries(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "home" / "agents" / "memory" / ".gitignore"
    file.parent.mkdir(parents=True)
    file.write_text("intaglio.db\n")
    said = shell("doctor").stdout
    assert "warn  gitignore:" in said
    assert "/intaglio.db-wal" in said


@pytest.mark.slow
def test_the_doctor_names_a_stranger_on_our_port(shell: Shell) -> None:
    shell.start()
    shell.end()
    with stranger(int(shell.env["INTAGLIO_PORT"])):
        assert "FAIL  port:" in shell("doctor").stdout


@pytest.mark.slow
def test_the_doctor_asks_a_daemon_that_hangs_only_once(shell: Shell) -> None:
    daemon = psutil.Process(shell.start())
    daemon.suspend()
    try:
        said = shell("doctor").stdout
    finally:
        daemon.resume()
    assert f"FAIL  daemon: doesn't respond (pid {daemon.pid})" in said
    assert f"ok    port: {shell.env['INTAGLIO_PORT']}, used by the daemon" in said
    assert "note  status: unknown: the daemon doesn't respond" in said


def test_the_doctor_names_settings_that_are_a_pipe_once(shell: Shell) -> None:
    file = shell.home / "agents" / "agent.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    said = shell("doctor").stdout
    assert f"FAIL  settings: {file} is a named pipe, not a file\n      Move it away," in said
    assert said.count(str(file)) == 1


def test_restore_without_a_copy_leaves_everything(started: Shell) -> None:
    done = started("db", "restore", "--yes")
    assert done.returncode == 1
    assert "There are no backups." in done.stderr


def test_the_service_file_is_written_to_the_systems_folder(shell: Shell) -> None:
    shell.env["XDG_CONFIG_HOME"] = str(shell.home / "cfg")
    unit = shell.home / "cfg" / "systemd" / "user" / "intaglio.service"
    assert "systemctl" in shell("daemon", "install-service").stdout
    assert "ExecStart=" in unit.read_text()
    shell("daemon", "install-service", "--remove")
    assert not unit.exists()


def test_logs_shows_the_newest_lines(started: Shell) -> None:
    lines = list[str]()

    def two() -> bool:
        lines[:] = started("daemon", "logs", "-n", "2").stdout.splitlines()
        return len(lines) == 2

    wait_for(two, "two lines in the log")
    assert not any(line.startswith("{") for line in lines)
    as_json = started("daemon", "logs", "-n", "2", "--json").stdout.splitlines()
    assert all(json.loads(line)["timestamp"] for line in as_json)
    asked = ("--part", "daemon", "--since", "9d", "--level", "info", "--grep", "STARTING")
    (line,) = started("daemon", "logs", *asked).stdout.splitlines()
    assert " info  daemon starting " in line
    assert started("daemon", "logs", "--request", "unknown", "--until", "2000-01-01").stdout == ""


@pytest.mark.slow
def test_capture_is_paused_and_resumed_from_the_terminal(started: Shell) -> None:
    assert "note  capture:" not in started("doctor").stdout
    assert started("pause").stdout.startswith("Capture is paused until you resume it.\n")
    said = started("pause", "--for", "1h30m").stdout
    assert said.startswith("Capture is paused until ")
    assert "1 h 30 min left" in said
    assert "Capture      paused until" in started("daemon", "status").stdout
    assert "note  capture: Capture paused\n" in started("doctor").stdout
    assert "Capture    paused until" in started("status").stdout
    assert started("resume").stdout == "Capture resumed.\n"
    assert started("resume").stdout == "Capture isn't paused.\n"
    assert "paused until" in started("pause", "--until", "tomorrow").stdout
