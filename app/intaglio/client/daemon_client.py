"""A client of the daemon: its endpoints as methods. Every refusal is an `IntaglioError`."""

import socket
import ssl
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from intaglio.base.errors import InvalidInputError
from intaglio.base.installation import command
from intaglio.client.authentication import is_authentic
from intaglio.client.discovery import DaemonAddress, DaemonNotFound
from intaglio.client.errors import UnreachableError, UnresponsiveError, read_problem
from intaglio.wire.access import SignInPageReply, SignInPageRequest
from intaglio.wire.capture import CapturedSince, CaptureReply, PauseRequest
from intaglio.wire.changes import (
    BatchForgetReply,
    BatchForgetRequest,
    BatchRecoverReply,
    BatchRecoverRequest,
    ForgetPreview,
    ModifyRequest,
    MutationReply,
)
from intaglio.wire.inbox import (
    BulkDecisionRequest,
    DecisionList,
    DecisionRequest,
    EvidenceReply,
    InboxList,
    InboxMatches,
    InboxRow,
    UndoRequest,
)
from intaglio.wire.memory import (
    HistoryReply,
    IdMatches,
    MemoryList,
    MemoryRow,
    RecallReply,
    RecallRequest,
    RememberReply,
    RememberRequest,
)
from intaglio.wire.projects import ProjectDetail
from intaglio.wire.sessions import PreviewReply, PreviewRequest, SessionDetail, SessionList
from intaglio.wire.status import (
    Acknowledged,
    BackupList,
    EmptyDatabaseReply,
    Health,
    LinkReply,
    RestoreReply,
    RestoreRequest,
    Status,
)

T = TypeVar("T")
_TIMEOUT_S: Final = 30.0
_HEALTH_TIMEOUT_S: Final = 3.0
_HTTP_PORT: Final = 80


def _start_hint() -> str:
    return f"Start it with `{command('daemon start')}`."


def _restart_hint() -> str:
    return f"If it stays like this, run `{command('daemon stop')}` and start it again."


