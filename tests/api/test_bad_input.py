"""Rubbish on every endpoint: a refusal or a right answer, and never a fault."""

import json
import re
import socket
from collections.abc import Generator, Iterable
from itertools import product
from typing import TypeVar

import httpx
import pytest

from fakes.api import described
from fakes.daemon import Daemon, running_daemon
from fakes.streams import ENDLESS
from fakes.waiting import PATIENCE_S, wait_for

T = TypeVar("T")

# One starts a program each time.
NOT_HERE = {"stopDaemon", "previewUninstall", *ENDLESS}
RESERVED = {400, 401, 403, 404, 405, 408, 409, 413, 414, 415, 429, 503}
DEEP = b"[" * 50_000 + b"]" * 50_000

BODIES: dict[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "true": b"true",
    "number": b"-1e308",
    "text": b'"text"',
    "array": b"[]",
    "array of arrays": b"[[[1]]]",
    "object": b"{}",
    "cut": b'{"content": "a',
    "not utf-8": b'{"content": "\xff\xfe", "query": "\xff"}',
    "lone surrogate": b'{"content": "\\ud800", "query": "\\udfff"}',
    "nul": b'{"content": "a\\u0000b", "query": "\\u0000", "reason": "\\u0000"}',
    "deep": DEEP,
    "deep inside": b'{"content": ' + DEEP + b"}",
    "deep unknown": b'{"content": "a", "query": "a", "unknown": ' + DEEP + b"}",
    "huge number": b'{"content": "a", "limit": ' + b"9" * 4_000 + b"}",
    "out of range": b'{"content": "a", "query": "a", "importance": 1e400, "limit": -1}',
    "far off": b'{"content": "a", "query": "a", "limit": 10000000000, "if_version": 1e30}',
    "not a time": b'{"content": "a", "query": "a", "createdAt": "soon", "since": "0000-00-00"}',
    "time beyond": b'{"content": "a", "query": "a", "since": "9999-12-31T23:59:59-23:59"}',
    "wrong types": b'{"content": {"a": 1}, "query": [1], "reason": 5, "harness": {}, "name": 7}',
    "twice": b'{"content": "a", "content": "b", "query": "a", "query": "b"}',
    "form": b"content=a&query=b",
    "xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    "operators": b'{"content": "AND OR", "query": "\\"a\\" OR NEAR(b c) * ^ col:x -- ; {}"}',
    "star": b'{"content": "*", "query": "*"}',
    "quotes": b'{"content": "\'; DROP TABLE memories;--", "query": "\\"\\"\\" \' %"}',
    "blanks": b'{"content": " \\t\\n", "query": " \\t\\n", "reason": " "}',
    "long": b'{"content": "' + b"x" * 900_000 + b'", "query": "' + b"y" * 50_000 + b'"}',
    "many words": b'{"content": "a", "query": "' + b"word " * 1_900 + b'"}',
    "marks": '{"content": "\u202e\u200b\ufeff", "query": "\u202e\u200b\ufeff👩‍👩‍👧‍👦"}'.encode(),
    "too large": b'{"content": "' + b"x" * 2_000_000 + b'"}',
}
VALUES = ["", "0", "-1", "1.5", "999999999999999999999999", "nan", "true", "a" * 2_000, "%00",
          "%ff%fe", "' OR 1=1 --", "2026-13-45", '"', "*", "NEAR(", "🦄"]  # fmt: skip
IDS = [*VALUES, "..", "%2e%2e", "a/b", "%2fetc%2fpasswd", "a" * 9_000]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Generator[Daemon]:
    with running_daemon(tmp_path_factory.mktemp("rubbish")) as running:
        with running.client() as client:
            for number in range(20):
                client.post("/api/memory/remember", json={"content": f"Kept number {number}"})
        yield running


@pytest.fixture(scope="module")
def client(daemon: Daemon) -> Generator[httpx.Client]:
    """The owner: what anyone else may ask, the owner may."""
    with daemon.client(headers=daemon.owner) as owner:
        yield owner


def operations() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """List (operation id, method, path, query parameters) of the description."""
    paths = json.loads(described())["paths"]
    return [
        (
            operation["operationId"],
            method.upper(),
            path,
            tuple(
                each["name"]
                for each in operation.get("parameters", ())
                if each.get("in") == "query"
            ),
        )
        for path, item in paths.items()
        for method, operation in item.items()
        if operation["operationId"] not in NOT_HERE
    ]


