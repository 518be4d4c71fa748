"""A stand-in for model servers: Ollama's and OpenAI's forms, and every way of going wrong."""

import hashlib
import json
import math
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WIDTH = 8


def numbers(text: str) -> list[float]:
    """Make a vector that the text alone decides, and whose length is not 1."""
    return [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:WIDTH]]


Row = list[Any]

# What a fault makes of the rows of an answer.
_CHANGES: dict[str, Callable[[list[Row]], list[Row]]] = {
    "wrong width": lambda rows: [row[:-1] for row in rows],
    "wrong count": lambda rows: rows[:-1],
    "zero": lambda rows: [[0.0] * WIDTH for _ in rows],
    "not a number": lambda rows: [[float("nan"), *row[1:]] for row in rows],
    "infinite": lambda rows: [[float("inf"), *row[1:]] for row in rows],
    "too large": lambda rows: [[1e308, *row[1:-1], 1e308] for row in rows],
    "null": lambda rows: [[None, *row[1:]] for row in rows],
}


@dataclass
class EmbeddingServer:
    """The running stub; ``fault`` decides how it answers, ``asked`` is what it was sent.

    ``left`` is how many more requests are answered; those after that are ``held`` until it grows.
    """

    url: str = ""
    fault: str = ""
    left: float = math.inf
    held: int = 0
    dropped: int = 0
    turns: threading.Condition = field(default_factory=threading.Condition)
    asked: list[tuple[str, str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, str, dict[str, Any]]]
    )
    ended: threading.Event = field(default_factory=threading.Event)

    def drop(self) -> None:
        """Let go of what is held, unanswered: whoever asked is gone."""
        with self.turns:
            self.dropped += 1
            self.turns.wait_for(lambda: not self.held)

    def _wait_for_a_turn(self) -> None:
        dropped = self.dropped
        with self.turns:
            self.held += 1
            while self.left <= 0 and self.dropped == dropped and not self.ended.is_set():
                self.turns.wait(0.01)
            self.held -= 1
            if self.dropped == dropped:
                self.left -= 1
            self.turns.notify_all()

    def reply(self, path: str, key: str, body: dict[str, Any]) -> tuple[int, bytes]:
        """Answer one POST: status and bytes."""
        self.asked.append((path, key, body))
        self._wait_for_a_turn()
        match self.fault:
            case "hang":
                self.ended.wait()
            case "error":
                return 500, f"it broke, and your key is {key}".encode()
            case "redirect":
                return 302, b""
            case "no json":
                return 200, b"<html>"
            case "endless":
                return 200, b" " * 3_000_000
            case _:
                pass
        rows: list[Row] = [numbers(text) for text in body["input"]]
        rows = _CHANGES.get(self.fault, list)(rows)
        if path.endswith("/api/embed"):
            return 200, json.dumps({"embeddings": rows}).encode()
        data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
        return 200, json.dumps({"data": data[::-1]}).encode()


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            key = self.headers.get("authorization", "")
            status, data = server.reply(self.path, key, body)
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.send_header("location", f"{server.url}/elsewhere")
            self.end_headers()
            if server.fault != "hang":
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away in the middle is part of the tests."""


@contextmanager
def embedding_server(stub: EmbeddingServer | None = None) -> Generator[EmbeddingServer]:
    """Run the stub, or another that answers in its own way, on a free loopback port."""
    stub = stub or EmbeddingServer()
    server = _Quiet(("127.0.0.1", 0), _handler(stub))
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
