"""A stand-in for the model API that Claude Code talks to: scripted answers, recorded requests."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ToolUse:
    """An answer that calls one of the client's tools."""

    name: str
    arguments: dict[str, Any]


Answer = Callable[[dict[str, Any]], str | ToolUse]


def _acknowledge(_: dict[str, Any]) -> str:
    return "Understood."


def _block(answer: str | ToolUse, number: int) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"type": "text", "text": answer}
    called = {"name": answer.name, "input": answer.arguments}
    return {"type": "tool_use", "id": f"toolu_stub_{number}", **called}


def _stop_reason(block: dict[str, Any]) -> str:
    return "end_turn" if block["type"] == "text" else "tool_use"


def _pieces(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a block as it begins, and the one delta that completes it."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    partial = json.dumps(block["input"])
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": partial}


def _sse(events: list[dict[str, Any]]) -> bytes:
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events
    )


def _message(model: str, content: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    return {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def _streamed(model: str, block: dict[str, Any]) -> bytes:
    opening, delta = _pieces(block)
    return _sse(
        [
            {"type": "message_start", "message": _message(model, [], None)},
            {"type": "content_block_start", "index": 0, "content_block": opening},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": _stop_reason(block), "stop_sequence": None},
                "usage": {"output_tokens": 5},
            },
            {"type": "message_stop"},
        ]
    )


@dataclass
class ModelApi:
    """The running stub; ``requests`` holds the bodies of all message requests in order."""

    url: str = ""
    answer: Answer = _acknowledge
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def sent(self) -> str:
        """Return all that the client sent to the model, as JSON text with plain characters."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for body in self.requests)

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        if path.startswith("/v1/messages/count_tokens"):
            return "application/json", b'{"input_tokens": 10}'
        if not path.startswith("/v1/messages"):
            return "application/json", b"{}"
        self.requests.append(body)
        model = str(body.get("model", "stub"))
        block = _block(self.answer(body), len(self.requests))
        if body.get("stream"):
            return "text/event-stream", _streamed(model, block)
        whole = _message(model, [block], _stop_reason(block))
        return "application/json", json.dumps(whole).encode()


class StubApi(Protocol):
    """A stub that answers POST requests."""

    def reply(self, path: str, body: dict[str, Any]) -> tuple[str, bytes]:
        """Answer one POST: content type and bytes."""
        ...


def _handler(api: StubApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _send(self, kind: str, data: bytes) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self._send("application/json", b"{}")

        do_HEAD = do_GET  # noqa: N815 - the name http.server calls

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("content-length", "0")))
            self._send(*api.reply(self.path, json.loads(data or b"{}")))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


@contextmanager
def served(api: StubApi) -> Generator[str]:
    """Serve a stub on a free loopback port while the block runs; yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(api))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


@contextmanager
def model_api(answer: Answer = _acknowledge) -> Generator[ModelApi]:
    """Run the stub on a free loopback port while the block runs."""
    api = ModelApi(answer=answer)
    with served(api) as api.url:
        yield api
