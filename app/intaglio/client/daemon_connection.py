"""A connection to the daemon, which proves that it is this installation's before it is used."""

import socket
import ssl
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast

import httpx
import msgspec

from intaglio.base.errors import InvalidInputError
from intaglio.base.installation import command
from intaglio.client.authentication import is_authentic
from intaglio.client.discovery import DaemonAddress, DaemonNotFound
from intaglio.client.errors import UnreachableError, UnresponsiveError, read_problem
from intaglio.wire.status import Health

T = TypeVar("T")
_TIMEOUT_S: Final = 30.0
_HEALTH_TIMEOUT_S: Final = 3.0
_HTTP_PORT: Final = 80


def _start_hint() -> str:
    return f"Start it with `{command('daemon start')}`."


def _restart_hint() -> str:
    return f"If it stays like this, run `{command('daemon stop')}` and start it again."


class DaemonConnection:
    """Speaks to one daemon over HTTP; use it as a context manager.

    Nothing is sent to another program: requests use the daemon's Unix socket, or a connection on
    which the daemon has proved its identity. No answer may take longer than ``timeout_s``.
    """

    def __init__(
        self, place: DaemonAddress | DaemonNotFound, timeout_s: float = _TIMEOUT_S
    ) -> None:
        if isinstance(place, DaemonNotFound):
            raise UnreachableError("The daemon isn't running.", hint=_start_hint())
        self._place = place
        self._timeout_s = timeout_s
        self._proved = False
        # Neither proxies nor certificates: it is plain HTTP on this machine.
        no_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        uds = None if place.socket is None else str(place.socket)
        try:
            self._http = httpx.Client(
                base_url=place.url if uds is None else "http://localhost",
                timeout=timeout_s,
                trust_env=False,
                transport=httpx.HTTPTransport(verify=no_tls, uds=uds),
            )
        except httpx.InvalidURL as error:
            raise UnreachableError(f"{place.url} isn't a valid address: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def health(self) -> Health:
        """Return the daemon's health; raises UnreachableError for another program on its port."""
        within = min(self._timeout_s, _HEALTH_TIMEOUT_S)
        health = self.send("GET", "/health", Health, timeout=within)
        expected = self._place.install_id
        if expected is not None and health.install_id != expected:
            raise UnreachableError(
                f"The daemon at {self._place.url} belongs to another installation.",
                hint=_start_hint(),
            )
        self._proved = True
        return health

    def send(
        self,
        method: str,
        path: str,
        reply: type[T],
        *,
        body: msgspec.Struct | bytes | None = None,
        owner: bool = False,
        timeout: float | None = None,
    ) -> T:
        """Send a request and return its reply; every refusal is an `IntaglioError`.

        A reply of ``bytes`` is returned as it came; others are JSON.
        """
        headers: dict[str, str] = {}
        content = _encode(body) if isinstance(body, msgspec.Struct) else body
        if content is not None:
            kind = "octet-stream" if isinstance(body, bytes) else "json"
            headers["content-type"] = f"application/{kind}"
        if owner:
            headers |= self._proof()
        try:
            response = self._http.request(
                method,
                path,
                content=content,
                headers=headers,
                timeout=timeout or self._timeout_s,
                extensions={"trace": self._prepare_connection},
            )
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if response.is_success:
            return _decode(response, reply)
        raise read_problem(response)

    def _prepare_connection(self, event: str, info: Mapping[str, Any]) -> None:
        """Check each new connection before the request is sent; httpx calls it at each step."""
        if event == "connection.connect_unix_socket.started" and self._place.socket is not None:
            _try_connect(self._place.socket)
        if event == "connection.connect_tcp.complete" and self._place.token is not None:
            self._authenticate(info["return_value"], self._place.token)

    def _authenticate(self, stream: Any, token: str) -> None:  # noqa: ANN401 - httpcore's stream
        url = self._http.base_url
        try:
            if is_authentic(stream, url.host, url.port or _HTTP_PORT, token, self._timeout_s):
                return
        except BaseException:
            stream.close()
            raise
        stream.close()
        raise httpx.ConnectError("the program there didn't prove that it is this daemon")

    def _unreachable(self, error: httpx.HTTPError) -> UnreachableError:
        if self._place.socket is not None and isinstance(error, httpx.ConnectError):
            return UnreachableError("The daemon isn't running.", hint=_start_hint())
        if isinstance(error, httpx.TimeoutException):
            return UnresponsiveError("The daemon didn't respond in time.", hint=_restart_hint())
        return UnreachableError(
            f"Couldn't reach the daemon at {self._place.url}: {error}", hint=_start_hint()
        )

    def _proof(self) -> dict[str, str]:
        """Return the owner's header, after verifying that the daemon is this installation's."""
        if self._place.token is None:
            return {}
        if not self._proved:
            self.health()
        return {"authorization": f"Bearer {self._place.token}"}


def _try_connect(file: Path) -> None:
    """Raise an httpx exception if nobody listens; httpcore's own leaves its socket open."""
    if sys.platform == "win32":
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(0)
        try:
            probe.connect(str(file))
        except BlockingIOError as error:
            raise httpx.ConnectTimeout("its queue of connections is full") from error
        except OSError as error:
            raise httpx.ConnectError(str(error)) from error


def _encode(body: msgspec.Struct) -> bytes:
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            "The text isn't valid UTF-8.", hint="Check the terminal's encoding (LANG, LC_ALL)."
        ) from error


def _decode(response: httpx.Response, reply: type[T]) -> T:
    if reply is bytes:
        return cast("T", response.content)
    try:
        return msgspec.json.decode(response.content, type=reply)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreachableError(
            "Another program answers at the daemon's address.", hint=_start_hint()
        ) from error