class DaemonClient:
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
        health = self._send("GET", "/health", Health, timeout=within)
        expected = self._place.install_id
        if expected is not None and health.install_id != expected:
            raise UnreachableError(
                f"The daemon at {self._place.url} belongs to another installation.",
                hint=_start_hint(),
            )
        self._proved = True
        return health

    def status(self) -> Status:
        """Return the daemon's status in full."""
        return self._send("GET", "/api/status", Status)

    def remember(self, request: RememberRequest) -> RememberReply:
        """Save a memory."""
        return self._send("POST", "/api/memory/remember", RememberReply, body=request)

    def recall(self, request: RecallRequest) -> RecallReply:
        """Search memories."""
        return self._send("POST", "/api/memory/recall", RecallReply, body=request)

    def preview(self, request: PreviewRequest) -> PreviewReply:
        """Preview what the next session would be told."""
        return self._send("POST", "/api/sessions/preview", PreviewReply, body=request)

    def project(self, key: str) -> ProjectDetail:
        """Return a project, which may be one that has nothing yet."""
        query = httpx.QueryParams({"project": key})
        return self._send("GET", f"/api/projects/detail?{query}", ProjectDetail)

    def sessions(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> SessionList:
        """List the sessions of all agents, the latest active first.

        ``cursor`` is that of the page before.
        """
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        path = f"/api/sessions?{httpx.QueryParams(query)}"
        return self._send("GET", path, SessionList, owner=True)

    def session(self, session_id: str) -> SessionDetail:
        """Return what a session was told, asked and led to."""
        path = f"/api/sessions/{quote(session_id, safe='')}"
        return self._send("GET", path, SessionDetail, owner=True)

    def memories(
        self,
        limit: int = 100,
        cursor: str | None = None,
        filters: Mapping[str, str] = MappingProxyType({}),
    ) -> MemoryList:
        """List memories, newest first; ``cursor`` is the page before's ``next_cursor``.

        ``filters`` are query parameters of the list.
        """
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        return self._send("GET", f"/api/memories?{httpx.QueryParams(query)}", MemoryList)

    def match_ids(self, part: str) -> IdMatches:
        """List the memories, forgotten ones too, whose ids start or end with ``part``."""
        query = httpx.QueryParams({"prefix": part, "suffix": part})
        return self._send("GET", f"/api/memories/ids?{query}", IdMatches)

    def history(self, memory_id: str) -> HistoryReply:
        """List the changes of a memory, oldest first."""
        return self._send("GET", f"/api/memory/{quote(memory_id, safe='')}/history", HistoryReply)

    def evidence(self, memory_id: str) -> EvidenceReply:
        """List what the user said that a memory is based on, oldest first."""
        path = f"/api/memories/{quote(memory_id, safe='')}/evidence"
        return self._send("GET", path, EvidenceReply)

    def modify(self, memory_id: str, change: ModifyRequest) -> MutationReply:
        """Change fields of a memory."""
        path = f"/api/memory/{quote(memory_id, safe='')}"
        return self._send("PATCH", path, MutationReply, body=change)

    def preview_forget(self, request: BatchForgetRequest) -> ForgetPreview:
        """Return the memories that `forget` would forget."""
        body = msgspec.structs.replace(request, mode="preview")
        return self._send("POST", "/api/memory/forget", ForgetPreview, body=body)

    def forget(self, request: BatchForgetRequest) -> BatchForgetReply:
        """Forget the selected memories."""
        body = msgspec.structs.replace(request, mode="execute")
        return self._send("POST", "/api/memory/forget", BatchForgetReply, body=body)

    def recover(self, request: BatchRecoverRequest) -> BatchRecoverReply:
        """Restore forgotten memories."""
        return self._send("POST", "/api/memory/recover", BatchRecoverReply, body=request)

    def recent(self, limit: int) -> list[MemoryRow]:
        """List the newest memories, at most ``limit`` (1 to 1,000)."""
        return self.memories(limit).memories

    def inbox(
        self, limit: int, cursor: str | None, filters: Mapping[str, str] = MappingProxyType({})
    ) -> InboxList:
        """List inbox items, newest first; ``cursor`` is that of the page before."""
        query = {**filters, "limit": str(limit)} | ({"cursor": cursor} if cursor else {})
        return self._send("GET", f"/api/inbox?{httpx.QueryParams(query)}", InboxList)

    def match_inbox(self, part: str) -> InboxMatches:
        """List the inbox items, open and done, whose ids start or end with ``part``."""
        query = httpx.QueryParams({"prefix": part, "suffix": part})
        return self._send("GET", f"/api/inbox/ids?{query}", InboxMatches)

    def decide(self, item_id: str, request: DecisionRequest) -> InboxRow:
        """Decide on an inbox item."""
        path = f"/api/inbox/{quote(item_id, safe='')}"
        return self._send("POST", path, InboxRow, body=request, owner=True)

    def decide_all(self, request: BulkDecisionRequest) -> DecisionList:
        """Decide the same on several inbox items."""
        return self._send("POST", "/api/inbox/bulk", DecisionList, body=request, owner=True)

    def undo_decisions(self, request: UndoRequest) -> DecisionList:
        """Undo decisions on inbox items."""
        return self._send("POST", "/api/inbox/undo", DecisionList, body=request, owner=True)

    def capture(self) -> CaptureReply:
        """Return whether capture is paused, and until when."""
        return self._send("GET", "/api/capture", CaptureReply)

    def captured(self, since: str) -> CapturedSince:
        """Count what capture saved and suggested for all agents at or after a time."""
        query = httpx.QueryParams({"since": since})
        return self._send("GET", f"/api/capture/since?{query}", CapturedSince, owner=True)

    def pause(self, minutes: int | None = None, until: str | None = None) -> CaptureReply:
        """Pause capture: for minutes, until a moment or ``tomorrow``, else until resumed."""
        body = PauseRequest(minutes=minutes, until=until)
        return self._send("POST", "/api/capture/pause", CaptureReply, body=body, owner=True)

    def resume(self) -> CaptureReply:
        """Resume capture; nothing changes where it isn't paused."""
        return self._send("POST", "/api/capture/resume", CaptureReply, owner=True)

    def confirm_clock(self) -> Acknowledged:
        """Confirm that the clock is right after a jump."""
        return self._send("POST", "/api/clock/confirm", Acknowledged, owner=True)

    def backups(self) -> BackupList:
        """List the backups of the database."""
        return self._send("GET", "/api/backups", BackupList)

    def restore(self, name: str | None = None) -> RestoreReply:
        """Replace the database with a backup; with the newest good one by default."""
        body = RestoreRequest(name=name)
        return self._send("POST", "/api/backups/restore", RestoreReply, body=body, owner=True)

    def create_empty_database(self) -> EmptyDatabaseReply:
        """Create an empty database in the place of a missing one."""
        return self._send("POST", "/api/backups/create-empty", EmptyDatabaseReply, owner=True)

    def sign_in_link(self) -> LinkReply:
        """Create a link that signs a browser in."""
        return self._send("POST", "/api/auth/link", LinkReply, owner=True)

    def sign_in_page(self, request: SignInPageRequest) -> SignInPageReply:
        """Create a private file that leads a browser to a sign-in link."""
        return self._send("POST", "/api/auth/page", SignInPageReply, body=request, owner=True)

    def stop(self) -> None:
        """Request that the daemon stops."""
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
    try:
        return msgspec.json.decode(response.content, type=reply)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreachableError(
            "Another program answers at the daemon's address.", hint=_start_hint()
        ) from error
