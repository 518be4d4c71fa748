"""The release feed: a list of versions at an https address, for copies that no manager knows."""

import asyncio
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

import intaglio
from intaglio.base.errors import InvalidInputError
from intaglio.updates.settings import Channel
from intaglio.updates.values import CheckFailed, NewestVersion, VersionOutcome
from intaglio.updates.versions import version_key

FEED_NOTE: Final = "update-feed.txt"
"""The file in ``_built`` into which a packager writes the address of a feed."""

_MAX_BYTES: Final = 256_000
_DEADLINE_S: Final = 15.0
_MAX_URL: Final = 2_000


class FeedRelease(msgspec.Struct, frozen=True):
    """A version in the feed; ``url`` is where it is downloaded."""

    version: str
    url: str = ""
    channel: str = "latest"


class ReleaseFeed(msgspec.Struct, frozen=True):
    """The feed: ``{"releases": [{"version": "0.2.0", "url": "https://…"}]}``."""

    releases: list[FeedRelease]


def newest_in(feed: ReleaseFeed, channel: Channel) -> NewestVersion | None:
    """Return the newest version of a channel; the preview channel has all of them."""
    known = [
        (key, each)
        for each in feed.releases
        if (key := version_key(each.version)) is not None
        and (channel == "preview" or each.channel == "latest")
    ]
    if not known:
        return None
    newest = max(known, key=lambda entry: entry[0])[1]
    return NewestVersion(newest.version, newest.url if is_feed_address(newest.url) else "")


def is_feed_address(text: str) -> bool:
    """Whether a text is an https address without a login."""
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        return False
    is_plain = text.isprintable() and " " not in text and len(text) <= _MAX_URL
    has_login = url.username is not None or url.password is not None
    return url.scheme == "https" and bool(host) and is_plain and not has_login


def packaged_feed(package: Path | None = None) -> str:
    """Return the address that the packager named; empty without one."""
    folder = package or Path(intaglio.__file__).parent
    try:
        return (folder / "_built" / FEED_NOTE).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


async def read_feed(address: str, channel: Channel) -> VersionOutcome:
    """Read the feed: no redirects, no cookies, at most 256 kB within 15 seconds."""
    # httpx is loaded only if a feed is read.
    from intaglio.inference.server_http import (  # noqa: PLC0415 - see above
        ExchangeFailure,
        ServerAddress,
        exchange,
    )

    if not is_feed_address(address):
        return CheckFailed("The release feed's address must start with https://.")
    url = urlsplit(address)
    # With a slash, as a path like https://host/http://other would be an address of its own.
    path = f"/{url.path.lstrip('/')}{f'?{url.query}' if url.query else ''}"
    try:
        async with (
            asyncio.timeout(_DEADLINE_S),
            ServerAddress(f"https://{url.netloc}").client({}) as client,
        ):
            found = await exchange(
                client, path, ReleaseFeed, max_bytes=_MAX_BYTES, server="the release feed"
            )
    except TimeoutError:
        return CheckFailed("The release feed didn't answer in time.")
    except InvalidInputError as error:
        return CheckFailed(f"{error.detail[:1].upper()}{error.detail[1:]}.")
    if isinstance(found, ExchangeFailure):
        return CheckFailed(f"{found.detail[:1].upper()}{found.detail[1:]}.")
    return newest_in(found, channel) or CheckFailed("The release feed lists no version.")
