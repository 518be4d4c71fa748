"""The release feed: https only, bounded, and the newest version of the channel."""

from pathlib import Path

import httpx
import pytest

from intaglio.inference.server_http import ServerAddress
from intaglio.updates.feed import (
    FEED_NOTE,
    FeedRelease,
    ReleaseFeed,
    is_feed_address,
    newest_in,
    packaged_feed,
    read_feed,
)
from intaglio.updates.values import CheckFailed, NewestVersion

FEED = ReleaseFeed(
    [
        FeedRelease("0.2.0", "https://example.invalid/0.2.0"),
        FeedRelease("0.3.0b1", "javascript:alert(1)", "preview"),
        FeedRelease("0.1.9"),
        FeedRelease("not a version"),
    ]
)
ADDRESS = "https://example.invalid/feed.json?os=linux"


def test_the_newest_version_of_the_channel_is_offered() -> None:
    assert newest_in(FEED, "latest") == NewestVersion("0.2.0", "https://example.invalid/0.2.0")
    assert newest_in(FEED, "preview") == NewestVersion("0.3.0b1", "")
    assert newest_in(ReleaseFeed([]), "latest") is None


@pytest.mark.parametrize(
    "address",
    [
        "http://example.invalid/feed.json",
        "https://",
        "https://user:secret@example.invalid/",
        "https://example.invalid:port/",
        "https://example.invalid/a b",
        "file:///etc/passwd",
        "",
    ],
)
async def test_another_address_than_https_is_refused(address: str) -> None:
    assert not is_feed_address(address)
    assert isinstance(await read_feed(address, "latest"), CheckFailed)


def answering(monkeypatch: pytest.MonkeyPatch, status: int, body: bytes) -> list[httpx.Request]:
    asked: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(status, headers={"location": ADDRESS}, stream=httpx.ByteStream(body))

    def client(address: ServerAddress, _: object) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.MockTransport(handle), base_url=f"{address.base_url}/"
        )

    monkeypatch.setattr(ServerAddress, "client", client)
    return asked


async def test_the_feed_is_read_at_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"releases": [{"version": "0.2.0", "url": "https://example.invalid/0.2.0"}]}'
    asked = answering(monkeypatch, 200, body)
    found = await read_feed(ADDRESS, "latest")
    assert found == NewestVersion("0.2.0", "https://example.invalid/0.2.0")
    assert [str(request.url) for request in asked] == [ADDRESS]


async def test_a_path_that_is_an_address_leads_nowhere_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = answering(monkeypatch, 404, b"")
    for path in ("http://127.0.0.1:3850/api", "//elsewhere.invalid/"):
        await read_feed(f"https://example.invalid/{path}", "latest")
    assert {(each.url.scheme, each.url.host) for each in asked} == {("https", "example.invalid")}


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (302, b"", "The release feed answered 302."),
        (200, b"[]", "The release feed's answer has an unexpected format."),
        (200, b" " * 300_000, "The release feed's answer is too long."),
        (200, b'{"releases": []}', "The release feed lists no version."),
    ],
)
async def test_another_answer_is_a_reason_without_its_text(
    monkeypatch: pytest.MonkeyPatch, status: int, body: bytes, reason: str
) -> None:
    asked = answering(monkeypatch, status, body)
    assert await read_feed(ADDRESS, "latest") == CheckFailed(reason)
    assert len(asked) == 1


def test_a_packager_may_name_a_feed(tmp_path: Path) -> None:
    assert packaged_feed(tmp_path) == ""
    (tmp_path / "_built").mkdir()
    (tmp_path / "_built" / FEED_NOTE).write_text(f"{ADDRESS}\n")
    assert packaged_feed(tmp_path) == ADDRESS
