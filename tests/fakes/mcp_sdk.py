"""The official SDK's client, over HTTP and over stdio.

Importing it takes half a second and 55 MB: only a test that runs it does.
"""

import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from fakes.daemon import Daemon
from fakes.waiting import PATIENCE_S

PROBED = "auto"
"""The client asks for the protocol without a handshake first, then shakes hands."""


@asynccontextmanager
async def http_client(daemon: Daemon, **context: str) -> AsyncGenerator[Client]:
    """Connect to ``/mcp``; the context is sent as headers."""
    # Loading the certificates, which plain HTTP does not need, takes longer than a request.
    empty = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    headers = {f"x-intaglio-{name}": value for name, value in context.items()}
    async with httpx2.AsyncClient(
        headers=headers, trust_env=False, verify=empty, timeout=PATIENCE_S
    ) as http:
        transport = streamable_http_client(f"{daemon.url}/mcp", http_client=http)
        async with Client(transport, mode=PROBED, read_timeout_seconds=PATIENCE_S) as client:
            yield client


@asynccontextmanager
async def stdio_client(
    command: Sequence[str], daemon: Daemon, folder: Path
) -> AsyncGenerator[Client]:
    """Start the program in a folder, and connect to it."""
    program, *arguments = command
    server = StdioServerParameters(
        command=program, args=arguments, env=dict(daemon.env), cwd=folder
    )
    async with Client(server, mode=PROBED, read_timeout_seconds=PATIENCE_S) as client:
        yield client
