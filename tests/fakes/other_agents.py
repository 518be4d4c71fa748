"""Drives the real clients that set-up doesn't install, against a stub of their model APIs."""

import json
import os
import subprocess
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from fakes import chat_api
from fakes.claude_code import TURN_S, Run
from fakes.model_api import ToolUse, served

CLIENTS: Final = Path(__file__).resolve().parents[2] / ".work/others/node_modules/.bin"


def _candidate(answer: str | ToolUse) -> dict[str, Any]:
    """Return a response of Gemini's API."""
    part: dict[str, Any] = {"text": answer}
    if isinstance(answer, ToolUse):
        part = {"functionCall": {"name": answer.name, "args": answer.arguments}}
    content = {"role": "model", "parts": [part]}
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": counts,
    }


@dataclass
class ModelStub:
    """The running stub; ``requests`` holds the bodies of all requests in order.

    ``call`` returns the next tool that the agent is to call. It is asked once, by the first request
    that offers tools.
    """

    url: str = ""
    call: Callable[[], ToolUse] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def sent(self) -> str:
        """Return all that the client sent to the model, as JSON text with plain characters."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for body in self.requests)

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        self.requests.append(body)
        answer = self._answer(body)
        if "enerateContent" in path:
            data = json.dumps(_candidate(answer)).encode()
            if "stream" in path:
                return "text/event-stream", b"data: " + data + b"\r\n\r\n"
            return "application/json", data
        if chat_api.PATH not in path:
            return "application/json", b"{}"
        return "text/event-stream", chat_api.chat_stream(answer, len(self.requests))

    def _answer(self, body: dict[str, Any]) -> str | ToolUse:
        if self.call is None or not body.get("tools"):
            return "Understood."
        call, self.call = self.call, None
        return call()


@contextmanager
def model_stub() -> Generator[ModelStub]:
    """Run the stub on a free loopback port while the block runs."""
    stub = ModelStub()
    with served(stub) as stub.url:
        yield stub


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherAgent:
    """How a client is driven: its program, what it takes before a prompt, and its environment.

    ``folder`` is its settings' folder and ``settings`` what they hold before anything is connected;
    ``{url}`` in a value of ``env`` is the stub's. ``writes`` is the tool that creates a file, with
    the names of its arguments for path and content. ``told_at_start`` is whether its model is told
    what a session's start gives.
    """

    name: str
    program: str
    folder: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    settings: Mapping[str, Any]
    settings_file: str
    writes: tuple[str, str, str]
    told_at_start: bool = True

    @property
    def binary(self) -> Path:
        """The installed program."""
        return CLIENTS / self.program

    def prepare(self, home: Path) -> None:
        """Write the settings that it needs to run without asking."""
        file = home / self.folder / self.settings_file
        file.parent.mkdir(parents=True, exist_ok=True)
        if self.settings:
            file.write_text(json.dumps(self.settings, indent=2))

    def ask(self, prompt: str, cwd: Path, home: Path, stub: ModelStub, *args: str) -> Run:
        """Run the client once without a terminal: a session of one turn."""
        env = {key: value.format(url=stub.url) for key, value in self.env.items()}
        done = subprocess.run(
            [str(self.binary), *self.args, *args, "-p", prompt],
            cwd=cwd,
            env={"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TURN_S,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr, 0.0)


AGENTS: Final = (
    OtherAgent(
        name="gemini-cli",
        program="gemini",
        folder=".gemini",
        # Another model than this one is asked first which model to ask.
        args=("--skip-trust", "--yolo", "-m", "gemini-2.5-flash"),
        env={"GEMINI_API_KEY": "stub", "GOOGLE_GEMINI_BASE_URL": "{url}"},
        settings={"security": {"auth": {"selectedType": "gemini-api-key"}}},
        settings_file="settings.json",
        writes=("write_file", "file_path", "content"),
    ),
    OtherAgent(
        name="qwen-code",
        program="qwen",
        folder=".qwen",
        args=("--yolo",),
        env={
            "OPENAI_API_KEY": "stub",
            "OPENAI_MODEL": chat_api.MODEL,
            "OPENAI_BASE_URL": "{url}/v1",
        },
        settings={"security": {"auth": {"selectedType": "openai"}}},
        settings_file="settings.json",
        writes=("write_file", "file_path", "content"),
        told_at_start=False,
    ),
    OtherAgent(
        name="copilot-cli",
        program="copilot",
        folder=".copilot",
        args=("--allow-all-tools",),
        env={
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": "{url}/v1",
            "COPILOT_MODEL": chat_api.MODEL,
        },
        settings={},
        settings_file="mcp-config.json",
        writes=("create", "path", "file_text"),
    ),
)
