"""A stranger on the port while the daemon is away; a daemon that is stopped."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from bench.attack.arena import Arena, end
from bench.attack.probe import Broke, Held, Outcome, Probe, judge
from fakes.daemon import Daemon
from fakes.hostile import INJECTION, Hostile, hostile_listener
from fakes.waiting import wait_for
from intaglio.client.daemon_process import is_answering
from intaglio.desktop.window.pages import is_daemon_at

_SAID = "We decided to move to Lisbon in spring."
_EVENT = {"session_id": "lisbon-1", "cwd": "/lisbon", "source": "startup", "prompt": _SAID}
_COMMANDS = (
    ("remember", _SAID),
    ("recall", _SAID),
    ("list",),
    ("forget", "lisbon00", "--yes"),
    ("pause",),
    ("dashboard", "--print"),
    ("db", "backups"),
    ("daemon", "status"),
    ("daemon", "stop"),
)
_HOOK_WAIT_S = 1.9
_AT_ONCE_S = 1.0


def hook(daemon: Daemon, event: str, *, by_curl: bool) -> bytes:
    """Run a hook as Claude Code does, and return what it prints."""
    hooks = daemon.paths.hooks
    program = [sys.executable, "-I", "-S", str(hooks / "claude-code.py"), "--reply"]
    done = subprocess.run(
        ["curl", "-q", "-K", str(hooks / "claude-code.curl")] if by_curl else program,
        input=json.dumps({**_EVENT, "hook_event_name": event}).encode(),
        capture_output=True,
        check=False,
        env=dict(daemon.env),
        timeout=60,
    )
    return done.stdout + done.stderr


def connected(arena: Arena, **env: str) -> Daemon:
    """Start a daemon that has written its hook files and knows a memory."""
    daemon = arena.start(**env)
    wait_for((daemon.paths.hooks / "claude-code.curl").exists, "the hook files")
    with daemon.client() as client:
        client.post("/api/memory/remember", json={"content": "Tea is at four.", "pinned": True})
    return daemon


def leaks(hostile: Hostile, daemon: Daemon, printed: str) -> list[str]:
    """Name what a stranger heard, and whether it spoke into the output."""
    identity = daemon.identity
    secrets = {
        "the token": identity["token"],
        "the hook token": identity["hook_token"],
        "a text": "isbon",
    }
    heard = [name for name, value in secrets.items() if value in hostile.text]
    spoke = INJECTION in printed or "evil.example" in printed
    return heard + (["it spoke into the output"] if spoke else [])


def try_clients(arena: Arena, daemon: Daemon, port: int) -> Outcome:
    """Let a stranger listen on the port, and run everything that asks the daemon."""
    url = f"http://127.0.0.1:{port}/enter?key=lisbon"
    tries: dict[str, Callable[[], object]] = {
        "the window": lambda: INJECTION if is_daemon_at(daemon.paths, url) else "",
        "the tray": lambda: INJECTION if is_answering(daemon.paths) else "",
    }
    for command in _COMMANDS:
        tries[" ".join(command[:2])] = partial(arena.run, *command)
    for event in ("SessionStart", "UserPromptSubmit", "Stop"):
        tries[f"{event} by curl"] = partial(hook, daemon, event, by_curl=True)
        tries[f"{event} by the program"] = partial(hook, daemon, event, by_curl=False)
    broken = list[str]()
    for name, run in tries.items():
        with hostile_listener(port) as hostile:
            found = leaks(hostile, daemon, str(run()))
        if found:
            broken.append(f"{name}: {', '.join(found)}")
    return judge(broken, len(tries))


def killed(arena: Arena) -> Outcome:
    """Kill the daemon and take its port."""
    daemon = connected(arena)
    daemon.kill()
    return try_clients(arena, daemon, daemon.port)


def switched_off(arena: Arena) -> Outcome:
    """Stop the daemon in order and take its port."""
    daemon = connected(arena)
    end(daemon)
    return try_clients(arena, daemon, daemon.port)


def without_socket(arena: Arena) -> Outcome:
    """Take the port of a killed daemon whose path is too long for a Unix socket."""
    arena.home /= "far" * 30
    daemon = connected(arena)
    if daemon.paths.socket is not None:
        return Broke("the path isn't too long")
    daemon.kill()
    return try_clients(arena, daemon, daemon.port)


def stopped(arena: Arena) -> Outcome:
    """Stop a daemon (SIGSTOP): one hook waits, the next don't, and it is asked again later."""
    daemon = connected(arena)
    if b"Tea" not in hook(daemon, "SessionStart", by_curl=True):
        return Broke("the hook has no reply to begin with")
    os.kill(daemon.process.pid, signal.SIGSTOP)
    arena.at_end(lambda: os.kill(daemon.process.pid, signal.SIGCONT))

    def seconds(*, by_curl: bool) -> float:
        begun = time.monotonic()
        hook(daemon, "Stop", by_curl=by_curl)
        return time.monotonic() - begun

    first = seconds(by_curl=False)
    later = [seconds(by_curl=by_curl) for by_curl in (False, True) * 5]
    os.kill(daemon.process.pid, signal.SIGCONT)
    wait_for(lambda: b"Tea" in hook(daemon, "SessionStart", by_curl=True), "a reply to curl")
    slow = [str(number) for number, took in enumerate(later) if took > _AT_ONCE_S]
    if first < _HOOK_WAIT_S:
        return Broke("the first hook didn't wait")
    return judge([f"hook {number} waited" for number in slow], len(later), "one hook waits")


def healthy(arena: Arena) -> Outcome:
    """Ask a healthy daemon by many hooks at once: none takes its socket away."""
    daemon = connected(arena)
    for _ in range(20):
        hook(daemon, "UserPromptSubmit", by_curl=False)
    file = daemon.paths.socket
    return Held("", 20) if file is not None and file.exists() else Broke("the socket is gone", 20)


PROBES: tuple[Probe, ...] = (
    Probe("client", "port taken after a kill: commands, hooks, window, tray", killed),
    Probe("client", "port taken while switched off: the same", switched_off),
    Probe("client", "port taken where there is no Unix socket: the same", without_socket),
    Probe("client", "daemon stopped (SIGSTOP): hooks wait once", stopped),
    Probe("client", "many hooks: a healthy daemon keeps its socket", healthy),
)
