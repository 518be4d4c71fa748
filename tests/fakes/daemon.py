"""A real daemon as a subprocess, with its own directories and port."""

import contextlib
import json
import os
import secrets
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

import httpx

from fakes.forked import ForkServer, RunningProcess, can_fork, fork_server_of
from fakes.program_under_test import command_under_test, is_package
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.paths import Paths, find_paths

APP = Path(__file__).resolve().parents[2] / "app"
# Where the system takes the near end of each connection from; one of those may be gone at any time.
_CONNECTIONS = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST, _HIGHEST = 10_000, 28_000


def free_port() -> int:
    """Return a port of 127.0.0.1 that nothing holds, and that no connection or other test takes.

    A daemon binds it later, and again after a restart.
    """
    highest = _HIGHEST
    if _CONNECTIONS.exists():
        highest = max(_LOWEST + 1_000, min(highest, int(_CONNECTIONS.read_text().split()[0])))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    own = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        # Not by `random`, which is seeded anew before each test.
        port = secrets.choice(range(_LOWEST + own, highest, workers))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


# What a daemon has imported when it serves, and numpy, which most load soon after.
DAEMON_MODULES: Final = (
    "intaglio.daemon.main",
    "intaglio.daemon.lifespan",
    "intaglio.harness.claude_code.harness",
    "intaglio.harness.claude_code.connector",
    "numpy",
    "uvloop",
)
_COMMAND_MODULES = ("intaglio.cli.main", "intaglio.harness.claude_code.connector")


def _bare_env() -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": str(APP), "PYTHONWARNINGS": "error", "PYTHONFAULTHANDLER": "1"}


def _server() -> ForkServer:
    # As a daemon has it when it imports numpy, which would start threads otherwise.
    return fork_server_of((*_bare_env().items(), ("OPENBLAS_NUM_THREADS", "1")))


def start_script(
    script: str, *args: str, env: Mapping[str, str], folder: Path, output: IO[bytes]
) -> RunningProcess:
    """Start a script that runs the desktop app and its daemons, and that may fork those."""
    if not can_fork(env, _bare_env()):
        return subprocess.Popen(
            [sys.executable, script, *args],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
        )
    return _server().start(
        [script, *args],
        env=env,
        folder=folder,
        streams=(None, output, output),
        modules=(*DAEMON_MODULES, "intaglio.desktop.main"),
    )


def daemon_env(home: Path, port: int | None = None, **more: str) -> dict[str, str]:
    """Return an environment whose every directory lies below ``home``."""
    env = {
        **_bare_env(),
        "HOME": str(home),
        "INTAGLIO_WORKSPACE": str(home / "agents"),
        "INTAGLIO_STATE_DIR": str(home / "state"),
        "INTAGLIO_CACHE_DIR": str(home / "cache"),
        "INTAGLIO_LOG_DIR": str(home / "logs"),
    }
    if port is not None:
        env["INTAGLIO_PORT"] = str(port)
    return env | more


NO_MODEL: Final = "embedding: {provider: none}\n"
"""Settings of a daemon whose tests are not about meaning: it does not load the model."""


def write_settings(home: Path, text: str) -> None:
    """Give the daemon below ``home`` its settings, at once: it may look at any moment."""
    settings = home / "agents" / "agent.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    part = settings.with_suffix(".part")
    part.write_text(text)
    part.replace(settings)


