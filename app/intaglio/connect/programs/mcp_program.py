"""The MCP program: passes a client's messages to the daemon, and its replies to the client.

A client runs a copy of this file with the values below filled in and with the source of
`daemon_link` in it (``python3 -I -S``), and keeps it running for a whole session. So it imports
nothing from Intaglio and as little as possible: each line on stdin is one JSON-RPC message, which
is sent as it is on a connection of its own, several at the same time. With each goes who is asking,
and where; a client that has roots is asked for them.

While the daemon is away, the program answers the handshake from what the daemon left in a file, so
that the client has the tools as soon as the daemon is back.
"""

import os
import sys
import threading
import time

from intaglio.connect.programs.daemon_link import (
    SOCKET,
    connect,
    has_socket,
    quoted,
    read_file,
    receive,
    send,
)

# Not from `typing`, which costs too much here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Iterator
    from typing import Any

ENDPOINT = "/mcp"
ANSWERS = ""

MAX_LINE = 8_000_000
MAX_HEAD = 16_384
MAX_REPLY = 4_000_000
MAX_AT_ONCE = 8
MAX_ROOTS_QUERY = 16_000
CONNECT_S = 2.0
# A client answers at once, unless it never does.
ROOTS_S = 2.0
# A call may have to wait for a model that is loading; a client's start shouldn't wait that long.
CALL_S = 60.0
OTHER_S = 5.0

AWAY = "Intaglio isn't running. The user can start it with `intaglio daemon start`."
SLOW = "Intaglio didn't answer in time. Try again later."
BROKEN = "Intaglio stopped before it answered. Try again in a moment."
LARGE = "Intaglio's reply is larger than 4 MB. Ask for less at a time."
FAILED = "Intaglio's MCP program failed"

PARSE_ERROR = -32_700
INVALID_REQUEST = -32_600
METHOD_NOT_FOUND = -32_601
SERVER_ERROR = -32_000
ROOTS_ID = "intaglio-roots"


def endpoint(harness: str) -> str:
    """Return the endpoint with a query that says who is asking, and in which folder."""
    try:
        folder = os.getcwd()  # noqa: PTH109 - pathlib costs too much here
    except OSError:
        folder = ""  # it was deleted
    parent = os.getppid()
    context = {
        "harness": harness,
        "workspace": folder,
        "project_dir": os.environ.get("CLAUDE_PROJECT_DIR", ""),
        "process": str(parent) if parent else "",
    }
    pairs = [f"{name}={quoted(value)}" for name, value in context.items() if value]
    return f"{ENDPOINT}?{'&'.join(pairs)}"


class Roots:
    """The folders that the client says it works in."""

    def __init__(self) -> None:
        """Begin without any."""
        self.query = ""
        self.has_any = False
        self.known = threading.Event()
        self.known.set()

    def request(self, line: bytes) -> bytes:
        """Return what to ask the client after this message, empty for nothing.

        A client that has roots says so first, and is asked once it is ready and when they change.
        """
        if b'"initialize"' in line and b'"roots"' in line:
            match parsed(line):
                case {"method": "initialize", "params": {"capabilities": {"roots": {}}}}:
                    self.has_any = True
                case _:
                    pass
        elif self.has_any and b'"notifications/' in line:
            method = parsed(line).get("method")
            if method in {"notifications/initialized", "notifications/roots/list_changed"}:
                self.known.clear()
                return encoded(ROOTS_ID, {"method": "roots/list"})
        return b""

    def takes(self, line: bytes) -> bool:
        """Keep the client's answer; returns whether the message is that."""
        if ROOTS_ID.encode() not in line:
            return False
        message = parsed(line)
        if message.get("id") != ROOTS_ID or "method" in message:
            return False
        self.query = ""
        match message:
            case {"result": {"roots": [*roots]}}:
                for root in roots:
                    self.add(root)
            case _:
                pass
        self.known.set()
        return True

    def add(self, root: "Any") -> None:  # noqa: ANN401 - as it came
        """Keep a root, unless there are too many."""
        match root:
            case {"uri": str(uri)} if len(self.query) + len(uri) < MAX_ROOTS_QUERY:
                self.query += f"&root={quoted(uri)}"
            case _:
                pass

    def settle(self) -> None:
        """Wait for the client's answer, but only once for a client that gives none."""
        if not self.known.wait(ROOTS_S):
            self.known.set()


def parsed(line: bytes) -> "dict[str, Any]":
    """Return a message, empty if it isn't one."""
    import json  # noqa: PLC0415 - a client without roots needs it only when the daemon is down

    try:
        message: dict[str, Any] = json.loads(line) if line.startswith(b"{") else {}
    except (ValueError, RecursionError):
        return {}
    return message


def lines() -> "Iterator[bytes]":
    """Yield each line of the input; one that is too long is cut just above the limit."""
    source = sys.stdin.buffer
    while part := source.readline(MAX_LINE + 1):
        line = part.strip()
        while len(part) > MAX_LINE and not part.endswith(b"\n"):
            part = source.readline(MAX_LINE + 1)
        if line:
            yield line


