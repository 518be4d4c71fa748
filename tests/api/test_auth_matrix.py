"""Every endpoint against every kind of asker, on a real daemon."""

import json
from collections.abc import Generator

import httpx
import pytest

from fakes.daemon import Daemon
from intaglio.api.app import document

OWNER_ONLY = {"createSignInLink", "stopDaemon"}
OWNER_OR_BROWSER = {
    "restoreBackup",
    "createBackup",
    "addAgent",
    "changeAgent",
    "archiveAgent",
    "pauseCapture",
    "resumeCapture",
}
HOOKS = "/api/hooks/"
LEFT_OUT = {"streamEvents"}
"""A stream never ends; `test_foreign_origin` and `test_guard` ask for it."""


def operations() -> list[tuple[str, str, str]]:
    return [
        (operation["operationId"], method.upper(), path.replace("{memory_id}", "unknown"))
        for path, item in json.loads(document())["paths"].items()
        for method, operation in item.items()
        if operation["operationId"] not in LEFT_OUT
    ]


EACH = pytest.mark.parametrize(
    ("name", "method", "path"), [pytest.param(*each, id=each[0]) for each in operations()]
)


@pytest.fixture(scope="module")
def client(daemon: Daemon) -> Generator[httpx.Client]:
    with daemon.client() as client:
        yield client


def status(client: httpx.Client, method: str, path: str, headers: dict[str, str]) -> int:
    # A body that no endpoint takes: what passes the gate is refused after it, and changes nothing.
    return client.request(method, path, content=b"[", headers=headers).status_code


@EACH
def test_a_program_that_shows_nothing_may_do_all_but_the_local_ones(
    client: httpx.Client, name: str, method: str, path: str
) -> None:
    found = status(client, method, path, {})
    assert (found == 401) == (name in OWNER_ONLY | OWNER_OR_BROWSER)


@EACH
def test_a_wrong_token_opens_nothing(
    client: httpx.Client, name: str, method: str, path: str
) -> None:
    del name
    assert status(client, method, path, {"authorization": "Bearer wrong"}) == 401


@EACH
def test_the_hook_token_opens_the_hooks_alone(
    client: httpx.Client, daemon: Daemon, name: str, method: str, path: str
) -> None:
    del name
    header = {"authorization": f"Bearer {daemon.identity['hook_token']}"}
    assert (status(client, method, path, header) == 403) == (not path.startswith(HOOKS))


@EACH
def test_a_signed_in_page_may_do_all_but_what_is_the_owners(
    client: httpx.Client, daemon: Daemon, name: str, method: str, path: str
) -> None:
    page = {
        "origin": daemon.url,
        "sec-fetch-site": "same-origin",
        "content-type": "application/json",
        "cookie": daemon.sign_in(),
    }
    assert (status(client, method, path, page) == 401) == (name in OWNER_ONLY)


@EACH
def test_a_page_that_is_not_signed_in_may_do_nothing(
    client: httpx.Client, daemon: Daemon, name: str, method: str, path: str
) -> None:
    del name
    page = {"origin": daemon.url, "content-type": "application/json"}
    assert status(client, method, path, page) == 401


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
@EACH
def test_a_foreign_page_may_do_nothing_whatever_it_shows(
    client: httpx.Client, daemon: Daemon, headers: dict[str, str], name: str, method: str, path: str
) -> None:
    del name
    assert status(client, method, path, daemon.owner | headers) == 403
