"""A scripted model server in the shapes of Ollama, OpenAI and Anthropic, on a real socket.

It answers each request by the next step of a script, or by its own last one: a reply of the model,
or one of the ways to go wrong.
"""

import json
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

HELD_S = 30.0


@dataclass(frozen=True, slots=True)
class Say:
    """A reply of the model; ``usage`` is whether its tokens (7 read, 5 written) are counted."""

    text: str
    usage: bool = True


@dataclass(frozen=True, slots=True)
class Status:
    """An error with a body that no one may be shown; an agent reports it."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b'{"error": {"message": "the server\'s own text"}}'


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes instead of a reply."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """A reply whose connection ends in the middle, or before anything if ``at`` is 0."""

    text: str = "half"
    at: int = 20


@dataclass(frozen=True, slots=True)
class Drip:
    """A reply of which a byte comes every now and then, for as long as anyone reads."""

    pause_s: float = 0.01


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing at all, until the client goes or the test is over."""


Step: TypeAlias = Say | Status | Raw | Cut | Drip | Hang


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that the server received; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    client_port: int


def _shape(path: str, step: Say, tool: str) -> object:
    if path.endswith("/api/chat"):
        counts = {"prompt_eval_count": 7, "eval_count": 5} if step.usage else {}
        message = {"role": "assistant", "content": step.text}
        return {"model": "m", "message": message, "done": True, "done_reason": "stop", **counts}
    if path.endswith("/chat/completions"):
        message = {"role": "assistant", "content": step.text}
        usage = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {"id": "x", "choices": [choice], **({"usage": usage} if step.usage else {})}
    usage = {"input_tokens": 4, "cache_read_input_tokens": 3, "output_tokens": 5}
    content: list[object] = [{"type": "text", "text": step.text}]
    if tool:
        called = {"type": "tool_use", "id": "t", "name": tool, "input": json.loads(step.text)}
        content = [{"type": "text", "text": "I call it."}, called]
    whole = {"id": "x", "type": "message", "role": "assistant", "content": content}
    return {**whole, "stop_reason": "end_turn", **({"usage": usage} if step.usage else {})}


def _listed(path: str, names: Sequence[str]) -> object:
    if path.endswith("/api/tags"):
        return {"models": [{"name": each, "size": 1} for each in names]}
    return {"data": [{"id": each, "object": "model"} for each in names]}


@dataclass
class ModelServerStub:
    """The running stub; ``asked`` holds all requests in order."""

    script: list[Step] = field(default_factory=list[Step])
    model_names: Sequence[str] = ("big", "small")
    url: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])
    gone: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def plays(self, *steps: Step) -> None:
        """Answer by these steps, one for each request, and by the last one from then on."""
        self.script = list(steps)

    def next_step(self) -> Step:
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    @property
    def bodies(self) -> list[Any]:
        """The bodies of all posts in order."""
        return [each.body for each in self.asked if each.method == "POST"]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _stub(self) -> ModelServerStub:
        assert isinstance(self.server, _Server)
        return self.server.stub

    def _answer(self, body: Any) -> None:  # noqa: ANN401 - any JSON
        tool: str = body["tool_choice"]["name"] if body and "tool_choice" in body else ""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._stub.asked.append(
            Asked(self.command, self.path, headers, body, self.client_address[1])
        )
        step = self._stub.next_step() if self._stub.script else Say("{}")
        match step:
            case Say() if self.command == "GET":
                self._send(200, json.dumps(_listed(self.path, self._stub.model_names)).encode())
            case Say():
                self._send(200, json.dumps(_shape(self.path, step, tool)).encode())
            case Status(code, more, data):
                self._send(code, data, more)
            case Raw(data):
                self._send(200, data)
            case Cut(text, at):
                data = json.dumps(_shape(self.path, Say(text), "")).encode()
                self.close_connection = True
                if at:
                    self._begin(200, len(data), {})
                    self.wfile.write(data[:at])
            case Drip(pause_s):
                self._drip(pause_s)
            case Hang():
                self._wait_until_gone()

    def _begin(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._begin(status, len(data), headers or {})
        self.wfile.write(data)

    def _drip(self, pause_s: float) -> None:
        self._begin(200, 1_000_000, {})
        try:
            while not self._stub.ended.wait(pause_s):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            self._stub.gone.set()

    def _wait_until_gone(self) -> None:
        self.close_connection = True
        self.connection.settimeout(0.02)
        while not self._stub.ended.is_set():
            try:
                if not self.connection.recv(1):
                    self._stub.gone.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                self._stub.gone.set()
                return

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length", "0")))
        self._answer(json.loads(data))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
        """Say nothing; the tests look at what was recorded."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, stub: ModelServerStub) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.stub = stub

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away in the middle is part of the tests."""


@contextmanager
def model_server() -> Generator[ModelServerStub]:
    """Run the stub on a free loopback port while the block runs."""
    stub = ModelServerStub()
    server = _Server(stub)
    stub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.ended.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
