"""A model server over HTTP: its validated address, and one exchange with all its failures."""

import ipaddress
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec

from intaglio.base.errors import InvalidInputError

T = TypeVar("T")

ExchangeProblem: TypeAlias = Literal["status", "unreachable", "too_long", "malformed"]

_OK: Final = 200
_MAX_ERROR_BYTES: Final = 64_000


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A model server's address, and its key, if it needs one.

    ``key`` never appears in a representation, a message or a log. Raises InvalidInputError for an
    invalid address, or one that would send the key unencrypted over a network.
    """

    base_url: str
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
    def host(self) -> str:
        """The server's name or IP address."""
        return urlsplit(self.base_url).hostname or ""

    @property
    def loopback(self) -> bool:
        """Whether the server is on this machine."""
        return _is_loopback(self.host)

    @property
    def bearer(self) -> dict[str, str]:
        """The header that most servers read the key from; none without a key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}

    def client(self, headers: Mapping[str, str]) -> httpx.AsyncClient:
        """Create a client: no redirects, and no proxy for addresses on this machine.

        For an https address, it reads the system's certificates, which takes tens of milliseconds.
        """
        encrypted = self.base_url.startswith("https:")
        return httpx.AsyncClient(
            base_url=self.base_url.rstrip("/") + "/",
            # A compressed reply could grow beyond every limit within one piece.
            headers={**headers, "accept-encoding": "identity"},
            follow_redirects=False,
            trust_env=not self.loopback,
            verify=True if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            timeout=None,  # noqa: S113 - the caller's deadline covers the whole exchange
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeFailure:
    """Why an exchange failed. ``detail`` is for users and never contains the answer's text.

    ``status`` is the HTTP status, 0 without an answer; ``retry_after`` the header of that name;
    ``body`` the beginning of an error's body, for adapters to read what the server refuses.
    """

    problem: ExchangeProblem
    detail: str
    status: int = 0
    retry_after: str = ""
    body: bytes = field(default=b"", repr=False)


async def exchange(
    client: httpx.AsyncClient,
    path: str,
    reply: type[T],
    *,
    body: Mapping[str, object] | None = None,
    max_bytes: int,
    server: str = "the model server",
) -> T | ExchangeFailure:
    """Post JSON, or get without a body, and decode the answer as ``reply``.

    ``server`` is what failures call the other side.
    """
    method = "GET" if body is None else "POST"
    try:
        async with client.stream(method, path, json=body) as answer:
            status = answer.status_code
            data = await _read(answer, max_bytes if status == _OK else _MAX_ERROR_BYTES)
            if status != _OK:
                return ExchangeFailure(
                    problem="status",
                    detail=f"{server} answered {status}",
                    status=status,
                    retry_after=answer.headers.get("retry-after", ""),
                    body=data or b"",
                )
        if data is None:
            return ExchangeFailure(
                problem="too_long", detail=f"{server}'s answer is too long", status=status
            )
        return msgspec.json.decode(data, type=reply)
    except (httpx.HTTPError, httpx.StreamError, OSError) as error:
        return ExchangeFailure(
            problem="unreachable", detail=f"can't reach {server}: {type(error).__name__}"
        )
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ExchangeFailure(
            problem="malformed", detail=f"{server}'s answer has an unexpected format"
        )


async def _read(answer: httpx.Response, max_bytes: int) -> bytes | None:
    """Return the body as it was sent; None if it is too long."""
    data = bytearray()
    async for piece in answer.aiter_raw():
        data += piece
        if len(data) > max_bytes:
            return None
    return bytes(data)
