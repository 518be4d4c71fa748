"""The hook program: sends a harness's event to the daemon, or spools it if the daemon is down.

A harness runs a copy of this file with the values below filled in (``python3 -I -S``). It imports
nothing from Intaglio and as little as possible (json alone would cost as much as all the rest),
always exits with 0, and prints nothing except, with ``--reply``, the daemon's reply.

It sends the event to the daemon's Unix socket. If there can't be one, it lets the program at the
daemon's port prove that it is the daemon before it sends anything. A daemon that doesn't answer in
time isn't asked again for a while: the socket is set aside until the daemon puts it back, and
without a socket the program remembers the time.
"""

import os
import sys
import time

# Not from `typing`, which costs too much here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

SOCKET = ""
LOCK = ""
TOKEN = ""
SPOOL = ""
INSTALL_ID = ""
HARNESS = ""
ENDPOINT = ""
PROOF = "/api/auth/proof"
BREAKER = ""
# The harness's JSON key for each field of a spooled event: "event=… session=… cwd=…".
FIELDS = ""

MAX_INPUT = 1_000_000
MAX_FILE = 100_000
MAX_REPLY = 200_000
MAX_PROOF = 4_096
MAX_SPOOLED = 10_000
INPUT_S = 2.0
CONNECT_S = 0.3
TOTAL_S = 2.0
BREAKER_S = 60.0


def read_input() -> bytes:
    """Read all input, keeping the first megabyte plus one byte that indicates more."""
    import select  # noqa: PLC0415 - a disabled hook needs nothing

    kept = bytearray()
    end = time.monotonic() + INPUT_S
    # The caller may keep the pipe open forever (Windows can't select on a pipe).
    while os.name != "posix" or select.select([0], [], [], max(0.0, end - time.monotonic()))[0]:
        chunk = os.read(0, 65_536)
        if not chunk:
            break
        kept += chunk[: MAX_INPUT + 1 - len(kept)]
    return bytes(kept)


