"""Drives the real OpenCode 1 in a home of its own, against a stub of its model API."""

import json
import os
import re
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from fakes.chat_api import ChatApi
from fakes.daemon import free_port
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.paths import Paths

BINARY = Path(__file__).resolve().parents[2] / ".work/clients/node_modules/.bin/opencode"
TURN_S = 120


def unhurry_plugin(paths: Paths) -> None:
    """Give the plugin's program time: to a test, a busy machine is not a daemon that hangs."""
    file = paths.hooks / "opencode.mjs"
    patience = f"{PATIENCE_S * 1_000:.0f}"
    limits = r"(?<=\bTOTAL_MS = )[\d_]+|(?<=\blimitMs: )[\d_]+"
    text, count = re.subn(limits, patience, file.read_text())
    assert count == 2, "other limits in the plugin"
    file.write_text(text)


@dataclass(frozen=True, slots=True)
class OpenCode:
    """The client with one home and one model API."""

    home: Path
    model: ChatApi

    @property
    def configuration(self) -> Path:
        """The user's configuration folder."""
        return self.home / ".config" / "opencode"

    @property
    def plugin(self) -> Path:
        """The plugin that connecting writes."""
        return self.configuration / "plugins" / "intaglio.js"

    @property
    def database(self) -> Path:
        """Where the client keeps its sessions."""
        return self.home / ".local" / "share" / "opencode" / "opencode.db"

    @property
    def env(self) -> dict[str, str]:
        """An environment in which nothing but the stub is reached."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
        }

    def configure(self) -> None:
        """Write settings with the stub as the only model."""
        options = {"baseURL": self.model.url, "apiKey": "stub"}
        limit = {"context": 100_000, "output": 4_000}
        model = {"name": "stub", "tool_call": True, "limit": limit}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "stub",
            "options": options,
            "models": {"stub-model": model},
        }
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "model": "stub/stub-model",
            "small_model": "stub/stub-model",
            "provider": {"stub": provider},
            "permission": "allow",
        }
        self.configuration.mkdir(parents=True)
        (self.configuration / "opencode.json").write_text(json.dumps(settings))

    def ask(self, prompt: str, cwd: Path, *args: str) -> str:
        """Run ``opencode run`` once: a session of one turn, unless ``args`` continue another."""
        done = subprocess.run(
            [str(BINARY), "run", *args, prompt],
            cwd=cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TURN_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def server(self, cwd: Path) -> "Generator[Server]":
        """Run ``opencode serve`` while the block runs."""
        port = free_port()
        command = [str(BINARY), "serve", "--port", str(port)]
        quiet = subprocess.DEVNULL
        with (
            subprocess.Popen(
                command, cwd=cwd, env=self.env, stdin=quiet, stdout=quiet, stderr=quiet
            ) as process,
            httpx.Client(
                base_url=f"http://127.0.0.1:{port}",
                trust_env=False,
                timeout=TURN_S,
                params={"directory": str(cwd)},
            ) as client,
        ):
            try:
                # It never answers a request that comes too early.
                wait_for(lambda: client.get("/config", timeout=3).is_success, "OpenCode's server")
                yield Server(client)
            finally:
                process.terminate()
                process.wait(TURN_S)


@dataclass(frozen=True, slots=True)
class Server:
    """OpenCode's own API."""

    client: httpx.Client

    def post(self, path: str, **body: object) -> Any:  # noqa: ANN401 - OpenCode's own JSON
        """Post JSON; returns the reply's."""
        return self.client.post(path, json=body).raise_for_status().json()

    def start(self, **more: object) -> str:
        """Start a session; returns its id."""
        return str(self.post("/session", **more)["id"])

    def say(self, session: str, text: str) -> None:
        """Send a prompt, and wait for the end of the agent's turn."""
        self.post(f"/session/{session}/message", parts=[{"type": "text", "text": text}])

    def compact(self, session: str) -> None:
        """Do what ``/compact`` does."""
        model = {"providerID": "stub", "modelID": "stub-model"}
        self.post(f"/session/{session}/summarize", **model)
