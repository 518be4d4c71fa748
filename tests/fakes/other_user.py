"""Another user of this machine, who calls a daemon. Only root can act as one."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from fakes.waiting import PATIENCE_S

NOBODY: Final = 65_534
STRANGER: Final = 54_321

Call: TypeAlias = tuple[str, str, Mapping[str, str], str]
"""Method, path, headers and body."""

needs_root = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="acting as another user takes root"
)

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

_LEAVES: Final = """
import json, socket, sys
port, requests = json.load(sys.stdin)
for request in requests:
    peer = socket.create_connection(("127.0.0.1", port))
    peer.sendall(request.encode())
    peer.close()
json.dump([], sys.stdout)
"""


def run_as(uid: int, script: str, given: Any) -> Any:  # noqa: ANN401 - JSON
    """Run a script as a user with no rights; it reads and writes JSON."""
    done = subprocess.run(
        # Not the environment's link to it, in a folder that others may not pass.
        [os.path.realpath(sys.executable), "-I", "-S", "-c", script],
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