def read_file(path: str) -> str:
    """Read a small file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, MAX_FILE).decode()
    finally:
        os.close(descriptor)


def number(lock: str, key: str) -> int:
    """Extract an integer from the lock file."""
    rest = lock.partition(f'"{key}"')[2].lstrip(" :")
    return int(rest[: len(rest) - len(rest.lstrip("0123456789"))])


def post(data: bytes, *, whole: bool) -> bytes | None:
    """Post the event and return the reply's body, or None for anything but a 2xx reply.

    Unless ``whole`` is set, only the reply's first line is read.
    """
    import _socket  # noqa: PLC0415 - the C module; `socket` costs twice as much

    end = time.monotonic() + TOTAL_S
    local = has_socket()
    port = 0 if local else port_of_daemon()
    family = _socket.AF_INET
    if sys.platform != "win32" and local:
        family = _socket.AF_UNIX
    connection = _socket.socket(family, _socket.SOCK_STREAM)
    try:
        if local:
            connection.settimeout(TOTAL_S)
            connection.connect(SOCKET)
        else:
            connection.settimeout(CONNECT_S)
            connection.connect(("127.0.0.1", port))
            connection.settimeout(TOTAL_S)
            if not proves_itself(connection, port, end):
                return None
        head = (
            f"POST {ENDPOINT} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {read_file(TOKEN).strip()}\r\n"
            "Content-Type: application/json\r\nConnection: close\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        connection.sendall(head.encode() + data)
        reply = b""
        while len(reply) < MAX_REPLY and (whole or b"\r\n" not in reply):
            connection.settimeout(max(end - time.monotonic(), 0.01))
            chunk = connection.recv(65_536)
            if not chunk:
                break
            reply += chunk
    except TimeoutError:
        if time.monotonic() >= end:
            open_breaker(local=local)
        raise
    finally:
        connection.close()
    return reply.partition(b"\r\n\r\n")[2] if reply.startswith(b"HTTP/1.1 2") else None


def has_socket() -> bool:
    """Whether the daemon listens on the Unix socket, or would if it were running.

    Where its folder can't hold sockets, the daemon says so in the lock file.
    """
    if not SOCKET:
        return False
    try:
        os.stat(SOCKET)  # noqa: PTH116 - pathlib costs too much here
    except OSError:
        return '"socket":null' not in read_file(LOCK)
    return True


def port_of_daemon() -> int:
    """Return the port of this installation's daemon; raises an exception if it isn't running."""
    lock = read_file(LOCK)
    if f'"{INSTALL_ID}"' not in lock or is_breaker_open():
        raise ValueError
    if os.name == "posix":
        os.kill(number(lock, "pid"), 0)
    return number(lock, "port")


def proves_itself(connection: "socket", port: int, end: float) -> bool:
    """Whether the program at the other end knows this installation's hook token.

    The proof covers the port, so that no program on another port can pass it on.
    """
    nonce = os.urandom(32).hex()
    request = f"GET {PROOF}?nonce={nonce} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    connection.sendall(request.encode())
    reply, length = b"", MAX_PROOF
    while len(reply) < length:
        connection.settimeout(max(end - time.monotonic(), 0.01))
        chunk = connection.recv(MAX_PROOF)
        if not chunk:
            return False
        reply += chunk
        head, ended, _ = reply.partition(b"\r\n\r\n")
        if ended:
            size = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
            length = len(head) + len(ended) + int(size)
    message = f"intaglio daemon proof\0{nonce}:{port}".encode()
    proof = hmac_sha256(read_file(TOKEN).strip().encode(), message).encode()
    return reply.startswith(b"HTTP/1.1 200 ") and b'"hookToken":"' + proof + b'"' in reply


def hmac_sha256(key: bytes, message: bytes) -> str:
    """Return the HMAC in hexadecimal; `hmac` and `hashlib` cost as much as half a start of Python.

    The key has at most 64 bytes.
    """
    for name in ("_sha2", "_sha256", "hashlib"):  # since Python 3.12; before; everywhere
        try:
            sha256 = __import__(name).sha256
        except ImportError:
            continue
        break
    else:
        raise ImportError
    padded = key.ljust(64, b"\0")
    inner = sha256(bytes(one ^ 0x36 for one in padded) + message).digest()
    return str(sha256(bytes(one ^ 0x5C for one in padded) + inner).hexdigest())


def open_breaker(*, local: bool) -> None:
    """Make the following hooks fail at once, until the daemon shows that it runs again."""
    if local:
        os.replace(SOCKET, SOCKET + ".away")  # noqa: PTH105 - pathlib costs too much here
        return
    descriptor = os.open(BREAKER, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(descriptor, str(time.monotonic()).encode())
    os.close(descriptor)


def is_breaker_open() -> bool:
    """Whether the daemon didn't answer in time within the last minute.

    The clock is the system's since its start, so a time after now is one of an earlier start.
    """
    try:
        return 0 <= time.monotonic() - float(read_file(BREAKER)) < BREAKER_S
    except (OSError, ValueError):
        return False


def parse(data: bytes) -> dict[str, str]:
    """Extract the fields of a spooled event; truncated input is searched with a pattern."""
    import json  # noqa: PLC0415 - needed only when the daemon is down

    fields: dict[str, str] = {}
    for pair in FIELDS.split():
        ours, _, theirs = pair.partition("=")
        fields[ours] = theirs
    found: dict[str, object] = {}
    if len(data) <= MAX_INPUT:
        found = json.loads(data)
    else:
        import re  # noqa: PLC0415 - rare

        pattern = r'"(' + "|".join(fields.values()) + r')"\s*:\s*("(?:[^"\\]|\\.)*")'
        for match in reversed(list(re.finditer(pattern, data.decode("utf-8", "replace")))):
            found[match[1]] = json.loads(match[2])
    return {
        ours: value
        for ours, theirs in fields.items()
        if isinstance(value := found.get(theirs), str)
    }


def spool(event: dict[str, str]) -> None:
    """Save the event for the daemon; file names sort by time."""
    import json  # noqa: PLC0415 - needed only when the daemon is down

    os.makedirs(SPOOL, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib costs too much here
    if len(os.listdir(SPOOL)) >= MAX_SPOOLED:  # noqa: PTH208 - see above
        return
    now = time.time_ns()
    entry: dict[str, object] = {"harness": HARNESS, "time": now / 1e9}
    entry["event"] = event.pop("event")
    entry["session"] = event.pop("session")
    content = json.dumps({**entry, **event}).encode()
    final = f"{SPOOL}{os.sep}{now:020d}-{os.getpid()}.json"
    part = final + ".part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, content)
        os.fsync(descriptor)
        os.close(descriptor)
        os.rename(part, final)  # noqa: PTH104 - see above
    except BaseException:
        os.unlink(part)  # noqa: PTH108 - see above
        raise


def run(*, reply: bool) -> None:
    """Deliver one event."""
    data = read_input()
    body = None
    try:
        if len(data) <= MAX_INPUT:
            body = post(data, whole=reply)
    except Exception:
        body = None
    if body is None:
        spool(parse(data))
    elif reply:
        os.write(1, body)


if __name__ == "__main__":
    try:
        switches = ("INTAGLIO_NO_HOOKS", "SIGNET_NO_HOOKS", "SIGNET_BYPASS")
        if not any(os.environ.get(name) for name in switches):
            run(reply="--reply" in sys.argv[1:])
    except BaseException:
        pass
    os._exit(0)
