"""A stand-in for the daemon's hook endpoint: records what arrives, answers as it is told."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class StubDaemon:
    """The running stub; ``hang`` makes it accept and never answer."""

    status: int = 200
    body: bytes = b"{}"
    hang: bool = False
    port: int = 0
    bodies: list[bytes] = field(default_factory=list[bytes])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    released: threading.Event = field(default_factory=threading.Event)


def _handler(stub: StubDaemon) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            stub.bodies.append(self.rfile.read(int(self.headers.get("content-length", "0"))))
            stub.headers.append({key.lower(): value for key, value in self.headers.items()})
            if stub.hang:
                self.close_connection = True
                stub.released.wait()
                return
            self.send_response(stub.status)
            self.send_header("content-length", str(len(stub.body)))
            self.end_headers()
            self.wfile.write(stub.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


@contextmanager
def stub_daemon(
    status: int = 200, body: bytes = b"{}", *, hang: bool = False
) -> Generator[StubDaemon]:
    """Run the stub on a free loopback port while the block runs."""
    stub = StubDaemon(status, body, hang)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stub))
    server.daemon_threads = True
    server.block_on_close = False
    stub.port = int(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield stub
    finally:
        stub.released.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
