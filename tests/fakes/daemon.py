"""A real daemon as a subprocess, with its own directories and port."""

import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx

from intaglio.base.paths import Paths, find_paths

APP = Path(__file__).resolve().parents[2] / "app"
# A start is a second of CPU, nearly all of it loading; a loaded machine makes twenty of that.
START_S = 60.0


def free_port() -> int:
    """Return a port of 127.0.0.1 that nothing holds at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def daemon_env(home: Path, port: int | None = None, **more: str) -> dict[str, str]:
    """Return an environment whose every directory lies below ``home``."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ}
    env = {
        **kept,
        "HOME": str(home),
        "PYTHONPATH": str(APP),
        "PYTHONWARNINGS": "error",
        "INTAGLIO_WORKSPACE": str(home / "agents"),
        "INTAGLIO_STATE_DIR": str(home / "state"),
        "INTAGLIO_CACHE_DIR": str(home / "cache"),
        "INTAGLIO_LOG_DIR": str(home / "logs"),
    }
    if port is not None:
        env["INTAGLIO_PORT"] = str(port)
    return env | more


@dataclass(slots=True)
class Daemon:
    """A running daemon: where it answers, its directories, and its process."""

    process: "subprocess.Popen[bytes]"
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
        return httpx.Client(base_url=self.url, trust_env=False, timeout=15, verify=empty, **options)

    def sign_in(self) -> str:
        """Return the Cookie header of a signed-in browser."""
        with self.client() as client:
            link = client.post("/api/auth/link", headers=self.owner).json()["url"]
            answer = client.get(link)
            return "; ".join(f"{name}={value}" for name, value in answer.cookies.items())

    def wait_until(self, state: str, seconds: float = START_S) -> None:
        """Wait until /health says this state."""
        end = time.monotonic() + seconds
        seen = "nothing"
        while time.monotonic() < end:
            with contextlib.suppress(httpx.TransportError), self.client() as client:
                seen = client.get("/health").json()["state"]
                if seen == state:
                    return
            if self.process.poll() is not None:
                raise AssertionError(f"the daemon left ({self.process.returncode}): {self.said}")
            time.sleep(0.02)
        raise AssertionError(f"the daemon never said {state}, but {seen}: {self.said}")

    def stop(self, seconds: float = 15) -> int:
        """End it by SIGTERM and return its exit code."""
        self.process.terminate()
        return self.process.wait(seconds)

    def kill(self) -> None:
        """End it by SIGKILL."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)


def start_daemon(home: Path, port: int | None = None, **env: str) -> Daemon:
    """Start a daemon below ``home`` without waiting for it."""
    home.mkdir(parents=True, exist_ok=True)
    chosen = port or free_port()
    environment = daemon_env(home, chosen, **env)
    output = home / "output.txt"
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "intaglio", "daemon", "run"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=home,
        )
    return Daemon(process, chosen, environment, output)


@contextmanager
def running_daemon(home: Path, port: int | None = None, **env: str) -> Generator[Daemon]:
    """Run a daemon below ``home`` while the block runs; it is ready when the block begins."""
    daemon = start_daemon(home, port, **env)
    try:
        daemon.wait_until("ready")
        yield daemon
    finally:
        if daemon.process.poll() is None:
            try:
                daemon.stop()
            except subprocess.TimeoutExpired:
                daemon.kill()
                raise
