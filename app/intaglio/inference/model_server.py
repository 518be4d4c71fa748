"""A model server over HTTP: its checked address, and one POST with every way it can go wrong."""

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
    """Where a model runs, which it is, and how wide its vectors are.

    ``key`` never appears in a representation, a message or a log. Raises InvalidInputError for an
    address that is none, or that would carry the key over an open network.
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
            raise InvalidInputError("the model server's address cannot be read") from error
        if url.scheme not in ("http", "https") or not host:
            raise InvalidInputError("the model server's address must start with http or https")
        if url.username or url.password or url.query or url.fragment:
            raise InvalidInputError(
                "the model server's address must be a scheme, a host and a path"
            )
        if self.key and url.scheme == "http" and not _is_loopback(host):
            raise InvalidInputError(
                "a key would cross the network in the open", hint="Use an https address."
            )
        if any(not " " < letter <= "~" for letter in self.key):
            raise InvalidInputError("the key holds characters that no key has")

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine."""
        return _is_loopback(urlsplit(self.base_url).hostname or "")

    def client(self) -> httpx.AsyncClient:
        """Make a client: no redirects, and no proxy between this machine and itself."""
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
    """Post JSON and read the answer as ``reply``; the answer's text is never repeated."""
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
        return NotEmbedded("unreachable", f"the model server fails: {type(error).__name__}")
    except msgspec.DecodeError:
        return NotEmbedded("refused", "the model server's answer is not what it should be")
