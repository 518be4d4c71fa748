"""Backups over HTTP."""

from fakes.api import Api


async def test_the_copies_are_listed_newest_first(api: Api) -> None:
    first = await api.kernel.database.back_up(3)
    second = await api.kernel.database.back_up(3)
    body = (await api.client.get("/api/backups")).json()
    assert [row["name"] for row in body["backups"]] == [second.file.name, first.file.name]


async def test_a_restore_brings_back_the_backup(api: Api) -> None:
    await api.remember("Before the copy")
    copy = await api.kernel.database.back_up(3)
    await api.remember("After the copy")
    reply = await api.client.post(
        "/api/backups/restore", json={"name": copy.file.name}, headers=api.owner
    )
    assert reply.json()["restored"] == copy.file.name
    rows = (await api.client.get("/api/memories")).json()["memories"]
    assert [row["content"] for row in rows] == ["Before the copy"]


async def test_a_restore_needs_the_owner_or_a_signed_in_browser(api: Api) -> None:
    await api.kernel.database.back_up(3)
    assert (await api.client.post("/api/backups/restore", json={})).status_code == 401


async def test_without_a_copy_nothing_is_restored(api: Api) -> None:
    await api.remember("Still there")
    reply = await api.client.post("/api/backups/restore", json={}, headers=api.owner)
    assert (reply.status_code, reply.json()["error"]) == (409, "There is no backup.")
    assert await api.recall("still there")


async def test_a_restore_reads_no_file_outside_the_folder(api: Api) -> None:
    await api.kernel.database.back_up(3)
    reply = await api.client.post(
        "/api/backups/restore", json={"name": "../intaglio.db"}, headers=api.owner
    )
    assert reply.status_code == 409


async def test_a_backup_is_made_and_tested_on_request(api: Api) -> None:
    await api.remember("Worth keeping")
    made = (await api.client.post("/api/backups", headers=api.owner)).json()
    reply = await api.client.post("/api/backups/test", json={}, headers=api.owner)
    tested = reply.json()
    assert (tested["name"], tested["passed"], tested["memories"]) == (made["name"], True, 1)
    assert tested["text"].endswith("is intact: 1 memory.")


async def test_making_and_testing_backups_need_the_owner_or_a_signed_in_browser(api: Api) -> None:
    assert (await api.client.post("/api/backups")).status_code == 401
    assert (await api.client.post("/api/backups/test", json={})).status_code == 401


async def test_a_backup_that_is_not_there_cannot_be_tested(api: Api) -> None:
    for body in ({}, {"name": "../intaglio.db"}):
        reply = await api.client.post("/api/backups/test", json=body, headers=api.owner)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


async def test_health_says_how_the_backups_are(api: Api) -> None:
    await api.remember("Worth keeping")
    report = (await api.client.get("/api/health", headers=api.owner)).json()
    assert (report["backups"]["count"], report["backups"]["testResult"]) == (0, "never")
    made = (await api.client.post("/api/backups", headers=api.owner)).json()
    await api.client.post("/api/backups/test", json={}, headers=api.owner)
    backups = (await api.client.get("/api/health", headers=api.owner)).json()["backups"]
    assert (backups["newest"], backups["newestBytes"]) == (made["name"], made["bytes"])
    assert backups["testResult"] == "passed"
