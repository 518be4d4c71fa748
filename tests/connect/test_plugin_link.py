"""A plugin hands an event over or spools it; whatever happens, it throws and prints nothing."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from boot.process import BIN
from fakes.connect_home import Home
from fakes.hostile import INJECTION, hostile_listener
from fakes.stub_daemon import StubDaemon, stub_daemon
from fakes.waiting import PATIENCE_S
from intaglio.base.files.hook_breaker import set_aside
from intaglio.connect.hook_files import plugin_file, plugin_files, write_files
from intaglio.harness import registry, spool
from intaglio.harness.events import EventOrigin, TurnEnd

PLUGIN = Path(__file__).resolve().parents[1] / "fakes" / "plugin.js"
EVENT = {"event": "turn_end", "session": "s-1", "cwd": "/home/u/p", "prompt": "größe \u2028 </x>"}
# A busy machine is not a daemon that hangs.
PATIENT = {"limitMs": PATIENCE_S * 1_000}


def _lock(home: Home, port: int, **changes: object) -> None:
    lock = {
        "pid": os.getpid(),
        "port": port,
        "install_id": home.install.install_id,
        "socket": None if home.paths.socket is None else str(home.paths.socket),
    }
    home.paths.runtime.mkdir(parents=True, exist_ok=True)
    home.paths.lock.write_bytes(msgspec.json.encode({**lock, **changes}))


@contextmanager
def _daemon(
    home: Home,
    status: int = 200,
    body: bytes = b"{}",
    *,
    hang: bool = False,
    lock: Mapping[str, object] | None = None,
) -> Generator[StubDaemon]:
    token, path = home.install.hook_token, home.paths.socket
    with stub_daemon(status, body, hang=hang, socket=path, hook_token=token) as daemon:
        _lock(home, daemon.port, **(lock or {}))
        yield daemon


def _send(
    home: Home,
    *events: dict[str, Any],
    options: dict[str, Any] = PATIENT,
    env: dict[str, str] | None = None,
) -> list[Any]:
    """Send events from one plugin; returns the replies."""
    done = subprocess.run(
        [BIN / "node", plugin_file(home.paths.hooks, "claude-code")],
        input=json.dumps([[event, options] for event in events]).encode(),
        capture_output=True,
        check=True,
        timeout=PATIENCE_S,
        env={**os.environ, **(env or {})},
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def _spooled(home: Home) -> list[dict[str, Any]]:
    files = sorted(home.paths.spool.glob("*")) if home.paths.spool.exists() else []
    return [json.loads(file.read_bytes()) for file in files]


@pytest.fixture(autouse=True)
def _files(home: Home, far_home: Home) -> None:
    for each in (home, far_home):
        write_files(plugin_files("claude-code", PLUGIN, each.paths, each.install))


@pytest.fixture(params=["socket", "port"])
def each_home(request: pytest.FixtureRequest, home: Home, far_home: Home) -> Home:
    """A home whose plugin uses the Unix socket, and one whose plugin has only the port."""
    return home if request.param == "socket" else far_home


def test_an_event_is_posted_with_the_hook_token_alone(each_home: Home) -> None:
    with _daemon(each_home, body=b'{"text": "a\\u2028b"}') as daemon:
        assert _send(each_home, EVENT) == [{"text": "a\u2028b"}]
    assert daemon.posted == ["/api/hooks/native/claude-code"]
    assert json.loads(daemon.bodies[0]) == EVENT
    assert daemon.headers[0]["authorization"] == f"Bearer {each_home.install.hook_token}"
    assert daemon.headers[0]["x-intaglio-in-process"] == "1"
    assert _spooled(each_home) == []


def test_a_large_event_arrives_whole_and_a_huge_one_is_spooled(each_home: Home) -> None:
    large, huge = {**EVENT, "prompt": "ß" * 400_000}, {**EVENT, "prompt": "ß" * 600_000}
    with _daemon(each_home, body=b'{"text": "' + b"x" * 150_000 + b'"}') as daemon:
        replies = _send(each_home, large, huge)
    assert [json.loads(body) for body in daemon.bodies] == [large]
    assert len(replies[0]["text"]) == 150_000
    assert len(_spooled(each_home)) == 1


def test_an_empty_reply_is_none_and_the_event_is_not_spooled(each_home: Home) -> None:
    with _daemon(each_home, body=b""):
        assert _send(each_home, EVENT) == [None]
    assert _spooled(each_home) == []


def test_an_absent_daemon_leaves_the_events_in_the_spool_in_their_order(each_home: Home) -> None:
    before = time.time()
    events = [{**EVENT, "session": f"s-{number}", "reason": "exit"} for number in range(5)]
    assert _send(each_home, *events) == [None] * 5
    found = _spooled(each_home)
    assert [entry.pop("session") for entry in found] == [f"s-{number}" for number in range(5)]
    for entry in found:
        assert before - 0.01 <= entry.pop("time") <= time.time() + 0.01
        event = {"event": "turn_end", "cwd": "/home/u/p", "reason": "exit"}
        assert entry == {"harness": "claude-code", **event}
    assert {file.stat().st_mode & 0o777 for file in each_home.paths.spool.iterdir()} == {0o600}


def test_the_daemon_reads_what_a_plugin_spooled(home: Home) -> None:
    _send(home, {**EVENT, "event": "Stop", "transcript_path": "/t.jsonl"})
    (read,) = spool.drain(home.paths.spool, registry.harnesses(), structlog.get_logger())
    assert isinstance(read.event, TurnEnd)
    assert read.event.origin == EventOrigin(session="s-1", cwd="/home/u/p", transcript="/t.jsonl")


def test_an_event_that_only_asks_is_never_spooled(each_home: Home) -> None:
    asks = {**PATIENT, "keep": False}
    assert _send(each_home, EVENT, options=asks) == [None]
    with _daemon(each_home, status=503):
        assert _send(each_home, EVENT, options=asks) == [None]
    assert _spooled(each_home) == []


@pytest.mark.parametrize("status", [301, 401, 503])
def test_any_answer_but_success_spools(home: Home, status: int) -> None:
    with _daemon(home, status):
        assert _send(home, EVENT) == [None]
    assert len(_spooled(home)) == 1


def test_a_hanging_daemon_is_tried_once(each_home: Home) -> None:
    with _daemon(each_home, hang=True) as daemon:
        assert _send(each_home, EVENT, EVENT, options={"limitMs": 300}) == [None, None]
        assert len(daemon.bodies) == 1
    assert len(_spooled(each_home)) == 2


def test_a_socket_that_another_hook_set_aside_is_left_alone(home: Home) -> None:
    with _daemon(home, hang=True) as daemon:
        assert home.paths.socket is not None
        set_aside(home.paths.socket)
        assert _send(home, EVENT) == [None]
        assert daemon.bodies == []
    assert len(_spooled(home)) == 1


def test_a_silent_port_does_not_delay_the_harness(far_home: Home) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        _lock(far_home, listening.getsockname()[1])
        assert _send(far_home, EVENT, options={"limitMs": 300}) == [None]
    assert len(_spooled(far_home)) == 1


def test_a_program_on_the_port_without_the_proof_receives_nothing(far_home: Home) -> None:
    with hostile_listener() as hostile:
        _lock(far_home, hostile.port)
        assert _send(far_home, EVENT) == [None]
    for secret in (far_home.install.hook_token, EVENT["session"], EVENT["cwd"], INJECTION):
        assert secret not in hostile.text


@pytest.mark.parametrize("changes", [{"install_id": "other"}, {"pid": 2**22 + 1}])
def test_nothing_is_sent_to_a_daemon_that_is_not_ours(
    far_home: Home, changes: dict[str, object]
) -> None:
    with _daemon(far_home, lock=changes) as daemon:
        assert _send(far_home, EVENT) == [None]
    assert daemon.bodies == []
    assert len(_spooled(far_home)) == 1


@pytest.mark.parametrize("lock", [b"", b"null", b"[]", b'{"port": "x"}'])
def test_a_rubbish_lock_file_spools(far_home: Home, lock: bytes) -> None:
    far_home.paths.runtime.mkdir(parents=True)
    far_home.paths.lock.write_bytes(lock)
    assert _send(far_home, EVENT) == [None]
    assert len(_spooled(far_home)) == 1


@pytest.mark.parametrize("name", ["INTAGLIO_NO_HOOKS", "SIGNET_NO_HOOKS", "SIGNET_BYPASS"])
def test_a_switch_disables_the_plugin(home: Home, name: str) -> None:
    with _daemon(home) as daemon:
        assert _send(home, EVENT, env={name: "1"}) == [None]
    assert daemon.bodies == []
    assert _spooled(home) == []


def test_a_spool_that_cannot_be_written_is_no_error(home: Home) -> None:
    home.paths.spool.parent.mkdir(parents=True, exist_ok=True)
    home.paths.spool.write_text("a file where the folder should be")
    assert _send(home, EVENT) == [None]


def test_the_plugin_holds_no_secret_and_imports_nothing_but_nodes_own_modules(home: Home) -> None:
    text = plugin_file(home.paths.hooks, "claude-code").read_text()
    for secret in (home.install.token, home.install.hook_token, str(home.install.port)):
        assert secret not in text
    imports = [line for line in text.splitlines() if line.startswith("import ")]
    assert imports
    assert all('from "node:' in line for line in imports)
    assert "\nexport " not in text
