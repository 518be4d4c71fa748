"""How the server stops: nothing keeps its event loop open."""

import asyncio
import socket
from contextlib import closing

from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from intaglio.daemon.peers.identify import peers_of_system
from intaglio.daemon.server import make_server


async def _answer(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer each request with nothing."""
    del scope, receive
    await send({"type": "http.response.start", "status": 204, "headers": [], "trailers": False})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def test_a_connection_that_is_accepted_while_the_server_stops_is_closed() -> None:
    with socket.socket() as listener, closing(peers_of_system()) as peers:
        listener.bind(("127.0.0.1", 0))
        server = make_server(_answer, asyncio.Event(), peers)
        server.config.timeout_graceful_shutdown = 0
        serving = asyncio.create_task(server.serve([listener]))
        await server.listening.wait()
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert await reader.readline() == b"HTTP/1.1 204 No Content\r\n"
        (connection,) = server.server_state.connections
        assert isinstance(connection, HttpToolsProtocol)
        # As uvicorn leaves one that comes after it has told the others to close.
        connection.shutdown = lambda: None  # type: ignore[method-assign] # see above
        server.stop()
        await serving
        assert not server.server_state.connections
        writer.close()
