"""Every operation against every kind of asker, on a real daemon, as its handler declares."""

import re
from collections.abc import Generator

import httpx
import pytest

from fakes.daemon import Daemon
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access
from intaglio.api.gate.routes import Route

NEVER_ENDS = "/api/events"
"""`test_foreign_origin` and `test_guard` ask for the stream."""

LOCAL = {Access.FILE, Access.OPEN, Access.LINK, Access.PROGRAM, Access.HOOK}
"""What a program may do that shows nothing."""


def operations() -> list[tuple[Route, str, str]]:
    return [
        (route, method, re.sub(r"\{[^}]*\}", "unknown", path))
        for method, path, route in Application().routes.all()
        if path != NEVER_ENDS
    ]


EACH = pytest.mark.parametrize(
    ("access", "method", "path"),
    [pytest.param(r.declaration.access, m, p, id=f"{m}{p}") for r, m, p in operations()],
)


@pytest.fixture(scope="module")
def client(daemon: Daemon) -> Generator[httpx.Client]:
    with daemon.client() as client:
        yield client


@pytest.fixture(scope="module")
def page(daemon: Daemon) -> dict[str, str]:
    """What a signed-in page sends."""
    return {
        "origin": daemon.url,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        "cookie": daemon.sign_in(),
    }


def status(client: httpx.Client, method: str, path: str, headers: dict[str, str]) -> int:
    # A body that no endpoint takes: what passes the gate is refused after it, and changes nothing.
    content = b"" if method == "GET" else b"["
    return client.request(method, path, content=content, headers=headers).status_code


def test_every_kind_of_access_is_declared_somewhere() -> None:
    assert {route.declaration.access for route, _, _ in operations()} == set(Access)


@EACH
def test_a_program_that_shows_nothing_may_do_what_is_declared_so(
    client: httpx.Client, access: Access, method: str, path: str
) -> None:
    # A sign-in link without a key is refused by its own page.
    refused = access not in LOCAL or access is Access.LINK
    assert (status(client, method, path, {}) == 401) == refused


@EACH
def test_a_wrong_token_opens_nothing(
    client: httpx.Client, access: Access, method: str, path: str
) -> None:
    del access
    assert status(client, method, path, {"authorization": "Bearer wrong"}) == 401


@EACH
def test_the_hook_token_opens_the_hooks_alone(
    client: httpx.Client, daemon: Daemon, access: Access, method: str, path: str
) -> None:
    header = {"authorization": f"Bearer {daemon.identity['hook_token']}"}
    assert (status(client, method, path, header) == 403) == (access is not Access.HOOK)


@EACH
def test_a_signed_in_page_may_do_all_but_what_is_the_owners(
    client: httpx.Client, page: dict[str, str], access: Access, method: str, path: str
) -> None:
    refused = access in {Access.OWNER, Access.LINK}
    assert (status(client, method, path, page) == 401) == refused


@EACH
def test_a_browser_that_is_not_signed_in_reads_files_alone(
    client: httpx.Client, daemon: Daemon, access: Access, method: str, path: str
) -> None:
    for mark in (
        {"origin": daemon.url},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"sec-fetch-dest": "empty"},
    ):
        content = b"" if method == "GET" else b"["
        headers = {**mark, "content-type": "application/json"}
        reply = client.request(method, path, content=content, headers=headers)
        assert (reply.status_code == 401) == (access is not Access.FILE), mark
        if access not in {Access.FILE, Access.LINK}:
            assert reply.json()["code"] == "signed_out"
            assert "intaglio" in reply.json()["hint"]


@EACH
def test_no_reply_of_the_api_is_stored(
    client: httpx.Client, access: Access, method: str, path: str
) -> None:
    for headers in ({}, {"sec-fetch-site": "same-origin"}, {"authorization": "Bearer wrong"}):
        content = b"" if method == "GET" else b"["
        reply = client.request(method, path, content=content, headers=headers)
        is_page = access is Access.FILE and reply.status_code == 200
        assert (reply.headers["cache-control"] == "no-store") != is_page


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"host": "evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
    ],
)
def test_a_foreign_page_may_do_nothing_whatever_it_shows(
    client: httpx.Client, daemon: Daemon, headers: dict[str, str]
) -> None:
    for _, method, path in operations():
        assert status(client, method, path, daemon.owner | headers) == 403, (method, path)