# Each operation gets one in so many of what is sent, beginning at another one than its neighbour:
# all of it is sent, and each decoder meets it. All of it to each operation: -m slow.
SHARE = 6
SHARES = pytest.mark.parametrize("one_in", [SHARE, pytest.param(1, marks=pytest.mark.slow)])


def share(all_of_it: Iterable[T], turn: int, one_in: int) -> list[T]:
    """Return the part of it whose turn it is."""
    return list(all_of_it)[turn % one_in :: one_in]


def answered(
    client: httpx.Client,
    method: str,
    target: str,
    *,
    content: bytes | None = None,
    json: dict[str, str] | None = None,
) -> httpx.Response:
    reply = client.request(method, target, content=content, json=json)
    sent = (content or b"")[:200]
    if reply.status_code == 500 and target.startswith("/api/embeddings/projection"):
        # The contract's reply about a map of which the run failed, or was cancelled by another one.
        assert reply.json()["status"] == "error", reply.text
        return reply
    told = f"{method} {target[:500]} {sent!r}: {reply.status_code} {reply.text[:500]}"
    assert reply.status_code in {200, 201, 202, 304} | RESERVED, told
    if reply.status_code == 503:
        assert reply.json()["detail"]
    if reply.status_code >= 400:
        assert reply.headers["content-type"] == "application/problem+json", told
        assert {"error", "code", "title", "detail", "hint"} <= reply.json().keys(), told
    return reply


@SHARES
def test_no_body_breaks_an_operation(client: httpx.Client, one_in: int) -> None:
    for turn, (_, method, path, _) in enumerate(operations()):
        target = re.sub(r"\{\w+\}", "0197-unknown", path)
        for body in share(BODIES.values(), turn, one_in):
            answered(client, method, target, content=body)


@SHARES
def test_no_query_breaks_an_operation(client: httpx.Client, one_in: int) -> None:
    for turn, (_, method, path, parameters) in enumerate(operations()):
        target = re.sub(r"\{\w+\}", "0197-unknown", path)
        for name, value in share(product((*parameters, "unknown"), VALUES), turn, one_in):
            answered(client, method, f"{target}?{name}={value}")
        twice = "&".join(f"{name}=1&{name}=2" for name in parameters)
        answered(client, method, f"{target}?{twice}")


def test_no_job_id_breaks_an_operation(client: httpx.Client) -> None:
    for part in IDS:
        answered(client, "GET", f"/api/memory/jobs/{part}")
        for verb in ("retry", "discard"):
            answered(client, "POST", f"/api/jobs/{part}/{verb}")


def test_no_memory_id_breaks_an_operation(client: httpx.Client) -> None:
    for part in IDS:
        for method, body in (
            ("GET", None),
            ("PATCH", {"reason": "x", "type": "rule"}),
            ("DELETE", {"reason": "x"}),
        ):
            answered(client, method, f"/api/memory/{part}", json=body)
        answered(client, "GET", f"/api/memory/{part}/history")


def test_a_body_of_60_mb_is_refused_at_once(client: httpx.Client) -> None:
    reply = answered(client, "POST", "/api/memory/remember", content=b"x" * 60_000_000)
    assert reply.status_code == 413


def test_a_query_of_1_mb_is_refused(daemon: Daemon) -> None:
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=PATIENCE_S) as raw:
        head = f"GET /api/memory/search?q={'x' * 1_000_000} HTTP/1.1\r\nHost: localhost\r\n\r\n"
        raw.sendall(head.encode())
        assert raw.recv(20).split()[1] in {b"400", b"414", b"431"}


def test_no_bad_input_caused_an_unexpected_fault(daemon: Daemon, client: httpx.Client) -> None:
    answered(client, "POST", "/api/memory/remember", json={"content": "Still alive"})
    assert "unexpected fault" not in daemon.paths.log_file.read_text()


def test_bad_input_uses_bounded_memory(client: httpx.Client) -> None:
    def is_bounded() -> bool:
        return bool(client.get("/api/status").json()["process"]["rssBytes"] < 250_000_000)

    # What a request needed is given back after a rest.
    wait_for(is_bounded, "less than 250 MB")
