"""Another user of this machine, who calls a daemon. Only root can act as one."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from fakes.waiting import PATIENCE_S

NOBODY: Final = 65_534
STRANGER: Final = 54_321

Call: TypeAlias = tuple[str, str, Mapping[str, str], str]
"""Method, path, headers and body."""

_JSON: Final = {"content-type": "application/json"}
_HOOK: Final = json.dumps({"harness": "claude-code", "sessionKey": "s1", "userMessage": "hello"})
PLANTED: Final = "Planted."
CALLS: Final[tuple[Call, ...]] = (
    ("GET", "/health", {}, ""),
    ("GET", "/api/status", {}, ""),
    ("GET", "/api/memories", {}, ""),
    ("GET", "/api/memories/most-used", {}, ""),
    ("GET", "/api/events", {}, ""),
    ("GET", "/api/logs", {}, ""),
    ("GET", "/api/logs/stream", {}, ""),
    ("GET", "/api/auth/whoami", {}, ""),
    ("GET", f"/api/auth/proof?nonce={'0' * 32}", {}, ""),
    ("GET", "/api/openapi.json", {}, ""),
    ("GET", "/api/no-such-thing", {}, ""),
    ("GET", "/", {}, ""),
    ("GET", "/enter?key=guess", {}, ""),
    ("GET", "//api/memories", {}, ""),
    ("POST", "/api/memory/recall", _JSON, '{"query": "tea"}'),
    ("POST", "/api/memory/remember", _JSON, json.dumps({"content": PLANTED})),
    ("POST", "/api/memory/forget", _JSON, '{"query": "tea"}'),
    ("POST", "/api/hooks/session-start", _JSON, _HOOK),
    ("POST", "/api/hooks/user-prompt-submit", _JSON, _HOOK),
    ("POST", "/api/auth/link", _JSON, ""),
    ("PATCH", "/api/memory/unknown", _JSON, '{"content": "x", "reason": "y"}'),
    ("DELETE", "/api/memory/unknown?reason=x", {}, ""),
    ("POST", "/mcp", _JSON, "{}"),
)
"""What another user may try: reads, writes, hooks, events, the page and the sign-in link."""

can_be_another = sys.platform != "win32" and os.geteuid() == 0
needs_root = pytest.mark.skipif(not can_be_another, reason="acting as another user takes root")

_CALLS: Final = """
import http.client, json, sys
port, calls = json.load(sys.stdin)
answers = []
for method, path, headers, body in calls:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body or None, headers)
    reply = connection.getresponse()
    answers.append([reply.status, reply.getheader("connection") or "", reply.read().decode()])
    connection.close()
json.dump(answers, sys.stdout)
"""

_HOLDS: Final = """
import socket, sys
held = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
print("held", flush=True)
sys.stdin.read()
"""

_CONNECTS: Final = """
import json, socket, sys
try:
    socket.socket(socket.AF_UNIX).connect(json.load(sys.stdin))
    outcome = "connected"
except OSError as error:
    outcome = type(error).__name__
json.dump(outcome, sys.stdout)
"""

_LEAVES: Final = """
import json, socket, sys
port, requests = json.load(sys.stdin)
for request in requests:
    peer = socket.create_connection(("127.0.0.1", port))
    peer.sendall(request.encode())
    peer.close()
json.dump([], sys.stdout)
"""


def _program(script: str) -> list[str]:
    # Not the environment's link to the interpreter, in a folder that others may not pass.
    return [os.path.realpath(sys.executable), "-I", "-S", "-c", script]


def run_as(uid: int, script: str, given: Any) -> Any:  # noqa: ANN401 - JSON
    """Run a script as a user with no rights; it reads and writes JSON."""
    done = subprocess.run(
        _program(script),
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
        user=uid,
        group=uid,
        extra_groups=[],
        cwd=Path("/"),
        env={},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def call_as(uid: int, port: int, calls: Sequence[Call]) -> list[tuple[int, str, str]]:
    """Make calls, each over a connection of its own; returns status, Connection header and body."""
    return [(each[0], each[1], each[2]) for each in run_as(uid, _CALLS, [port, calls])]


def send_and_leave_as(uid: int, port: int, requests: Sequence[str]) -> None:
    """Send raw requests, closing each connection before its answer can have come."""
    run_as(uid, _LEAVES, [port, requests])


def connect_as(uid: int, socket_file: Path) -> str:
    """Connect to a Unix socket; returns "connected" or the name of the error."""
    outcome: str = run_as(uid, _CONNECTS, str(socket_file))
    return outcome


@contextmanager
def holding_as(uid: int, port: int, count: int) -> Generator[None]:
    """Hold this many idle connections of a user while the block runs."""
    with subprocess.Popen(
        [*_program(_HOLDS), str(port), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        user=uid,
        group=uid,
        extra_groups=[],
        cwd=Path("/"),
        env={},
    ) as process:
        if process.stdout is not None:
            assert process.stdout.readline() == b"held\n"
        yield
