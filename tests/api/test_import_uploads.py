"""Uploads of exports arrive part by part, are read once, and leave nothing behind."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from fakes.api import Api, running_api
from fakes.exports import chatgpt_conversation, zipped
from fakes.uploads import UPLOADS, read_upload
from fakes.waiting import until
from intaglio.history_import.exports.export_reader import ExportReader
from intaglio.history_import.exports.uploads import Uploads

RULE = "We always use tabs in this project."
EXPORT = zipped({"conversations.json": [chatgpt_conversation("c1", [("user", RULE)])]})


async def begin(api: Api, size: int, name: str = "export.zip") -> str:
    body = {"name": name, "size": size}
    reply = await api.client.post(UPLOADS, json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["id"])


async def send(api: Api, upload: str, offset: int | str, part: bytes) -> httpx.Response:
    path = f"{UPLOADS}/{upload}?offset={offset}"
    return await api.client.put(path, content=part, headers=api.owner)


async def look(api: Api, upload: str) -> dict[str, Any]:
    reply = await api.client.get(f"{UPLOADS}/{upload}", headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def stored(api: Api) -> list[str]:
    folder = api.kernel.running.paths.uploads
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*"))


async def test_an_export_becomes_a_source_and_its_file_is_deleted(api: Api) -> None:
    upload = await begin(api, len(EXPORT), "C:\\Users\\ann\\Chats 2026.zip")
    for offset in range(0, len(EXPORT), 100):
        reply = await send(api, upload, offset, EXPORT[offset : offset + 100])
        assert reply.status_code == 200, reply.text
        assert reply.json()["received"] == min(offset + 100, len(EXPORT))
    source = (await read_upload(api, upload))["source"]
    assert source["label"] == "ChatGPT"
    assert source["place"] == "Chats 2026.zip"
    assert source["sessions"] == 1
    names = ("conversations.jsonl", "index.jsonl", "upload.json")
    assert stored(api) == [upload, *(f"{upload}/{name}" for name in names)]


async def test_bytes_that_look_like_a_broken_text_arrive_as_they_are(api: Api) -> None:
    data = b"\xef\xbb\xbf\x00\xff,,,\\ud83d" + b"," * 200_000
    upload = await begin(api, len(data) + 1)
    assert (await send(api, upload, 0, data)).status_code == 200
    folder = api.kernel.running.paths.uploads
    assert (folder / upload / "data").read_bytes() == data
    assert (folder / upload / "data").stat().st_mode & 0o777 == 0o600


async def test_a_part_that_is_not_the_next_one_is_refused_and_says_which_is(api: Api) -> None:
    upload = await begin(api, 10)
    assert (await send(api, upload, 0, b"12345")).status_code == 200
    for offset in (0, 4, 6, 10):
        reply = await send(api, upload, offset, b"1")
        assert reply.status_code == 409
        assert reply.json()["received"] == 5
    assert (await send(api, upload, 5, b"67890")).status_code == 200
    # Complete: it ends there, even for the same part again.
    assert (await send(api, upload, 5, b"67890")).status_code == 409


@pytest.mark.parametrize(
    ("offset", "part", "status"),
    [
        (0, b"", 400),
        (0, b"12345678901", 400),
        (-1, b"1", 400),
        ("x", b"1", 400),
        (2**60, b"1", 400),
    ],
)
async def test_a_part_that_cannot_be_is_refused(
    api: Api, offset: int | str, part: bytes, status: int
) -> None:
    upload = await begin(api, 10)
    reply = await send(api, upload, offset, part)
    assert reply.status_code == status
    assert (await look(api, upload))["received"] == 0


async def test_a_part_of_more_than_eight_megabytes_is_refused(api: Api) -> None:
    upload = await begin(api, 10_000_000)
    assert (await send(api, upload, 0, b"1" * 8_388_609)).status_code == 413


async def test_of_parts_sent_at_once_one_is_taken(api: Api) -> None:
    upload = await begin(api, 1_000)
    replies = await asyncio.gather(*(send(api, upload, 0, b"%d" % n * 100) for n in range(8)))
    assert sorted(reply.status_code for reply in replies) == [200, *[409] * 7]
    assert (await look(api, upload))["received"] == 100


@pytest.mark.parametrize("size", [0, -1, 4_000_000_001, 10**30])
async def test_a_size_that_no_export_has_is_refused(api: Api, size: int) -> None:
    body = {"name": "x.zip", "size": size}
    reply = await api.client.post(UPLOADS, json=body, headers=api.owner)
    assert reply.status_code in {400, 413}
    assert reply.json()["hint"]


async def test_uploads_have_limited_room_together(api: Api) -> None:
    last = [await begin(api, 1) for _ in range(20)][-1]
    body = {"name": "x.zip", "size": 1}
    refused = await api.client.post(UPLOADS, json=body, headers=api.owner)
    assert refused.status_code == 413
    await api.client.delete(f"{UPLOADS}/{last}", headers=api.owner)
    await begin(api, 1)


async def test_an_upload_needs_free_space_on_the_disk(api: Api) -> None:
    api.kernel.get(Uploads).free_bytes = lambda _: 1_100_000_000
    await begin(api, 1_000)
    body = {"name": "x.zip", "size": 200_000_000}
    refused = await api.client.post(UPLOADS, json=body, headers=api.owner)
    assert refused.status_code == 503
    assert "1.1 GB free" in refused.json()["detail"]


async def test_a_deleted_upload_leaves_nothing(api: Api) -> None:
    upload = await begin(api, len(EXPORT))
    await send(api, upload, 0, EXPORT)
    assert (await api.client.delete(f"{UPLOADS}/{upload}", headers=api.owner)).status_code == 200
    await until(lambda: stored(api) == [], "the files are deleted")
    assert (await send(api, upload, 0, b"1")).status_code == 404
    assert (await api.client.get(f"{UPLOADS}/{upload}", headers=api.owner)).status_code == 404


@pytest.mark.parametrize("name", ["nothing", "%2e%2e%2f", "a%00b", "x" * 101])
async def test_a_name_that_is_no_upload_finds_nothing(api: Api, name: str) -> None:
    reply = await api.client.get(f"{UPLOADS}/{name}", headers=api.owner)
    assert reply.status_code in {400, 404}


async def test_what_is_no_export_says_so_and_is_not_kept(api: Api) -> None:
    upload = await begin(api, 5)
    await send(api, upload, 0, b"hello")
    found = await read_upload(api, upload)
    assert found["problem"].startswith("It's neither a zip archive nor JSON.")
    assert stored(api) == [upload, f"{upload}/upload.json"]


async def test_a_reader_that_fails_says_so_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError

    monkeypatch.setattr(ExportReader, "read", fail)
    upload = await begin(api, len(EXPORT))
    await send(api, upload, 0, EXPORT)
    assert (await read_upload(api, upload))["problem"] == "It can't be read: TypeError."
    assert stored(api) == [upload, f"{upload}/upload.json"]


async def test_an_upload_continues_after_a_restart(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        upload = await begin(api, len(EXPORT))
        await send(api, upload, 0, EXPORT[:100])
    async with running_api(tmp_path) as api:
        assert (await look(api, upload))["received"] == 100
        await send(api, upload, 100, EXPORT[100:])
        assert (await read_upload(api, upload))["source"]["sessions"] == 1
    async with running_api(tmp_path) as api:
        assert (await look(api, upload))["source"]["sessions"] == 1


async def test_a_reading_that_was_interrupted_begins_anew(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        upload = await begin(api, len(EXPORT))
        await api.kernel.get(Uploads).close()
        await send(api, upload, 0, EXPORT)
        await api.kernel.background.finish(60)
        assert (await look(api, upload))["source"] is None
    async with running_api(tmp_path) as api:
        await api.kernel.get(Uploads).tidy()
        assert (await read_upload(api, upload))["source"]["sessions"] == 1


async def test_a_file_that_was_read_before_a_crash_is_deleted_afterwards(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        upload = await begin(api, len(EXPORT))
        await send(api, upload, 0, EXPORT)
        await read_upload(api, upload)
        data = api.kernel.running.paths.uploads / upload / "data"
        data.write_bytes(EXPORT)
    async with running_api(tmp_path) as api:
        assert (await look(api, upload))["source"]["sessions"] == 1
        assert not data.exists()


async def test_uploads_are_deleted_after_a_week(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        upload = await begin(api, 10)
        record = api.kernel.running.paths.uploads / upload / "upload.json"
        said: Mapping[str, Any] = json.loads(record.read_text())
        record.write_text(json.dumps({**said, "created": "2020-01-01T00:00:00Z"}))
    async with running_api(tmp_path) as api:
        await api.kernel.get(Uploads).tidy()
        assert stored(api) == []


async def test_the_name_of_an_upload_holds_no_secret(api: Api) -> None:
    key = "AKI" + "AQ3EGRIWP7ZLD5TBC"
    upload = await begin(api, 10, f"{key}.zip")
    assert key not in (await look(api, upload))["name"]


async def test_a_page_sends_bytes_as_such(api: Api) -> None:
    upload = await begin(api, 10)
    page = await api.signed_in()
    for kind, status in (("application/octet-stream", 200), ("text/plain", 415)):
        reply = await api.client.put(
            f"{UPLOADS}/{upload}?offset=0", content=b"12", headers={**page, "content-type": kind}
        )
        assert reply.status_code == status


async def test_programs_without_the_token_may_not_upload(api: Api) -> None:
    reply = await api.client.post(UPLOADS, json={"name": "x.zip", "size": 1})
    assert reply.status_code in {401, 403}
