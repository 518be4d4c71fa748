"""Without a configuration that asks for it, the daemon connects to nothing."""

import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from fakes.daemon import APP, free_port
from fakes.waiting import PATIENCE_S, wait_for

# uvloop connects without telling the interpreter, so this daemon runs without it.
PROGRAM = """
import asyncio, sys, types
sys.modules["uvloop"] = types.SimpleNamespace(new_event_loop=asyncio.new_event_loop)
log = open(sys.argv.pop(1), "a", buffering=1)

def watch(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        log.write(f"{event} {args[1]!r}\\n")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        log.write(f"{event} {args[0]!r}\\n")

sys.addaudithook(watch)
from intaglio.__main__ import main
raise SystemExit(main())
"""


def environment(home: Path, port: int) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(APP),
        "HOME": str(home),
        "INTAGLIO_PORT": str(port),
        # What a program without a configuration of its own might use.
        "OPENAI_API_KEY": "sk-" + "x" * 20,
        "ANTHROPIC_API_KEY": "sk-" + "y" * 20,
    }


def use(client: httpx.Client, home: Path) -> None:
    """Do what a user and a harness do, from the first memory to the pages of the dashboard."""
    kept = client.post(
        "/api/memory/remember", json={"content": "We decided to use PostgreSQL.", "project": "/p"}
    )
    assert kept.status_code == 200, kept.text
    session = {"harness": "claude-code", "sessionKey": "s1", "project": str(home)}
    prompt = {**session, "userMessage": "Which database do we use?"}
    for path, body in (
        ("/api/memory/recall", {"query": "database"}),
        ("/api/hooks/session-start", session),
        ("/api/hooks/user-prompt-submit", prompt),
        ("/api/hooks/session-end", session),
    ):
        assert client.post(path, json=body).status_code == 200, path
    for path in ("/api/settings", "/api/models", "/api/status", "/api/pipeline/models"):
        assert client.get(path).status_code == 200, path


def is_idle(client: httpx.Client) -> bool:
    queue = client.get("/api/status").json()["queue"]
    return not (queue["pending"] or queue["leased"])


@pytest.mark.skipif(sys.platform == "win32", reason="asyncio's own pipes are connections there")
def test_a_whole_life_of_the_daemon_opens_no_connection(tmp_path: Path) -> None:
    log, port = tmp_path / "connections.log", free_port()
    log.touch()
    daemon = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(log), "daemon", "run"],
        env=environment(tmp_path, port),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S) as client:

            def is_ready() -> bool:
                assert daemon.poll() is None, daemon.stderr and daemon.stderr.read()
                try:
                    return bool(client.get("/health").json()["state"] == "ready")
                except httpx.HTTPError:
                    return False

            wait_for(is_ready, "a daemon")
            use(client, tmp_path)
            wait_for(lambda: is_idle(client), "the end of its jobs")
            time.sleep(0.1)
    finally:
        daemon.terminate()
        daemon.communicate(timeout=PATIENCE_S)
    # It connects to its own sockets, to learn whether it can tell whose a connection is, and
    # whether another daemon listens.
    connections = log.read_text(encoding="utf-8").splitlines()
    own = ("127.0.0.1", "intaglio.sock")
    assert [line for line in connections if not any(each in line for each in own)] == []
    assert sum(line.startswith("socket.connect ('127.0.0.1'") for line in connections) <= 1
    assert not any("11434" in line for line in connections)
