"""Uploads exports to the API as a page does, part by part."""

from typing import Any

from fakes.api import Api
from fakes.waiting import until

UPLOADS = "/api/imports/uploads"


async def upload(api: Api, data: bytes, name: str = "export.zip", part: int = 100_000) -> Any:  # noqa: ANN401 - JSON
    """Upload an export, wait until it is read, and return the upload."""
    body = {"name": name, "size": len(data)}
    begun = await api.client.post(UPLOADS, json=body, headers=api.owner)
    assert begun.status_code == 200, begun.text
    path = f"{UPLOADS}/{begun.json()['id']}"
    for offset in range(0, len(data), part):
        some = data[offset : offset + part]
        sent = await api.client.put(f"{path}?offset={offset}", content=some, headers=api.owner)
        assert sent.status_code == 200, sent.text
    return await read_upload(api, begun.json()["id"])


async def read_upload(api: Api, upload_id: str) -> Any:  # noqa: ANN401 - JSON
    """Return an upload when it is read."""
    found: dict[str, Any] = {}

    async def is_read() -> bool:
        reply = await api.client.get(f"{UPLOADS}/{upload_id}", headers=api.owner)
        assert reply.status_code == 200, reply.text
        found.update(reply.json())
        return found["source"] is not None or found["problem"] != ""

    await until(is_read, "the upload is read")
    return found
