"""HTTP/1.1 for one connection, bounded in size and time; tells the gate who its user is."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from intaglio.api.gate.principal import (
    IDENTITY_KEY,
    LISTENER_KEY,
    PEER_PID_KEY,
    ListenerKind,
    PeerIdentity,
)
from intaglio.daemon.connections.pool import ConnectionPool
from intaglio.daemon.peers.identify import Peers, process_of_unix

_MAX_HEAD_BYTES: Final = 128_000
_HEAD_TIMEOUT_S: Final = 10.0
_REQUEST_TIMEOUT_S: Final = 20.0
_UNREAD_TIMEOUT_S: Final = 30.0


class _Timeout:
    """Does something once, a while after it was started, unless it is stopped before."""

    def __init__(self, loop: asyncio.AbstractEventLoop, do: Callable[[], None]) -> None:
        self._loop = loop
        self._do = do
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._handle is not None

    def start(self, seconds: float) -> None:
        """Start it, or start it again."""
        self.stop()
        self._handle = self._loop.call_later(seconds, self._do)

    def stop(self) -> None:
        """Stop it."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class BoundedProtocol(HttpToolsProtocol):
    """A connection of one listener: limited head, time limits, and a place in the pool."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        *,
        listener: ListenerKind,
        pool: ConnectionPool,
        peers: Peers,
    ) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state)
        self.identity = PeerIdentity.UNKNOWN
        self._pid: int | None = None
        self._listener = listener
        self._pool = pool
        self._peers = peers
        self._head_bytes = 0
        self._in_head = True
        self._is_answering = False
        self._arriving = _Timeout(self.loop, self.drop)
        self._unread = _Timeout(self.loop, self.drop)

    # --- the connection ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # narrower, as uvicorn has it
        """Identify its user at once: a peer that has closed can't be told from root's."""
        super().connection_made(transport)
        match self._listener:
            case ListenerKind.PORT:
                self.identity = self._peers.of_tcp(self.client, self.server)
            case ListenerKind.UNIX_SOCKET:
                connected = transport.get_extra_info("socket")
                self.identity = self._peers.of_unix(connected)
                self._pid = process_of_unix(connected)
        self._arriving.start(_HEAD_TIMEOUT_S)
        self._pool.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks and leave the pool."""
        self._arriving.stop()
        self._unread.stop()
        self._pool.remove(self)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close it at once: it has waited longest, or too long."""
        if not self.transport.is_closing():
            self.transport.abort()

    # --- the request ------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse what has arrived; refuse a head that is too long and still incomplete."""
        if not self._arriving.is_running:
            self._arriving.start(_HEAD_TIMEOUT_S)
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > _MAX_HEAD_BYTES:
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
                b"connection: close\r\ncontent-length: 0\r\n\r\n"
            )
            self.transport.close()

    def on_message_begin(self) -> None:
        """Tell the gate who its user is."""
        super().on_message_begin()
        known: dict[str, object] = {IDENTITY_KEY: self.identity, LISTENER_KEY: self._listener}
        if self._pid is not None:
            known[PEER_PID_KEY] = self._pid
        self.scope.setdefault("state", {}).update(known)

    def on_headers_complete(self) -> None:
        """Stop counting: the application limits the body."""
        self._in_head = False
        self._arriving.start(_REQUEST_TIMEOUT_S)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Stop the clock: the request is complete."""
        self._in_head = True
        self._head_bytes = 0
        self._arriving.stop()
        # The gate may have refused it already.
        if not self.cycle.response_complete:
            self._is_answering = True
            self._pool.work(self)
        super().on_message_complete()

    # --- the response -----------------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if not self.pipeline:
            self._is_answering = False
            self._pool.wait(self)

    def pause_writing(self) -> None:
        """Start a clock: the peer doesn't read its response."""
        super().pause_writing()
        self._pool.wait(self)
        self._unread.start(_UNREAD_TIMEOUT_S)

    def resume_writing(self) -> None:
        """Stop that clock: the peer has read on."""
        super().resume_writing()
        self._unread.stop()
        if self._is_answering:
            self._pool.work(self)


def protocol_factory(
    server: uvicorn.Server, listener: ListenerKind, pool: ConnectionPool, peers: Peers
) -> Callable[[], BoundedProtocol]:
    """Return what makes the protocol of each connection that a listener accepts."""

    def protocol() -> BoundedProtocol:
        return BoundedProtocol(
            server.config,
            server.server_state,
            server.lifespan.state,
            listener=listener,
            pool=pool,
            peers=peers,
        )

    return protocol
