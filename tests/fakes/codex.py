"""Drives the real Codex in a home of its own, against a stub of the Responses API."""

import json
import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import IO, Any, Final

from fakes.claude_code import TURN_S, Run, run_once

BINARY: Final = Path(__file__).resolve().parents[2] / ".work/clients/node_modules/.bin/codex"

# No update check, no telemetry and no account: nothing but the stub is reached.
_CONFIG: Final = """\
# My own settings
model = "gpt-5.5"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"  # a container
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0

[analytics]
enabled = false
"""


@dataclass(slots=True)
class AppServer:
    """The server behind the desktop app and the editor's extension, over its standard streams."""

    process: "subprocess.Popen[str]"
    numbers: "count[int]" = field(default_factory=count)

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Call a method and return its result."""
        number = next(self.numbers)
        self._send({"id": number, "method": method, "params": params})
        answer = self._wait(lambda message: message.get("id") == number)
        assert "result" in answer, answer
        return dict(answer["result"])

    def say(self, thread: str, prompt: str) -> None:
        """Send a prompt and wait for the end of the agent's turn."""
        given = [{"type": "text", "text": prompt}]
        self.call("turn/start", {"threadId": thread, "input": given})
        self._wait(lambda message: message.get("method") == "turn/completed")

    def begin(self) -> None:
        """Introduce the client, as the protocol wants it."""
        self.call("initialize", {"clientInfo": {"name": "codex_desktop", "version": "1"}})
        self._send({"method": "initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    def _wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        stdout: IO[str] | None = self.process.stdout
        assert stdout is not None
        for line in stdout:
            message: dict[str, Any] = json.loads(line)
            if wanted(message):
                return message
        raise AssertionError("the app server ended")


@dataclass(frozen=True, slots=True)
class Codex:
    """The client with one home and one model API."""

    home: Path
    model_url: str

    @property
    def folder(self) -> Path:
        """Its configuration folder."""
        return self.home / ".codex"

    @property
    def config(self) -> Path:
        """The user's settings, with their trust in hooks."""
        return self.folder / "config.toml"

    @property
    def hooks(self) -> Path:
        """The user's hooks."""
        return self.folder / "hooks.json"

    @property
    def env(self) -> dict[str, str]:
        """An environment in which nothing but the stub is reached."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "STUB_KEY": "stub",
        }

    def configure(self) -> None:
        """Write the user's settings."""
        self.folder.mkdir(exist_ok=True)
        self.config.write_text(_CONFIG.format(url=self.model_url))

    def run(self, prompt: str, cwd: Path, *args: str) -> Run:
        """Run ``codex exec`` once; ``args`` may continue a session (``resume --last``)."""
        command = [str(BINARY), "exec", "--skip-git-repo-check", *args, prompt]
        return run_once(command, cwd, self.env)

    @contextmanager
    def app_server(self, cwd: Path) -> Generator[AppServer]:
        """Run its app server while the block runs."""
        with subprocess.Popen(
            [str(BINARY), "app-server"],
            cwd=cwd,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                server = AppServer(process)
                server.begin()
                yield server
                process.communicate(timeout=TURN_S)
            finally:
                process.kill()

    def listed_hooks(self) -> list[dict[str, Any]]:
        """Return the user's hooks as Codex lists them."""
        with self.app_server(self.home) as server:
            (found,) = server.call("hooks/list", {"cwds": [str(self.home)]})["data"]
        return list(found["hooks"])

    def review_hooks(self) -> None:
        """Trust all hooks as they are now, as the user does with /hooks."""
        reviewed = "".join(
            f'\n[hooks.state.{json.dumps(hook["key"])}]\ntrusted_hash = "{hook["currentHash"]}"\n'
            for hook in self.listed_hooks()
        )
        self.config.write_text(self.config.read_text() + reviewed)
