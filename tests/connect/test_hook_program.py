"""The hook program hands an event over or spools it; it is silent and ends with 0 always."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from fakes.connect_home import Home, make_home, unhurry
from fakes.hostile import hostile_listener
from fakes.stub_daemon import StubDaemon, stub_daemon
from fakes.waiting import PATIENCE_S, at_best
from intaglio.base.files.hook_breaker import aside, timeout_note

_ENV = {name: value for name, value in os.environ.items() if name != "CLAUDE_PROJECT_DIR"}
EVENT: dict[str, str] = {
    "session_id": "s-1",
    "transcript_path": "/home/u/.claude/projects/p/s-1.jsonl",
    "cwd": "/home/u/p",
    "hook_event_name": "Stop",
    "last_assistant_message": "done",
}


def _lock(home: Home, port: int, **changes: object) -> None:
    lock = {
        "app": "intaglio",
        "pid": os.getpid(),
        "create_time": 1.5,
        "port": port,
        "host": "127.0.0.1",
        "version": "0",
        "started_at": "x",
        "install_id": home.install.install_id,
        "token": "t",
        "socket": None if home.paths.socket is None else str(home.paths.socket),
    }
    home.paths.runtime.mkdir(parents=True, exist_ok=True)
    home.paths.lock.write_bytes(msgspec.json.encode({**lock, **changes}))


@contextmanager
def _daemon(
    home: Home, status: int = 200, body: bytes = b"{}", *, hang: bool = False, **record: object
) -> Generator[StubDaemon]:
    token = home.install.hook_token
    socket = home.paths.socket
    with stub_daemon(status, body, hang=hang, socket=socket, hook_token=token) as daemon:
        _lock(home, daemon.port, **record)
        yield daemon


def _run(
    home: Home, data: bytes | None, *args: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    program = home.paths.hooks / "claude-code.py"
    return subprocess.run(
        [sys.executable, "-I", "-S", str(program), *args],
        input=data,
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        env={**_ENV, **(env or {})},
    )


def _is_silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def _spooled(home: Home) -> list[dict[str, Any]]:
    files = sorted(home.paths.spool.glob("*")) if home.paths.spool.exists() else []
    return [json.loads(file.read_bytes()) for file in files]


@pytest.fixture(autouse=True)
def _files(home: Home, far_home: Home) -> None:
    for each in (home, far_home):
        each.refresh()
        unhurry(each.paths)


@pytest.fixture
def own_limits(home: Home, far_home: Home) -> None:
    """Leave the limits as a user has them."""
    home.refresh()
    far_home.refresh()


@pytest.fixture(params=["socket", "port"])
def each_home(request: pytest.FixtureRequest, home: Home, far_home: Home) -> Home:
    """A home whose hooks use the Unix socket, and one whose hooks have only the port."""
    return home if request.param == "socket" else far_home


def test_an_event_is_posted_with_the_hook_token_alone(each_home: Home) -> None:
    with _daemon(each_home) as daemon:
        assert _is_silent(_run(each_home, json.dumps(EVENT).encode()))
    assert json.loads(daemon.bodies[0]) == EVENT
    assert daemon.headers[0]["authorization"] == f"Bearer {each_home.install.hook_token}"
    assert daemon.headers[0]["content-type"] == "application/json"
    assert not each_home.paths.spool.exists()


def test_the_harnesss_directory_is_sent_with_the_event(each_home: Home) -> None:
    named = "/home/u/größe\r\nX-Other: 1"
    with _daemon(each_home) as daemon:
        _run(each_home, json.dumps(EVENT).encode(), env={"CLAUDE_PROJECT_DIR": named})
    assert unquote(daemon.headers[0]["x-intaglio-project-dir"]) == named
    assert "x-other" not in daemon.headers[0]
    assert json.loads(daemon.bodies[0]) == EVENT
    _run(each_home, json.dumps(EVENT).encode(), env={"CLAUDE_PROJECT_DIR": named})
    (entry,) = _spooled(each_home)
    assert entry["started_in"] == named


def test_an_undecodable_directory_is_left_out_of_the_spool(home: Home) -> None:
    _run(home, json.dumps(EVENT).encode(), env={"CLAUDE_PROJECT_DIR": "/home/\udcff"})
    (entry,) = _spooled(home)
    assert "started_in" not in entry


def test_the_reply_is_printed_only_when_asked_for(each_home: Home) -> None:
    with _daemon(each_home, body=b'{"x": 1}'):
        assert _run(each_home, json.dumps(EVENT).encode(), "--reply").stdout == b'{"x": 1}'
        assert _run(each_home, json.dumps(EVENT).encode()).stdout == b""


def test_an_event_that_only_asks_is_never_spooled(each_home: Home) -> None:
    assert _is_silent(_run(each_home, json.dumps(EVENT).encode(), "--ask"))
    with _daemon(each_home, status=503):
        assert _is_silent(_run(each_home, json.dumps(EVENT).encode(), "--ask"))
    assert not each_home.paths.spool.exists()
    with _daemon(each_home, body=b'{"x": 1}'):
        assert _run(each_home, json.dumps(EVENT).encode(), "--ask").stdout == b'{"x": 1}'


def test_an_absent_daemon_leaves_the_event_in_the_spool(home: Home) -> None:
    before = time.time()
    event = {**EVENT, "hook_event_name": "SessionEnd", "reason": "exit"}
    assert _is_silent(_run(home, json.dumps(event).encode()))
    (entry,) = _spooled(home)
    assert before <= entry.pop("time") <= time.time()
    assert entry == {
        "harness": "claude-code",
        "event": "SessionEnd",
        "reason": "exit",
        "session": "s-1",
        "cwd": "/home/u/p",
        "transcript_path": "/home/u/.claude/projects/p/s-1.jsonl",
    }


def test_spooled_events_are_private_and_sort_by_time(home: Home) -> None:
    for name in ("a", "b", "c"):
        _run(home, json.dumps({**EVENT, "session_id": name}).encode())
    assert [entry["session"] for entry in _spooled(home)] == ["a", "b", "c"]
    assert {file.stat().st_mode & 0o777 for file in home.paths.spool.iterdir()} == {0o600}
    assert all(file.name[20] == "-" for file in home.paths.spool.iterdir())


@pytest.mark.parametrize("status", [301, 400, 401, 404, 500, 503])
def test_any_answer_but_success_spools(home: Home, status: int) -> None:
    with _daemon(home, status):
        assert _is_silent(_run(home, json.dumps(EVENT).encode()))
    assert len(_spooled(home)) == 1


@pytest.mark.usefixtures("own_limits")
def test_a_hanging_daemon_is_tried_once_until_it_runs_again(
    each_home: Home,
) -> None:
    home = each_home
    run = partial(_run, home, json.dumps(EVENT).encode())
    runs = list[subprocess.CompletedProcess[bytes]]()
    with _daemon(home, hang=True) as daemon:
        begun = time.monotonic()
        runs.append(run())
        assert time.monotonic() - begun > 1.9
        assert at_best(lambda: runs.append(run()), under_s=1) < 1
        assert len(daemon.bodies) == 1
        assert all(_is_silent(done) for done in runs)
        assert len(_spooled(home)) == len(runs)
        _close_breaker(home)
        daemon.hang = False
        assert _is_silent(run())
        assert len(daemon.bodies) == 2
    assert len(_spooled(home)) == len(runs)


def _close_breaker(home: Home) -> None:
    """Do what a daemon does that runs again."""
    if home.paths.socket is None:
        timeout_note(home.paths).unlink()
    else:
        aside(home.paths.socket).rename(home.paths.socket)


@pytest.mark.parametrize("age_s", [-3_600, 61, None])
def test_a_recorded_timeout_counts_for_a_minute(far_home: Home, age_s: float | None) -> None:
    note = timeout_note(far_home.paths)
    note.write_text("rubbish" if age_s is None else str(time.monotonic() - age_s))
    with _daemon(far_home) as daemon:
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode()))
        assert len(daemon.bodies) == 1
        note.write_text(str(time.monotonic() - 30))
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode()))
        assert len(daemon.bodies) == 1


@pytest.mark.usefixtures("own_limits")
def test_an_error_or_an_end_in_time_leaves_the_socket_alone(home: Home) -> None:
    with _daemon(home, 503):
        _run(home, json.dumps(EVENT).encode())
        assert home.paths.socket
        assert home.paths.socket.exists()


@pytest.mark.usefixtures("own_limits")
def test_a_silent_port_does_not_delay_the_harness(far_home: Home) -> None:
    home = far_home
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        _lock(home, listening.getsockname()[1])
        assert _is_silent(_run(home, json.dumps(EVENT).encode()))
    assert len(_spooled(home)) == 1


@pytest.mark.parametrize(
    "lock", [b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"port": "x"}', b'{"install_id": "a1b2c3"}']
)
def test_a_rubbish_lock_file_spools(far_home: Home, lock: bytes) -> None:
    far_home.paths.runtime.mkdir(parents=True)
    far_home.paths.lock.write_bytes(lock)
    assert _is_silent(_run(far_home, json.dumps(EVENT).encode()))
    assert len(_spooled(far_home)) == 1


def test_nothing_is_sent_to_another_installations_daemon(far_home: Home) -> None:
    with _daemon(far_home, install_id="other") as daemon:
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode()))
    assert daemon.bodies == []
    assert len(_spooled(far_home)) == 1


def test_nothing_is_sent_when_the_daemons_process_is_gone(far_home: Home) -> None:
    # No process of Linux has a number beyond four million; one that just ended may be given anew.
    with _daemon(far_home, pid=2**22 + 1) as daemon:
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode()))
    assert daemon.bodies == []
    assert len(_spooled(far_home)) == 1


def test_a_program_on_the_port_without_the_proof_receives_nothing(far_home: Home) -> None:
    with hostile_listener() as hostile:
        _lock(far_home, hostile.port)
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode(), "--reply"))
    for secret in (far_home.install.hook_token, EVENT["session_id"], EVENT["cwd"]):
        assert secret not in hostile.text
    assert hostile.text.startswith("GET /api/auth/proof?nonce=")
    assert len(_spooled(far_home)) == 1


def test_a_proof_is_valid_for_one_port_only(far_home: Home) -> None:
    token = far_home.install.hook_token
    with stub_daemon(hook_token=token) as relay:
        _lock(far_home, relay.port)
        # What it passes on is the answer of the daemon at another port.
        relay.port += 1
        assert _is_silent(_run(far_home, json.dumps(EVENT).encode(), "--reply"))
    assert len(relay.asked) == 1
    assert relay.bodies == []


@pytest.mark.parametrize("left", ["nothing", "a dead socket"])
def test_with_a_socket_the_port_is_never_asked(home: Home, left: str) -> None:
    assert home.paths.socket
    if left == "a dead socket":
        home.paths.state.mkdir(exist_ok=True)
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(home.paths.socket))
    with hostile_listener() as hostile:
        _lock(home, hostile.port)
        assert _is_silent(_run(home, json.dumps(EVENT).encode(), "--reply"))
    assert hostile.heard == []
    assert len(_spooled(home)) == 1


def test_a_daemon_whose_folder_holds_no_sockets_is_asked_at_its_port(home: Home) -> None:
    with stub_daemon(hook_token=home.install.hook_token) as daemon:
        _lock(home, daemon.port, socket=None)
        assert _is_silent(_run(home, json.dumps(EVENT).encode()))
    assert len(daemon.bodies) == 1


@pytest.mark.parametrize(
    "data", [b"", b"null", b"[]", b"{", b"\xff\xfe\x00", b'"x"', b"{}", b'{"session_id": 1}']
)
@pytest.mark.parametrize("status", [400, None])
def test_rubbish_input_ends_silently_and_spools_nothing(
    home: Home, data: bytes, status: int | None
) -> None:
    with contextlib.ExitStack() as stack:
        if status:
            stack.enter_context(_daemon(home, status))
        assert _is_silent(_run(home, data))
    assert _spooled(home) == []


def test_closed_input_ends_silently(home: Home) -> None:
    program = str(home.paths.hooks / "claude-code.py")
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -I -S "{program}" <&-'],
        capture_output=True,
        check=False,
    )
    assert _is_silent(done)


@pytest.mark.usefixtures("own_limits")
def test_endless_input_is_abandoned_after_two_seconds(home: Home) -> None:
    program = str(home.paths.hooks / "claude-code.py")

    def run() -> None:
        with subprocess.Popen(
            [sys.executable, "-I", "-S", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            assert process.wait(PATIENCE_S) == 0
            assert process.stdout is not None
            assert process.stdout.read() == b""

    at_best(run, under_s=5)


def test_input_over_a_megabyte_is_spooled_with_its_needed_fields(home: Home) -> None:
    event = {**EVENT, "last_assistant_message": 'x" \\ ' * 400_000, "reason": "late"}
    with _daemon(home) as daemon:
        assert _is_silent(_run(home, json.dumps(event).encode()))
    assert daemon.bodies == []
    (entry,) = _spooled(home)
    assert (entry["event"], entry["session"], entry["cwd"]) == ("Stop", "s-1", "/home/u/p")


def test_a_spool_that_cannot_be_written_ends_silently(home: Home) -> None:
    home.paths.spool.write_text("a file where the folder should be")
    assert _is_silent(_run(home, json.dumps(EVENT).encode()))


def test_a_full_disk_leaves_no_half_file(home: Home) -> None:
    home.paths.spool.mkdir()
    program = str(home.paths.hooks / "claude-code.py")
    # A file size limit of 0 makes each write fail as a full disk does.
    done = subprocess.run(
        ["sh", "-c", f'ulimit -f 0; exec "{sys.executable}" -I -S "{program}"'],
        input=json.dumps(EVENT).encode(),
        capture_output=True,
        check=False,
    )
    assert _is_silent(done)
    assert list(home.paths.spool.iterdir()) == []


def test_a_full_spool_takes_no_more(home: Home) -> None:
    home.paths.spool.mkdir()
    for number in range(10_000):
        (home.paths.spool / f"{number:020d}-1.json").touch()
    assert _is_silent(_run(home, json.dumps(EVENT).encode()))
    assert len(list(home.paths.spool.iterdir())) == 10_000


def test_a_closed_output_is_no_error(home: Home) -> None:
    program = str(home.paths.hooks / "claude-code.py")
    with (
        _daemon(home, body=b"x" * 100_000),
        subprocess.Popen(
            [sys.executable, "-I", "-S", program, "--reply"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(EVENT).encode())
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("name", ["INTAGLIO_NO_HOOKS", "SIGNET_NO_HOOKS", "SIGNET_BYPASS"])
def test_the_switch_in_the_environment_turns_it_off(home: Home, name: str) -> None:
    with _daemon(home) as daemon:
        assert _is_silent(_run(home, json.dumps(EVENT).encode(), env={name: "1"}))
    assert daemon.bodies == []
    assert _spooled(home) == []


def test_a_kill_leaves_no_partial_event(home: Home) -> None:
    program = str(home.paths.hooks / "claude-code.py")
    for delay_ms in range(0, 40, 4):
        with subprocess.Popen([sys.executable, "-I", "-S", program], stdin=subprocess.PIPE) as p:
            assert p.stdin
            p.stdin.write(json.dumps(EVENT).encode())
            p.stdin.close()
            time.sleep(delay_ms / 1000)
            p.send_signal(signal.SIGKILL)
    complete = home.paths.spool.glob("*.json") if home.paths.spool.exists() else ()
    assert all(json.loads(file.read_bytes())["session"] == "s-1" for file in complete)


def test_the_program_imports_nothing_of_the_package(home: Home) -> None:
    source = (home.paths.hooks / "claude-code.py").read_text()
    assert "import intaglio" not in source
    assert str(home.paths.lock) in source
    assert home.install.hook_token not in source
    assert home.install.token not in source


def test_a_state_folder_with_quotes_is_written_correctly(tmp_path: Path) -> None:
    folder = tmp_path / 'it\'s "here" \\ now'
    folder.mkdir()
    home = make_home(folder)
    home.refresh()
    assert _is_silent(_run(home, json.dumps(EVENT).encode()))
    assert len(_spooled(home)) == 1