@dataclass(slots=True)
class Daemon:
    """A running daemon: where it answers, its directories, and its process."""

    process: RunningProcess
    port: int
    env: Mapping[str, str]
    output: Path

    @property
    def url(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> Paths:
        """Its directories."""
        return find_paths(self.env)

    @property
    def identity(self) -> dict[str, Any]:
        """Its install id, token, hook_token and port."""
        return cast("dict[str, Any]", json.loads(self.paths.identity.read_text()))

    @property
    def owner(self) -> dict[str, str]:
        """Headers that show the installation's token."""
        return {"authorization": f"Bearer {self.identity['token']}"}

    @property
    def said(self) -> str:
        """What it wrote to its terminal."""
        return self.output.read_text()

    def client(self, **options: Any) -> httpx.Client:  # noqa: ANN401 - httpx's own options
        """Return a client that speaks to it, as a program on this machine does."""
        # Loading the certificates, which plain HTTP does not need, takes longer than a request.
        empty = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return httpx.Client(
            base_url=self.url, trust_env=False, timeout=PATIENCE_S, verify=empty, **options
        )

    def sign_in(self) -> str:
        """Return the Cookie header of a signed-in browser."""
        with self.client() as client:
            link = client.post("/api/auth/link", headers=self.owner).json()["url"]
            answer = client.get(link)
            return "; ".join(f"{name}={value}" for name, value in answer.cookies.items())

    def wait_until(self, state: str, seconds: float = PATIENCE_S) -> None:
        """Wait until /health says this state."""
        with self.client() as client:

            def said() -> bool:
                if self.process.poll() is not None:
                    return True
                # Before it listens, a refusal costs a client more than all that follows.
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", self.port)) != 0:
                        return False
                return bool(client.get("/health").json()["state"] == state)

            wait_for(said, f"a daemon that is {state}", seconds)
        left = self.process.poll()
        assert left is None, f"the daemon left ({left}): {self.said}"

    def stop(self, seconds: float = PATIENCE_S) -> int:
        """End it by SIGTERM and return its exit code; fails with what it was doing if it stays."""
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            # Python then writes the stacks of all threads to its output.
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(PATIENCE_S)
            raise AssertionError(f"the daemon didn't stop: {self.said}") from None

    def kill(self) -> None:
        """End it by SIGKILL."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)


def start_daemon(
    home: Path,
    port: int | None = None,
    program: Path | None = None,
    *,
    fresh: bool = False,
    **env: str,
) -> Daemon:
    """Start a daemon below ``home`` without waiting for it; ``program`` is one that runs it.

    A fresh one starts by an interpreter of its own; otherwise it is forked from a process that has
    imported its modules, where that can be.
    """
    home.mkdir(parents=True, exist_ok=True)
    chosen = port or free_port()
    environment = daemon_env(home, chosen, **env)
    output = home / "output.txt"
    process: RunningProcess
    with output.open("wb") as stream, Path(os.devnull).open("rb") as nothing:
        if fresh or program or is_package() or not can_fork(environment, _bare_env()):
            process = subprocess.Popen(
                [sys.executable, program] if program else command_under_test("daemon", "run"),
                env=environment,
                stdin=nothing,
                stdout=stream,
                stderr=stream,
                cwd=home,
            )
        else:
            process = _server().start(
                ["intaglio", "daemon", "run"],
                env=environment,
                folder=home,
                streams=(nothing, stream, stream),
                modules=DAEMON_MODULES,
            )
    return Daemon(process, chosen, environment, output)


def run_command(
    *args: str, env: Mapping[str, str], folder: Path, say: str = "", fresh: bool = False
) -> "subprocess.CompletedProcess[str]":
    """Run `intaglio` with these arguments to its end; see `start_daemon` for ``fresh``."""
    if fresh or is_package() or not can_fork(env, _bare_env()):
        return subprocess.run(
            command_under_test(*args),
            env=dict(env),
            cwd=folder,
            input=say,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )
    return _server().run(
        ["intaglio", *args],
        env=env,
        folder=folder,
        say=say,
        modules=_COMMAND_MODULES,
        timeout=2 * PATIENCE_S,
    )


@contextmanager
def running_daemon(
    home: Path, port: int | None = None, *, fresh: bool = False, **env: str
) -> Generator[Daemon]:
    """Run a daemon below ``home`` while the block runs; it is ready when the block begins."""
    daemon = start_daemon(home, port, None, fresh=fresh, **env)
    try:
        daemon.wait_until("ready")
        yield daemon
    finally:
        if daemon.process.poll() is None:
            daemon.stop()


@contextmanager
def killed_daemon(home: Path, port: int | None = None) -> Generator[Daemon]:
    """Run a daemon below ``home``, ready when the block begins, and kill it at the block's end."""
    daemon = start_daemon(home, port)
    try:
        daemon.wait_until("ready")
        yield daemon
    finally:
        daemon.kill()
