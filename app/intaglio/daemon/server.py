"""uvicorn, configured for the daemon: request limits, signal handling and a clean shutdown."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Generator, Mapping
from types import FrameType
from typing import Any, Final

import uvicorn

from intaglio.api.gate.principal import ListenerKind
from intaglio.daemon.connections.pool import ConnectionPool, connection_pools, raise_file_limit
from intaglio.daemon.connections.protocol import BoundedProtocol, protocol_factory
from intaglio.daemon.peers.identify import Peers
from intaglio.daemon.unix_socket import BACKLOG

_GRACE_S: Final = 5
_KEEP_ALIVE_S: Final = 30
if sys.platform == "win32":
    # Closing the console or logging off sends the last one.
    _SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
else:
    _SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A server that sleeps until ``stopping`` is set, by a request or a signal.

    uvicorn's own main loop wakes up ten times a second.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        stopping: asyncio.Event,
        peers: Peers,
        pools: Mapping[ListenerKind, ConnectionPool],
    ) -> None:
        super().__init__(config)
        self._stopping = stopping
        self._peers = peers
        self._pools = pools
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections on bound sockets of the port."""
        await self.lifespan.startup()
        connection = self._factory(ListenerKind.PORT)
        loop = asyncio.get_running_loop()
        self.servers = [
            await loop.create_server(connection, sock=each, backlog=BACKLOG)
            for each in sockets or ()
        ]
        self.started = True
        self.listening.set()

    async def serve_unix(self, listener: socket.socket) -> asyncio.AbstractServer:
        """Accept connections on a bound Unix socket too, once ``listening`` is set."""
        loop = asyncio.get_running_loop()
        server = await loop.create_unix_server(
            self._factory(ListenerKind.UNIX_SOCKET), sock=listener, backlog=BACKLOG
        )
        self.servers.append(server)
        return server

    def _factory(self, listener: ListenerKind) -> Callable[[], asyncio.Protocol]:
        return protocol_factory(self, listener, self._pools[listener], self._peers)

    def stop(self) -> None:
        """Stop accepting; running requests get a few seconds, event streams end immediately."""
        self.should_exit = True
        self._stopping.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, let running requests end, and close what is left.

        uvicorn leaves a connection open that was accepted while it closed the others; uvloop then
        never closes.
        """
        await super().shutdown(sockets)
        for each in list(self.server_state.connections):
            each.transport.abort()
        # Transports close in the loop's next iteration.
        await asyncio.sleep(0)

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


def make_server(app: Any, stopping: asyncio.Event, peers: Peers) -> Server:  # noqa: ANN401 - any ASGI application
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
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return Server(config, stopping, peers, connection_pools(raise_file_limit()))
