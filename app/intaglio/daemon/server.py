"""uvicorn, configured for the daemon: request limits, signal handling and a clean shutdown."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Generator
from types import FrameType
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from intaglio.api.gate.principal import LISTENER_KEY, ListenerKind
from intaglio.daemon.unix_socket import BACKLOG

_GRACE_S: Final = 5
_KEEP_ALIVE_S: Final = 30
# Well below the usual limit of 1,024 open files.
_MAX_CONNECTIONS: Final = 500
_MAX_HEAD_BYTES: Final = 2_000_000
_REQUEST_TIMEOUT_S: Final = 20.0
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class BoundedProtocol(HttpToolsProtocol):
    """HTTP/1.1 with a size limit for a request's head and a time limit for the whole request."""

    listener = ListenerKind.PORT

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(*args, **kwargs)
        self._head_bytes = 0
        self._in_head = True
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # narrower, as uvicorn has it
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the head's bytes before they are parsed."""
        if self._deadline is None:
            self._start_clock()
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > _MAX_HEAD_BYTES:
                self.transport.write(
                    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
                    b"connection: close\r\ncontent-length: 0\r\n\r\n"
                )
                self.transport.close()
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Tell the gate which listener accepted the connection."""
        super().on_message_begin()
        self.scope.setdefault("state", {})[LISTENER_KEY] = self.listener

    def on_headers_complete(self) -> None:
        """Stop counting: the application limits the body."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the timeout: the request is complete."""
        self._in_head = True
        self._head_bytes = 0
        self._stop_clock()
        super().on_message_complete()

    def _start_clock(self) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(_REQUEST_TIMEOUT_S, self._abort)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _abort(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


class UnixProtocol(BoundedProtocol):
    """The same for a connection of the Unix socket."""

    listener = ListenerKind.UNIX_SOCKET


class Server(uvicorn.Server):
    """A server that sleeps until ``stopping`` is set, by a request or a signal.

    uvicorn's own main loop wakes up ten times a second.
    """

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets)
        self.listening.set()

    async def serve_unix(self, listener: socket.socket) -> asyncio.AbstractServer:
        """Accept connections of a bound Unix socket too, once ``listening`` is set."""

        def connection() -> UnixProtocol:
            return UnixProtocol(
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
            )

        loop = asyncio.get_running_loop()
        server = await loop.create_unix_server(connection, sock=listener, backlog=BACKLOG)
        self.servers.append(server)
        return server

    def stop(self) -> None:
        """Stop accepting; running requests get a few seconds, event streams end immediately."""
        self.should_exit = True
        self._stopping.set()

    async def main_loop(self) -> None:
        """Serve until stopped."""
        await self._stopping.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on a signal."""
        del sig, frame
        self.stop()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Handle signals while serving; a stop by signal is normal, so it isn't re-raised."""
        if sys.platform == "win32":
            old = {each: signal.signal(each, self.handle_exit) for each in _SIGNALS}
            try:
                yield
            finally:
                for each, handler in old.items():
                    signal.signal(each, handler)
        else:
            loop = asyncio.get_running_loop()
            for each in _SIGNALS:
                loop.add_signal_handler(each, self.stop)
            try:
                yield
            finally:
                for each in _SIGNALS:
                    loop.remove_signal_handler(each)


def make_server(app: Any, stopping: asyncio.Event) -> Server:  # noqa: ANN401 - any ASGI application
    """Configure the server; it uses bound sockets and the process's log."""
    config = uvicorn.Config(
        app,
        loop="none",
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return Server(config, stopping)
