"""A stand-in for the daemon's hook endpoint: records what arrives, answers as it is told."""

import contextlib
import json
import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from intaglio.base.daemon_record import daemon_proof


@dataclass
class StubDaemon:
    """The running stub; ``hang`` makes it accept and never answer.

    It proves itself at its port if it has the hook token. ``asked`` are the paths of GET requests,
    ``posted`` those of POST requests, ``received`` those with their bodies.
    """

    status: int = 200
    body: bytes = b"{}"
    hang: bool = False
    hook_token: str = ""
    port: int = 0
    asked: list[str] = field(default_factory=list[str])
    posted: list[str] = field(default_factory=list[str])
    bodies: list[bytes] = field(default_factory=list[bytes])
    received: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    released: threading.Event = field(default_factory=threading.Event)


def _handler(stub: StubDaemon) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            stub.asked.append(self.path)
            nonce = parse_qs(urlsplit(self.path).query)["nonce"][0]
            proof = daemon_proof(stub.hook_token, nonce, stub.port)
            # As msgspec writes it.
            reply = {"port": stub.port, "token": "", "hookToken": proof}
            self._reply(200, json.dumps(reply, separators=(",", ":")).encode())

        def do_POST(self) -> None:
            stub.posted.append(self.path)
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            stub.bodies.append(body)
            stub.received.append((self.path, body))
            stub.headers.append({key.lower(): value for key, value in self.headers.items()})
            if stub.hang:
                self.close_connection = True
                stub.released.wait()
                return
            # The hook program leaves once it has read the first line.
            with contextlib.suppress(OSError):
                self._reply(stub.status, stub.body)

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing; the tests look at what was recorded."""

    return Handler


class _PortServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 32


class _SocketServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 32


@contextmanager
def stub_daemon(
    status: int = 200,
    body: bytes = b"{}",
    *,
    hang: bool = False,
    socket: Path | None = None,
    hook_token: str = "",
) -> Generator[StubDaemon]:
    """Run the stub while the block runs: at a Unix socket, or else on a free loopback port."""
    stub = StubDaemon(status, body, hang, hook_token)
    server: socketserver.BaseServer
    if socket is None:
        server = _PortServer(("127.0.0.1", 0), _handler(stub))
        stub.port = int(server.server_address[1])
    else:
        socket.parent.mkdir(parents=True, exist_ok=True)
        socket.unlink(missing_ok=True)
        server = _SocketServer(str(socket), _handler(stub))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield stub
    finally:
        stub.released.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)
        if socket is not None:
            socket.unlink(missing_ok=True)
