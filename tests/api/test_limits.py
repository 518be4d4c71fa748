"""Bounds on size, time and number, against a real daemon over raw sockets."""

import socket
from collections.abc import Generator
from contextlib import contextmanager

import httpx
import pytest

from fakes.daemon import Daemon
from fakes.waiting import PATIENCE_S, wait_for

HEAD = b"POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\n"


@contextmanager
def connected(daemon: Daemon) -> Generator[socket.socket]:
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=PATIENCE_S) as raw:
        yield raw


def reply_of(raw: socket.socket) -> bytes:
    """Read until the other side closes, or falls silent after an answer."""
    raw.settimeout(PATIENCE_S)
    received = raw.recv(65_536)
    raw.settimeout(0.3)
    try:
        while part := raw.recv(65_536):
            received += part
    except (TimeoutError, ConnectionResetError):
        pass
    return received


def test_an_announced_body_beyond_the_limit_is_refused_unread(daemon: Daemon) -> None:
    with connected(daemon) as raw:
        raw.sendall(HEAD + b"Content-Length: 60000000\r\n\r\n{")
        assert reply_of(raw).startswith(b"HTTP/1.1 413 ")


def test_an_endless_chunked_body_is_refused_at_the_limit(daemon: Daemon) -> None:
    with connected(daemon) as raw:
        raw.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        for _ in range(20):
            raw.sendall(chunk)
        assert reply_of(raw).startswith(b"HTTP/1.1 413 ")


# It waits for the daemon's own time-out.
@pytest.mark.slow
def test_a_head_that_never_ends_is_cut_off(daemon: Daemon) -> None:
    with connected(daemon) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: loc")
        raw.settimeout(PATIENCE_S)
        assert raw.recv(100) == b""


def test_a_head_beyond_its_limit_is_cut_off(daemon: Daemon) -> None:
    with connected(daemon) as raw:
        line = b"x-filler: " + b"y" * 60_000 + b"\r\n"
        try:
            raw.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
            for _ in range(60):
                raw.sendall(line)
            answer = reply_of(raw)
        except (BrokenPipeError, ConnectionResetError):
            return
        assert answer[:12] in {b"HTTP/1.1 431", b"HTTP/1.1 400"}


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.0\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /health\r\n\r\n",
        b"POST /api/memory/remember HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n",
    ],
)
def test_no_malformed_request_is_served(daemon: Daemon, request_: bytes) -> None:
    with connected(daemon) as raw:
        raw.sendall(request_)
        assert reply_of(raw)[:10] == b"HTTP/1.1 4"


def test_the_streams_are_limited_and_given_back(daemon: Daemon) -> None:
    with daemon.client(limits=httpx.Limits(max_connections=100)) as client:
        opened = [client.stream("GET", "/api/events") for _ in range(33)]
        replies = [stream.__enter__() for stream in opened]
        try:
            assert [reply.status_code for reply in replies] == [200] * 32 + [503]
        finally:
            for stream in opened:
                stream.__exit__(None, None, None)
    with daemon.client() as client:

        def is_given() -> bool:
            with client.stream("GET", "/api/events") as again:
                return again.status_code == 200

        wait_for(is_given, "a stream that was given back")


def test_many_idle_connections_do_not_stop_others(daemon: Daemon) -> None:
    idle = [socket.create_connection(("127.0.0.1", daemon.port)) for _ in range(300)]
    try:
        with daemon.client() as client:
            assert client.get("/health").status_code == 200
    finally:
        for each in idle:
            each.close()
