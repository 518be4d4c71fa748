"""Uploaded exports are previewed and imported like sessions of a harness."""

import json
from datetime import timedelta
from typing import Any, Final

import pytest

from fakes.api import Api
from fakes.exports import START_S, Said, chatgpt_conversation, claude_said, zipped
from fakes.uploads import UPLOADS, upload
from intaglio.history_import.runner import ImportRunner
from intaglio.history_import.service import HistoryImports

SURE: Final = "We decided to use Postgres for the billing worker from now on."
LATER: Final = "Never deploy the billing worker on Fridays."


def chatgpt(*said: str, at: float = START_S) -> bytes:
    lines: list[Said] = [("user", text) for text in said]
    made = [chatgpt_conversation("c1", lines, title="Billing", at=at)]
    return zipped({"conversations.json": made})


async def get(api: Api, path: str) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.get(path, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def run(api: Api, **given: object) -> Any:  # noqa: ANN401 - JSON
    reply = await api.client.post("/api/imports", json=given, headers=api.owner)
    assert reply.status_code == 200, reply.text
    record = await api.kernel.get(HistoryImports).running()
    assert record is not None
    await api.kernel.get(ImportRunner).run_one(record)
    return await get(api, f"/api/imports/{record.id}")


async def preview(api: Api, *sources: str) -> Any:  # noqa: ANN401 - JSON
    body = {"sources": sources}
    reply = await api.client.post("/api/imports/preview", json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def test_lines_of_an_export_wait_in_the_inbox(api: Api) -> None:
    source = (await upload(api, chatgpt(SURE)))["source"]
    done = await run(api, sources=[source["id"]])
    assert (done["state"], done["done"], done["kept"], done["suggested"]) == ("done", 1, 0, 1)
    [item] = (await get(api, "/api/inbox"))["items"]
    assert "Postgres" in item["content"]
    assert [
        each["id"] for each in (await get(api, f"/api/inbox?import={done['id']}"))["items"]
    ] == [item["id"]]
    assert (await get(api, "/api/inbox?import=unknown"))["items"] == []
    [session] = (await get(api, "/api/sessions"))["sessions"]
    assert session["harness"] == "chatgpt"
    assert session["start"].startswith("2026-01-01")


async def test_a_recent_conversation_is_stored_with_its_title(api: Api) -> None:
    yesterday = (api.kernel.clock() - timedelta(days=1)).timestamp()
    await upload(api, chatgpt(SURE, at=yesterday))
    await run(api)
    [session] = (await get(api, "/api/sessions"))["sessions"]
    assert session["title"] == "Billing"


async def test_lines_of_an_export_are_kept_in_a_project_that_is_chosen(api: Api) -> None:
    data = zipped({"conversations.json": [claude_said("c", [("user", SURE)])]})
    source = (await upload(api, data))["source"]
    done = await run(api, sources=[source["id"]], project="/work/billing")
    assert (done["kept"], done["suggested"]) == (1, 0)
    [memory] = (await get(api, "/api/memories"))["memories"]
    assert memory["project"] == "/work/billing"


async def test_an_upload_is_deleted_when_it_is_imported(api: Api) -> None:
    found = await upload(api, chatgpt(SURE))
    await run(api, sources=[found["source"]["id"]])
    gone = await api.client.get(f"{UPLOADS}/{found['id']}", headers=api.owner)
    assert gone.status_code == 404
    assert [*api.kernel.running.paths.uploads.iterdir()] == []


async def test_an_upload_with_nothing_new_is_deleted_by_an_import_of_all(api: Api) -> None:
    await upload(api, chatgpt(SURE))
    await run(api)
    same = await upload(api, chatgpt(SURE))
    done = await run(api)
    assert (done["state"], done["sessions"]) == ("done", 0)
    gone = await api.client.get(f"{UPLOADS}/{same['id']}", headers=api.owner)
    assert gone.status_code == 404


async def test_a_newer_export_continues_each_conversation(api: Api) -> None:
    first = (await upload(api, chatgpt(SURE)))["source"]
    await run(api, sources=[first["id"]])
    same = (await upload(api, chatgpt(SURE)))["source"]
    assert (same["sessions"], same["imported"]) == (0, 1)
    newer = (await upload(api, chatgpt(SURE, LATER)))["source"]
    assert (newer["sessions"], newer["imported"]) == (1, 0)
    done = await run(api, sources=[newer["id"]])
    assert (done["done"], done["suggested"]) == (1, 1)
    items = (await get(api, "/api/inbox"))["items"]
    assert len(items) == 2


async def test_a_broken_conversation_is_reported_and_the_others_are_imported(api: Api) -> None:
    whole = json.dumps(chatgpt_conversation("c", [("user", SURE)])).encode()
    data = b'[{"mapping": 3}, %s]' % whole
    source = (await upload(api, data, "chats.json"))["source"]
    done = await run(api, sources=[source["id"]])
    assert (done["done"], done["failed"], done["suggested"]) == (2, 1, 1)
    [problem] = done["problems"]
    assert "conversation 1" in problem["place"]
    assert "isn't valid" in problem["reason"]


async def test_a_preview_judges_and_saves_nothing(api: Api) -> None:
    data = zipped(
        {
            "conversations.json": [
                claude_said(f"c{n}", [("user", f"{SURE} Also for part {n}."), ("assistant", "OK.")])
                for n in range(3)
            ]
        }
    )
    source = (await upload(api, data))["source"]
    found = await preview(api, source["id"])
    assert (found["sessions"], found["sampled"], found["kept"]) == (3, 3, 0)
    assert found["suggested"] >= 1
    [*lines] = found["samples"]
    assert {line["outcome"] for line in lines} == {"suggested"}
    assert all(line["source"] == "Claude" and line["saidAt"] for line in lines)
    assert any("Postgres" in line["content"] for line in lines)
    for path, name in (("/api/memories", "memories"), ("/api/inbox", "items")):
        assert (await get(api, path))[name] == []
    assert (await get(api, "/api/sessions"))["sessions"] == []
    assert (await get(api, "/api/imports/sources"))["sources"][-1]["sessions"] == 3


async def test_a_preview_samples_forty_sessions_and_estimates_the_rest(api: Api) -> None:
    made = [chatgpt_conversation(f"c{n}", [("user", "Fix it.")]) for n in range(60)]
    made += [chatgpt_conversation("new", [("user", SURE)], at=1_770_000_000.0)]
    await upload(api, zipped({"conversations.json": made}))
    found = await preview(api)
    assert (found["sessions"], found["sampled"]) == (61, 40)
    assert 1 <= found["suggested"] <= 3


async def test_a_preview_counts_no_more_suggestions_of_a_session_than_an_import(api: Api) -> None:
    parts = ("mail queue", "audit log", "map view", "login page", "image upload")
    said = [f"We decided to use Postgres for the {part} from now on." for part in parts]
    await upload(api, chatgpt(*said))
    assert (await preview(api))["suggested"] == (await run(api))["suggested"] == 3


async def test_a_preview_of_a_source_that_there_is_not_says_so(api: Api) -> None:
    reply = await api.client.post(
        "/api/imports/preview", json={"sources": ["nothing"]}, headers=api.owner
    )
    assert reply.status_code == 404
    assert reply.json()["hint"]


@pytest.mark.parametrize("keep", ["review", "sure"])
async def test_nothing_of_an_export_is_kept_without_a_project(api: Api, keep: str) -> None:
    await upload(api, chatgpt(SURE))
    done = await run(api, keep=keep)
    assert (done["kept"], done["suggested"]) == (0, 1 if keep == "review" else 0)
