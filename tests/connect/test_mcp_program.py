"""The MCP program passes messages on, answers alone while the daemon is away, and always ends."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from fakes.connect_home import Home, unhurry
from fakes.daemon import daemon_env
from fakes.stub_daemon import StubDaemon, stub_daemon
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.files.hook_breaker import set_aside
from intaglio.connect.mcp_files import answers_file, mcp_command, program_file

REPLY = b'{"jsonrpc":"2.0","id":1,"result":{"a":1}}'
KNOWN: dict[str, Any] = {
    "versions": ["2025-11-25", "2025-06-18"],
    "initialize": {"capabilities": {"tools": {}}, "serverInfo": {"name": "intaglio"}},
    "tools": {"tools": [{"name": "memory_search"}]},
}
NOTIFICATION = b'{"jsonrpc":"2.0","method":"notifications/cancelled"}'


def _request(method: str, number: int = 1, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode()


ENV = {name: value for name, value in os.environ.items() if name != "CLAUDE_PROJECT_DIR"}
CALL = _request("tools/call", name="memory_search", arguments={"query": "x"})


@pytest.fixture(autouse=True)
def _files(home: Home, far_home: Home) -> None:
    for each in (home, far_home):
        each.refresh()
        unhurry(each.paths)
        answers_file(each.paths.hooks).write_text(json.dumps(KNOWN))


def _command(home: Home) -> list[str]:
    return mcp_command(home.paths, sys.executable, "claude-code")


def _run(home: Home, *lines: bytes, cwd: Path | None = None, **env: str) -> list[dict[str, Any]]:
    """Send lines, close stdin and return the replies, in the order of their ids."""
    done = subprocess.run(
        _command(home),
        input=b"\n".join(lines),
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
        cwd=cwd,
        env={**ENV, **env},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    return sorted(replies, key=lambda reply: reply["id"] or 0)


def _text(reply: dict[str, Any]) -> str:
    assert reply["result"]["isError"] is True
    (block,) = reply["result"]["content"]
    return str(block["text"])


def _lock(home: Home, port: int) -> None:
    home.paths.runtime.mkdir(parents=True)
    lock = {"install_id": home.install.install_id, "pid": os.getpid(), "port": port}
    home.paths.lock.write_bytes(msgspec.json.encode(lock))


@pytest.mark.parametrize("way", ["socket", "port"])
def test_a_message_is_forwarded_with_its_context(
    home: Home, far_home: Home, tmp_path: Path, way: str
) -> None:
    ours = home if way == "socket" else far_home
    folder = tmp_path / "my größe & more"
    folder.mkdir()
    token = ours.install.hook_token
    with stub_daemon(200, REPLY, socket=ours.paths.socket, hook_token=token) as daemon:
        _lock(ours, daemon.port)
        assert _run(ours, b"\r\n" + CALL + b"\r\n", cwd=folder) == [json.loads(REPLY)]
    assert daemon.bodies == [CALL]
    assert daemon.headers[0]["authorization"] == f"Bearer {token}"
    asked = urlsplit(daemon.posted[0])
    assert asked.path == "/mcp"
    assert parse_qs(asked.query) == {
        "harness": ["claude-code"],
        "workspace": [str(folder)],
        "process": [str(os.getpid())],
    }


def test_the_harnesss_directory_is_forwarded(home: Home) -> None:
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        _run(home, CALL, CLAUDE_PROJECT_DIR="/work/größe")
    assert parse_qs(urlsplit(daemon.posted[0]).query)["project_dir"] == ["/work/größe"]


def _roots(*uris: object, **more: object) -> bytes:
    result = {"roots": [{"uri": uri, "name": "x"} for uri in uris]}
    answer = {"jsonrpc": "2.0", "id": "intaglio-roots", "result": result, **more}
    return json.dumps(answer).encode()


WITH_ROOTS = _request("initialize", 0, capabilities={"roots": {"listChanged": True}})
READY = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
CHANGED = b'{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}'


def _asked_for(daemon: StubDaemon, message: bytes) -> list[str]:
    """Return the roots that came with a message, which was sent once."""
    (path,) = [path for path, body in daemon.received if body == message]
    return parse_qs(urlsplit(path).query).get("root", [])


def _questions(replies: list[dict[str, Any]]) -> list[str]:
    return [reply["method"] for reply in replies if "method" in reply]


def _talk(home: Home, *lines: bytes) -> list[dict[str, Any]]:
    """Send lines and return what is printed, a question to the client among it."""
    done = subprocess.run(
        _command(home),
        input=b"\n".join(lines),
        capture_output=True,
        check=True,
        timeout=PATIENCE_S,
        env=ENV,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_client_that_has_roots_is_asked_for_them_once_it_is_ready(home: Home) -> None:
    answer = _roots("file:///work/my%20shop", "file:///work/größe")
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        replies = _talk(home, WITH_ROOTS, READY, answer, CALL)
    assert _questions(replies) == ["roots/list"]
    assert _asked_for(daemon, CALL) == ["file:///work/my%20shop", "file:///work/größe"]
    assert answer not in daemon.bodies
    assert _asked_for(daemon, WITH_ROOTS) == []


def test_a_call_waits_for_the_roots(home: Home) -> None:
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        _talk(home, WITH_ROOTS, READY, CALL, _roots("file:///work/shop"))
    assert _asked_for(daemon, CALL) == ["file:///work/shop"]


def test_roots_that_change_are_asked_for_again(home: Home) -> None:
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        shop, bakery = _roots("file:///work/shop"), _roots("file:///work/bakery")
        replies = _talk(home, WITH_ROOTS, READY, shop, CHANGED, bakery, CALL)
    assert _questions(replies) == ["roots/list", "roots/list"]
    assert _asked_for(daemon, CALL) == ["file:///work/bakery"]


@pytest.mark.parametrize(
    "initialize",
    [
        _request("initialize", 0, capabilities={}),
        _request("initialize", 0, capabilities={"roots": None}),
        _request("initialize", 0, clientInfo={"name": "roots"}),
        _request("tools/call", 0, name="initialize", arguments={"query": '"roots"'}),
    ],
)
def test_a_client_without_roots_is_asked_nothing(home: Home, initialize: bytes) -> None:
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        assert _questions(_talk(home, initialize, READY, CHANGED, CALL)) == []
    assert _asked_for(daemon, CALL) == []


@pytest.mark.parametrize(
    "answer",
    [
        _roots(None, 5, ["x"]),
        _roots(result={"roots": "file:///x"}),
        _roots(result={"roots": ["file:///x", None]}),
        _roots(result=None, error={"code": -32601, "message": "no"}),
        _roots("file:///" + "x" * 16_000),
        b"",
    ],
    ids=["no texts", "no list", "no objects", "refused", "too long", "none"],
)
def test_invalid_roots_leave_a_call_unchanged(home: Home, answer: bytes) -> None:
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        replies = _talk(home, WITH_ROOTS, READY, answer, CALL)
    assert json.loads(REPLY) in replies
    assert _asked_for(daemon, CALL) == []


def test_a_call_that_mentions_roots_is_forwarded(home: Home) -> None:
    call = _request("tools/call", name="memory_search", arguments={"query": "intaglio-roots"})
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        assert json.loads(REPLY) in _talk(home, WITH_ROOTS, READY, _roots("file:///a"), call)
    assert _asked_for(daemon, call) == ["file:///a"]


def test_a_message_without_a_reply_prints_nothing(home: Home) -> None:
    with stub_daemon(202, b"", socket=home.paths.socket) as daemon:
        assert _run(home, NOTIFICATION) == []
    assert daemon.bodies == [NOTIFICATION]


def test_without_a_daemon_the_handshake_is_answered_and_a_call_fails_clearly(home: Home) -> None:
    initialize, older, tools, ping, call, unknown = _run(
        home,
        _request("initialize", 1, protocolVersion="1999-01-01"),
        _request("initialize", 2, protocolVersion="2025-06-18"),
        _request("tools/list", 3),
        _request("ping", 4),
        _request("tools/call", 5, name="memory_search"),
        _request("server/discover", 6),
        NOTIFICATION,
    )
    assert initialize["result"] == {"protocolVersion": "2025-11-25", **KNOWN["initialize"]}
    assert older["result"]["protocolVersion"] == "2025-06-18"
    assert tools["result"] == KNOWN["tools"]
    assert ping["result"] == {}
    assert "isn't running" in _text(call)
    assert "intaglio daemon start" in _text(call)
    assert unknown["error"]["code"] == -32_601


def test_without_an_earlier_daemon_there_is_no_stored_handshake(home: Home) -> None:
    answers_file(home.paths.hooks).unlink()
    (reply,) = _run(home, _request("initialize", protocolVersion="2025-06-18"))
    assert "isn't running" in reply["error"]["message"]


@pytest.mark.parametrize(
    ("line", "code"), [(b"{", -32_700), (b"[1]", -32_600), (b"x" * 8_000_001, -32_600)]
)
def test_an_invalid_message_is_refused_and_the_next_answered(
    home: Home, line: bytes, code: int
) -> None:
    refused, answered = _run(home, line, _request("ping"))
    assert (refused["id"], refused["error"]["code"]) == (None, code)
    assert answered["result"] == {}


def test_a_refusal_is_an_error_of_the_request_and_a_failed_call(home: Home) -> None:
    body = {"title": "Too many requests", "detail": "60 a minute", "hint": "Wait."}
    with stub_daemon(429, json.dumps(body).encode(), socket=home.paths.socket):
        listed, call = _run(home, _request("tools/list", 1), _request("tools/call", 2))
    assert listed["error"]["message"] == "Too many requests: 60 a minute. Wait."
    assert _text(call) == "Too many requests: 60 a minute. Wait."


def test_a_refusal_without_a_description_names_its_status(home: Home) -> None:
    with stub_daemon(404, b"<html>", socket=home.paths.socket):
        assert "404" in _text(_run(home, CALL)[0])


def test_a_json_rpc_error_of_the_daemon_is_passed_on(home: Home) -> None:
    body = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}'
    with stub_daemon(400, body, socket=home.paths.socket) as daemon:
        assert _run(home, b"rubbish") == [json.loads(body)]
    assert daemon.bodies == [b"rubbish"]


def test_a_reply_that_is_too_large_fails_the_call(home: Home) -> None:
    with stub_daemon(200, b"x" * 4_000_001, socket=home.paths.socket):
        assert "larger than 4 MB" in _text(_run(home, CALL)[0])


def test_concurrent_calls_fail_when_the_daemon_stops(home: Home) -> None:
    with subprocess.Popen(_command(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        with stub_daemon(hang=True, socket=home.paths.socket) as daemon:
            process.stdin.write(CALL + b"\n" + CALL + b"\n")
            process.stdin.flush()
            wait_for(lambda: len(daemon.bodies) == 2, "both messages arrive")
        with stub_daemon(200, REPLY, socket=home.paths.socket):
            output, _ = process.communicate(CALL, PATIENCE_S)
    replies = [json.loads(line) for line in output.splitlines()]
    assert [reply for reply in replies if "isError" not in reply["result"]] == [json.loads(REPLY)]
    assert sum("stopped before" in json.dumps(reply) for reply in replies) == 2


def test_a_daemon_that_hangs_fails_the_call_and_delays_no_handshake(home: Home) -> None:
    program = program_file(home.paths.hooks)
    text = re.sub(r"(?m)^((CALL|OTHER)_S) = .*", r"\1 = 0.1", program.read_text())
    program.write_text(text)
    with stub_daemon(hang=True, socket=home.paths.socket):
        listed, call = _run(home, _request("tools/list", 1), _request("tools/call", 2))
    assert listed["result"] == KNOWN["tools"]
    assert "in time" in _text(call)


def test_a_socket_that_a_hook_set_aside_still_leads_to_the_daemon(home: Home) -> None:
    assert home.paths.socket
    with stub_daemon(200, REPLY, socket=home.paths.socket) as daemon:
        _lock(home, daemon.port)
        set_aside(home.paths.socket)
        assert _run(home, CALL) == [json.loads(REPLY)]


def test_a_client_that_is_gone_ends_the_program(home: Home) -> None:
    with subprocess.Popen(
        _command(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(_request("ping") + b"\n")
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


def test_the_command_writes_the_program_and_becomes_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "intaglio", "mcp", "--harness", "some-client"],
        input=_request("ping"),
        capture_output=True,
        check=True,
        timeout=PATIENCE_S,
        env=daemon_env(tmp_path),
    )
    assert json.loads(done.stdout)["result"] == {}
    assert program_file(tmp_path / "state" / "hooks").is_file()


def test_the_command_loads_nothing_of_the_command_line() -> None:
    code = "import sys, intaglio.__main__, intaglio.cli.mcp.serve; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert {"click", "httpx", "intaglio.cli.main"}.isdisjoint(done.stdout.split())
