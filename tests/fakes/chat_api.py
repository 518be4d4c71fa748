"""A stand-in for a model API of chat completions: scripted answers, recorded requests."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fakes.model_api import ToolUse

Answer = Callable[[dict[str, Any]], str | ToolUse]


def _acknowledge(_: dict[str, Any]) -> str:
    return "Understood."


@dataclass
class ChatApi:
    """The running stub; ``requests`` holds the bodies of all requests in order."""

    url: str = ""
    answer: Answer = _acknowledge
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def of_agent(self) -> list[dict[str, Any]]:
        """Return the requests of the agent itself, which alone may use tools."""
        return [body for body in self.requests if body.get("tools")]

    def of_others(self) -> list[dict[str, Any]]:
        """Return the requests for titles and summaries."""
        return [body for body in self.requests if not body.get("tools")]

    def reply(self, body: dict[str, Any]) -> bytes:
        """Answer a request with a stream of events."""
        self.requests.append(body)
        delta, reason = _delta(self.answer(body), len(self.requests))
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        choices = [_choice({"role": "assistant", **delta}, None), _choice({}, reason)]
        chunks = [
            {"id": "chat", "object": "chat.completion.chunk", "choices": [each], "usage": usage}
            for each in choices
        ]
        lines = [*(json.dumps(chunk) for chunk in chunks), "[DONE]"]
        return "".join(f"data: {line}\n\n" for line in lines).encode()


def _delta(answer: str | ToolUse, number: int) -> tuple[dict[str, Any], str]:
    if isinstance(answer, str):
        return {"content": answer}, "stop"
    function = {"name": answer.name, "arguments": json.dumps(answer.arguments)}
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    return {"tool_calls": [call]}, "tool_calls"


def _choice(delta: dict[str, Any], reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": reason}


def _handler(api: ChatApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            data = api.reply(body)
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


@contextmanager
def chat_api() -> Generator[ChatApi]:
    """Run the stub on a free loopback port while the block runs."""
    api = ChatApi()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(api))
    server.daemon_threads = True
    api.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
