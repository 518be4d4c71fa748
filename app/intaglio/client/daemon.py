"""The daemon's endpoints as methods; every refusal is one of the leaves of `IntaglioError`."""

import ssl
from types import TracebackType
from typing import Final, Self, TypeVar

import httpx
import msgspec

from intaglio.base.errors import InvalidInputError
from intaglio.client.errors import UnreachableError, read_problem
from intaglio.client.find import Nowhere, Place
from intaglio.wire.capture import CaptureReply, PauseRequest
from intaglio.wire.memory import (
    MemoryList,
    MemoryRow,
    RecallReply,
    RecallRequest,
    RememberReply,
    RememberRequest,
)
from intaglio.wire.status import (
    Acknowledged,
    BackupList,
    Health,
    LinkReply,
    RestoreReply,
    RestoreRequest,
    Status,
)

T = TypeVar("T")
_TIMEOUT_S: Final = 30.0
_HEALTH_TIMEOUT_S: Final = 3.0
_START_HINT: Final = "Start it with `intaglio daemon start`."


class DaemonClient:
    """Speaks to one daemon over HTTP; use it as a context manager.

    No answer may take longer than ``timeout_s``.
    """

    def __init__(self, place: Place | Nowhere, timeout_s: float = _TIMEOUT_S) -> None:
        if isinstance(place, Nowhere):
            raise UnreachableError("It is not running.", hint=_START_HINT)
        self._place = place
        self._timeout_s = timeout_s
        self._proved = False
        try:
            # Neither proxies nor certificates: it is plain HTTP on this machine.
            self._http = httpx.Client(
                base_url=place.url,
                timeout=timeout_s,
                trust_env=False,
                verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            )
        except httpx.InvalidURL as error:
            raise UnreachableError(f"{place.url} is no address: {error}") from error

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
        """Give the connections back."""
        self._http.close()

    def health(self) -> Health:
        """Ask whether the daemon is well; raises UnreachableError for a stranger on its port."""
        within = min(self._timeout_s, _HEALTH_TIMEOUT_S)
        health = self._send("GET", "/health", Health, timeout=within)
        expected = self._place.install_id
        if expected is not None and health.install_id != expected:
            raise UnreachableError(
                f"{self._place.url} is answered by another installation.", hint=_START_HINT
            )
        self._proved = True
        return health

    def status(self) -> Status:
        """Ask for the daemon's state in full."""
        return self._send("GET", "/api/status", Status)

    def remember(self, request: RememberRequest) -> RememberReply:
        """Keep a memory."""
        return self._send("POST", "/api/memory/remember", RememberReply, body=request)

    def recall(self, request: RecallRequest) -> RecallReply:
        """Ask a question."""
        return self._send("POST", "/api/memory/recall", RecallReply, body=request)

    def memories(self, limit: int = 100, cursor: str | None = None) -> MemoryList:
        """List memories, newest first; ``cursor`` is the page before's ``next_cursor``."""
        query = httpx.QueryParams({"limit": limit} | ({"cursor": cursor} if cursor else {}))
        return self._send("GET", f"/api/memories?{query}", MemoryList)

    def recent(self, limit: int) -> list[MemoryRow]:
        """List the newest memories, at most ``limit`` (1 to 1,000)."""
        return self.memories(limit).memories

    def capture(self) -> CaptureReply:
        """Ask whether hooks capture what is said."""
        return self._send("GET", "/api/capture", CaptureReply)

    def pause(self, minutes: int | None = None, until: str | None = None) -> CaptureReply:
        """Pause capture: for minutes, until a moment or ``tomorrow``, else until resumed."""
        body = PauseRequest(minutes=minutes, until=until)
        return self._send("POST", "/api/capture/pause", CaptureReply, body=body, owner=True)

    def resume(self) -> CaptureReply:
        """End the pause; without one nothing changes."""
        return self._send("POST", "/api/capture/resume", CaptureReply, owner=True)

    def backups(self) -> BackupList:
        """List the kept copies of the database."""
        return self._send("GET", "/api/backups", BackupList)

    def restore(self, name: str | None = None) -> RestoreReply:
        """Put a copy in the database's place."""
        body = RestoreRequest(name=name)
        return self._send("POST", "/api/backups/restore", RestoreReply, body=body, owner=True)

    def sign_in_link(self) -> LinkReply:
        """Make a link that signs a browser in."""
        return self._send("POST", "/api/auth/link", LinkReply, owner=True)

    def stop(self) -> None:
        """Ask the daemon to leave."""
        self._send("POST", "/api/daemon/stop", Acknowledged, owner=True)

    def _send(
        self,
        method: str,
        path: str,
        reply: type[T],
        *,
        body: msgspec.Struct | None = None,
        owner: bool = False,
        timeout: float | None = None,
    ) -> T:
        headers: dict[str, str] = {}
        content: bytes | None = None
        if body is not None:
            content = _encode(body)
            headers["content-type"] = "application/json"
        if owner:
            headers |= self._proof()
        try:
            response = self._http.request(
                method, path, content=content, headers=headers, timeout=timeout or self._timeout_s
            )
        except httpx.HTTPError as error:
            raise UnreachableError(f"{self._place.url}: {error}", hint=_START_HINT) from error
        if response.is_success:
            return _decode(response, reply)
        raise read_problem(response)

    def _proof(self) -> dict[str, str]:
        """Return the owner's header, once the other side has proved to be ours."""
        if self._place.token is None:
            return {}
        if not self._proved:
            self.health()
        return {"authorization": f"Bearer {self._place.token}"}


def _encode(body: msgspec.Struct) -> bytes:
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            "The text is not UTF-8.", hint="Check the terminal's encoding (LANG, LC_ALL)."
        ) from error


def _decode(response: httpx.Response, reply: type[T]) -> T:
    try:
        return msgspec.json.decode(response.content, type=reply)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreachableError(
            "Something answers there that is no daemon of Intaglio.", hint=_START_HINT
        ) from error
