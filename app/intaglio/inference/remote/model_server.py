"""A model server over HTTP: its validated address, and one POST with all its failures."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from intaglio.base.errors import InvalidInputError
from intaglio.inference.ports import NotEmbedded

T = TypeVar("T")

_OK = 200


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
        try:
            url = urlsplit(self.base_url)
            host, _ = url.hostname or "", url.port
        except ValueError as error:
            raise InvalidInputError("the model server's address is invalid") from error
        if url.scheme not in ("http", "https") or not host:
            raise InvalidInputError("the model server's address must start with http or https")
        if url.username or url.password or url.query or url.fragment:
            raise InvalidInputError(
                "the model server's address may contain only scheme, host, port and path"
            )
        if self.key and url.scheme == "http" and not _is_loopback(host):
            raise InvalidInputError(
                "the API key would be sent unencrypted", hint="Use an https address."
            )
        if any(not " " < letter <= "~" for letter in self.key):
            raise InvalidInputError("the API key contains invalid characters")

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine."""
        return _is_loopback(urlsplit(self.base_url).hostname or "")

    def client(self) -> httpx.AsyncClient:
        """Create a client: no redirects, and no proxy for addresses on this machine."""
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.AsyncClient(
            base_url=self.base_url.rstrip("/") + "/",
            headers=headers,
            follow_redirects=False,
            trust_env=not self.loopback,
            timeout=None,  # noqa: S113 - the caller's deadline covers the whole exchange
        )


async def post(
    client: httpx.AsyncClient,
    path: str,
    body: Mapping[str, object],
    reply: type[T],
    *,
    max_bytes: int,
) -> T | NotEmbedded:
    """Post JSON and decode the answer as ``reply``; errors never contain the answer's text."""
    try:
        async with client.stream("POST", path, json=body) as answer:
            if answer.status_code != _OK:
                return NotEmbedded("refused", f"the model server answered {answer.status_code}")
            data = bytearray()
            async for piece in answer.aiter_bytes():
                data += piece
                if len(data) > max_bytes:
                    return NotEmbedded("refused", "the model server's answer is too long")
        return msgspec.json.decode(data, type=reply)
    except (httpx.HTTPError, httpx.StreamError) as error:
        return NotEmbedded("unreachable", f"can't reach the model server: {type(error).__name__}")
    except msgspec.DecodeError:
        return NotEmbedded("refused", "the model server's answer has an unexpected format")
