"""Authenticates the daemon on a TCP connection, before anything else is sent over it."""

import hmac
import secrets
import time
from typing import Final, Protocol

import msgspec

from intaglio.base.daemon_record import daemon_proof

_NONCE_BYTES: Final = 32
_MAX_REPLY_BYTES: Final = 10_000
_MAX_WAIT_S: Final = 5.0
_END_OF_HEAD: Final = b"\r\n\r\n"


class ByteStream(Protocol):
    """A connection, as httpx hands it out: reads raise an exception when they take too long."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return the next bytes; empty at the end."""
        ...

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all bytes."""
        ...


class _Proof(msgspec.Struct, frozen=True):
    token: str


def is_authentic(
    stream: ByteStream, host: str, port: int, token: str, timeout_s: float = _MAX_WAIT_S
) -> bool:
    """Ask the program at the other end to prove that it knows ``token``; return whether it did.

    The proof covers the port, so that nobody can pass on the answer of a daemon on another port.
    The connection stays open for the request that follows.
    """
    nonce = secrets.token_hex(_NONCE_BYTES)
    request = (
        f"GET /api/auth/proof?nonce={nonce} HTTP/1.1\r\n"
        f"Host: {host}:{port}\r\nAccept: application/json\r\n\r\n"
    )
    wait_s = min(timeout_s, _MAX_WAIT_S)
    end = time.monotonic() + wait_s
    stream.write(request.encode(), wait_s)
    try:
        proof = msgspec.json.decode(_read_body(stream, end), type=_Proof)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return False
    return hmac.compare_digest(proof.token.encode(), daemon_proof(token, nonce, port).encode())


def _read_body(stream: ByteStream, end: float) -> bytes:
    """Read exactly one reply; raises ValueError if it isn't a complete HTTP/1.1 200."""
    reply = b""
    while _END_OF_HEAD not in reply:
        reply += _read(stream, reply, end)
    head, _, body = reply.partition(_END_OF_HEAD)
    status, *lines = head.split(b"\r\n")
    fields = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(b":") for line in lines)
    }
    length = int(fields.get(b"content-length", b"-1"))
    if not status.startswith(b"HTTP/1.1 200 ") or not 0 <= length <= _MAX_REPLY_BYTES:
        raise ValueError("another program's reply")
    while len(body) < length:
        body += _read(stream, body, end)
    if len(body) != length:
        raise ValueError("more than one reply")
    return body


def _read(stream: ByteStream, so_far: bytes, end: float) -> bytes:
    remaining = end - time.monotonic()
    chunk = stream.read(_MAX_REPLY_BYTES, max(remaining, 0.0)) if remaining > 0 else b""
    if not chunk or len(so_far) > _MAX_REPLY_BYTES:
        raise ValueError("an incomplete reply")
    return chunk