def reply_to(line: bytes, path: str) -> bytes:
    """Return the reply to a message, empty if it gets none."""
    if len(line) > MAX_LINE:
        return encoded(None, error(INVALID_REQUEST, "The message is larger than 8 MB"))
    end = time.monotonic() + (CALL_S if b'"tools/call"' in line else OTHER_S)
    try:
        connection = reach(end)
    except (OSError, ValueError):
        return own_reply(line, AWAY, by_file=True)
    try:
        try:  # noqa: SIM105 - contextlib costs too much here
            send(connection, path, line)
        except (BrokenPipeError, ConnectionResetError):
            # A message that is too large is refused before all of it has arrived.
            pass
        reply = receive(connection, end, MAX_HEAD + MAX_REPLY)
    except TimeoutError:
        return own_reply(line, SLOW, by_file=True)
    except OSError:
        return own_reply(line, BROKEN, by_file=True)
    finally:
        connection.close()
    return read_reply(line, reply)


def reach(end: float) -> "socket":
    """Connect to the daemon; raises an exception if it isn't running."""
    if not has_socket():
        return connect("", end, CONNECT_S)
    try:
        return connect(SOCKET, end, CONNECT_S)
    except FileNotFoundError:
        # A hook that got no answer in time has set it aside.
        return connect(SOCKET + ".away", end, CONNECT_S)


def read_reply(line: bytes, reply: bytes) -> bytes:
    """Return what the client gets for the daemon's reply to its message."""
    head, ended, body = reply.partition(b"\r\n\r\n")
    size = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
    if len(body) > MAX_REPLY:
        return own_reply(line, LARGE)
    if not ended or len(body) < int(size or b"0"):
        return own_reply(line, BROKEN, by_file=True)
    if head.startswith(b"HTTP/1.1 2") or body.startswith(b'{"jsonrpc"'):
        return b" ".join(body.splitlines())
    return own_reply(line, problem(head, body))


def problem(head: bytes, body: bytes) -> str:
    """Return the text of a refusal."""
    import json  # noqa: PLC0415 - rare

    try:
        found: dict[str, str] = json.loads(body)
        detail = found["detail"].rstrip(".")
        return f"{found['title']}: {detail}. {found.get('hint') or ''}".strip()
    except (ValueError, TypeError, KeyError, AttributeError):
        status = head.partition(b"\r")[0].decode(errors="replace")
        return f"Intaglio refused the message: {status}"


def own_reply(line: bytes, text: str, *, by_file: bool = False) -> bytes:
    """Answer a message with an error; a tool's call fails with the text, for the model to read.

    With ``by_file``, the handshake is answered from the file.
    """
    import json  # noqa: PLC0415 - needed only when the daemon is down or refuses a message

    try:
        message: dict[str, Any] = json.loads(line) if line.startswith(b"{") else {}
    except (ValueError, RecursionError):
        return encoded(None, error(PARSE_ERROR, "The message isn't valid JSON"))
    if not message:
        return encoded(None, error(INVALID_REQUEST, "The message isn't a JSON-RPC message"))
    identifier, method = message.get("id"), message.get("method")
    if identifier is None or method is None:
        return b""
    if method == "tools/call":
        content = [{"type": "text", "text": text}]
        return encoded(identifier, {"result": {"content": content, "isError": True}})
    if by_file:
        return encoded(identifier, handshake(message) or error(SERVER_ERROR, text))
    return encoded(identifier, error(SERVER_ERROR, text))


def handshake(message: "dict[str, Any]") -> "dict[str, Any] | None":
    """Answer a request as the daemon would; None if there is no file, or not a usable one."""
    import json  # noqa: PLC0415 - see above

    method = str(message["method"])
    if method == "ping":
        return {"result": {}}
    if method not in {"initialize", "tools/list"}:
        return error(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")
    try:
        known: dict[str, Any] = json.loads(read_file(ANSWERS))
        if method == "tools/list":
            return {"result": known["tools"]}
        agreed = known["versions"][0]
        match message:
            case {"params": {"protocolVersion": str(asked)}} if asked in known["versions"]:
                agreed = asked
            case _:
                pass
        return {"result": {"protocolVersion": agreed, **known["initialize"]}}
    except (OSError, ValueError, TypeError, LookupError):
        return None


def error(code: int, text: str) -> "dict[str, Any]":
    """Return the part of a reply that holds an error."""
    return {"error": {"code": code, "message": text}}


def encoded(identifier: "Any", part: "dict[str, Any]") -> bytes:  # noqa: ANN401 - as it came
    """Return a reply."""
    import json  # noqa: PLC0415 - see above

    return json.dumps({"jsonrpc": "2.0", "id": identifier, **part}).encode()


def write(data: bytes) -> None:
    """Write to stdout; ends the program if the client is gone."""
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        os._exit(0)


def main(harness: str) -> None:
    """Serve until stdin closes and the last message is answered."""
    path, roots, writing = endpoint(harness), Roots(), threading.Lock()
    free = threading.BoundedSemaphore(MAX_AT_ONCE)

    def serve(line: bytes) -> None:
        try:
            if b'"tools/call"' in line:
                roots.settle()
            reply = reply_to(line, path + roots.query)
        except Exception as failed:
            reply = own_reply(line, f"{FAILED}: {failed!r}")
        finally:
            free.release()
        if reply:
            with writing:
                write(reply + b"\n")

    for line in lines():
        if roots.takes(line):
            continue
        if request := roots.request(line):
            with writing:
                write(request + b"\n")
        free.acquire()
        threading.Thread(target=serve, args=(line,)).start()


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case ["--harness", name]:
                main(name)
            case _:
                main("")
    except KeyboardInterrupt:
        os._exit(0)
