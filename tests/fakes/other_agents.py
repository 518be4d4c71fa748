"""Drives the real clients that set-up doesn't install, against a stub of their model APIs."""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from fakes.claude_code import TURN_S, Run

CLIENTS: Final = Path(__file__).resolve().parents[2] / ".work/others/node_modules/.bin"
_SAID: Final = "Understood."
_MODEL: Final = "stub-model"


def _candidate(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return a response of Gemini's API."""
    content = {"role": "model", "parts": [part]}
    counts = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": counts,
    }


def _chunks(delta: Mapping[str, Any], stop: str) -> list[dict[str, Any]]:
    """Return a streamed response of OpenAI's chat completions."""
    common = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": _MODEL}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    first = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": stop}
    return [{**common, "choices": [first]}, {**common, "choices": [last], "usage": usage}]


@dataclass
class ModelStub:
    """The running stub; ``requests`` holds the bodies of all requests in order.

    ``call`` returns the next tool that the agent is to call, with its arguments. It is asked once,
    by the first request that offers tools.
    """

    url: str = ""
    call: Callable[[], tuple[str, dict[str, str]]] | None = None
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def sent(self) -> str:
        """Return all that the client sent to the model, as JSON text with plain characters."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for body in self.requests)

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        self.requests.append(body)
        call = self._called(body)
        if "enerateContent" in path:
            part = {"functionCall": {"name": call[0], "args": call[1]}} if call else None
            data = json.dumps(_candidate(part or {"text": _SAID})).encode()
            if "stream" in path:
                return "text/event-stream", b"data: " + data + b"\r\n\r\n"
            return "application/json", data
        if not path.endswith("/chat/completions"):
            return "application/json", b"{}"
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            made = {"index": 0, "id": "call_1", "type": "function", "function": function}
            chunks = _chunks({"content": None, "tool_calls": [made]}, "tool_calls")
        else:
            chunks = _chunks({"content": _SAID}, "stop")
        lines = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
        return "text/event-stream", b"".join([*lines, b"data: [DONE]\n\n"])

    def _called(self, body: dict[str, Any]) -> tuple[str, dict[str, str]] | None:
        if self.call is None or not body.get("tools"):
            return None
        call, self.call = self.call, None
        return call()


def _handler(stub: ModelStub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self._send("application/json", json.dumps({"data": [{"id": _MODEL}]}).encode())

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", "0")))
            self._send(*stub.reply(self.path.partition("?")[0], json.loads(data or b"{}")))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


@contextmanager
def model_stub() -> Generator[ModelStub]:
    """Run the stub on a free loopback port while the block runs."""
    stub = ModelStub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stub))
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


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
            "OPENAI_MODEL": _MODEL,
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
            "COPILOT_MODEL": _MODEL,
        },
        settings={},
        settings_file="mcp-config.json",
        writes=("create", "path", "file_text"),
    ),
)
