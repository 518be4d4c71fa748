"""A model server that embeds: its address, its model, and the size of its vectors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import httpx

from intaglio.inference.ports import NotEmbedded
from intaglio.inference.server_http import ExchangeFailure, ServerAddress, exchange

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server's address, its model, and the size of its vectors.

    ``key`` never appears in a representation, a message or a log. Raises InvalidInputError for an
    invalid address, or one that would send the key unencrypted over a network.
    """

    base_url: str
    model: str
    dimensions: int
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        _ = self.address

    @property
    def address(self) -> ServerAddress:
        """Where it is, and its key."""
        return ServerAddress(self.base_url, self.key)

    def client(self) -> httpx.AsyncClient:
        """Create a client that sends the key."""
        return self.address.client(self.address.bearer)


async def post(
    client: httpx.AsyncClient,
    path: str,
    body: Mapping[str, object],
    reply: type[T],
    *,
    max_bytes: int,
) -> T | NotEmbedded:
    """Post JSON and decode the answer as ``reply``; errors never contain the answer's text."""
    found = await exchange(client, path, reply, body=body, max_bytes=max_bytes)
    if isinstance(found, ExchangeFailure):
        if found.problem == "unreachable":
            return NotEmbedded("unreachable", found.detail)
        return NotEmbedded("refused", found.detail)
    return found
