"""Finds the daemon, makes it prove that it is the daemon, and sends it a request.

The programs of this package contain this module's source, with the values below filled in. It
imports as little as possible, because a hook's start is most of its cost.

The daemon listens on a Unix socket. If there can't be one, the program at the daemon's port has to
prove that it is the daemon before anything is sent to it.
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
INSTALL_ID = ""
PROOF = "/api/auth/proof"

MAX_FILE = 100_000
MAX_PROOF = 4_096


def read_file(path: str) -> str:
    """Read a small file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, MAX_FILE).decode()
    finally:
        os.close(descriptor)


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


def connect(file: str, end: float, port_s: float) -> "socket":
    """Connect to the daemon's Unix socket ``file`` or, if it is empty, to its port.

    ``end`` limits all that is done with the connection, ``port_s`` connecting to the port. Raises
    an exception if the daemon isn't there.
    """
    import _socket  # noqa: PLC0415 - the C module; `socket` costs twice as much

    port = 0 if file else port_of_daemon()
    family = _socket.AF_INET
    if sys.platform != "win32" and file:
        family = _socket.AF_UNIX
    connection = _socket.socket(family, _socket.SOCK_STREAM)
    try:
        if file:
            connection.settimeout(left(end))
            connection.connect(file)
        else:
            connection.settimeout(port_s)
            connection.connect(("127.0.0.1", port))
            connection.settimeout(left(end))
            demand_proof(connection, port, end)
    except BaseException:
        connection.close()
        raise
    return connection


def left(end: float) -> float:
    """Return the seconds until ``end``, at least a moment."""
    return max(end - time.monotonic(), 0.01)


def quoted(text: str) -> str:
    """Percent-encode a text; `urllib.parse` costs as much as a start of Python."""
    return "".join(
        one if one.isascii() and one.isalnum() else f"%{ord(one):02X}"
        for one in os.fsencode(text).decode("latin-1")
    )


def send(connection: "socket", path: str, data: bytes, headers: str = "") -> None:
    """Send a request with the hook token; ``headers`` are whole lines."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {read_file(TOKEN).strip()}\r\n"
        "Content-Type: application/json\r\nConnection: close\r\n"
        f"Content-Length: {len(data)}\r\n{headers}\r\n"
    )
    connection.sendall(head.encode() + data)


def receive(connection: "socket", end: float, most: int, *, whole: bool = True) -> bytes:
    """Receive the reply, up to about ``most`` bytes; unless ``whole``, at least its first line."""
    reply = bytearray()
    while len(reply) < most and (whole or b"\r\n" not in reply):
        connection.settimeout(left(end))
        chunk = connection.recv(65_536)
        if not chunk:
            break
        reply += chunk
    return bytes(reply)


def port_of_daemon() -> int:
    """Return the port of this installation's daemon; raises an exception if it isn't running."""
    lock = read_file(LOCK)
    if f'"{INSTALL_ID}"' not in lock:
        raise ValueError
    if os.name == "posix":
        os.kill(number(lock, "pid"), 0)
    return number(lock, "port")


def number(lock: str, key: str) -> int:
    """Extract an integer from the lock file."""
    rest = lock.partition(f'"{key}"')[2].lstrip(" :")
    return int(rest[: len(rest) - len(rest.lstrip("0123456789"))])


def demand_proof(connection: "socket", port: int, end: float) -> None:
    """Raise ValueError unless the program at the other end knows this installation's hook token.

    The proof covers the port, so that no program on another port can pass it on.
    """
    nonce = os.urandom(32).hex()
    request = f"GET {PROOF}?nonce={nonce} HTTP/1.1\r\nHost: localhost\r\n\r\n"
    connection.sendall(request.encode())
    reply, length = b"", MAX_PROOF
    while len(reply) < length:
        connection.settimeout(left(end))
        chunk = connection.recv(MAX_PROOF)
        if not chunk:
            raise ValueError
        reply += chunk
        head, ended, _ = reply.partition(b"\r\n\r\n")
        if ended:
            size = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
            length = len(head) + len(ended) + int(size)
    message = f"intaglio daemon proof\0{nonce}:{port}".encode()
    proof = hmac_sha256(read_file(TOKEN).strip().encode(), message).encode()
    if not reply.startswith(b"HTTP/1.1 200 ") or b'"hookToken":"' + proof + b'"' not in reply:
        raise ValueError


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
