"""Commits over HTTP: lists, searches, details, forgetting, and what is read of a project."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.git import git, repository
from fakes.stored_commits import hash_of, keep_commit
from intaglio.code import place_rows
from intaglio.code.values import FoundState, NewPlace
from intaglio.commits import rows
from intaglio.sessions import rows as sessions
from intaglio.sessions.rows import Injection
from intaglio.sessions.values import CommitCandidate, SessionRef
from intaglio.store.tx import WriteTx

SHOP, BAKERY = "/work/shop", "/work/bakery"
UNKNOWN = "f" * 40


async def keep_some(api: Api) -> None:
    database = api.kernel.database
    await keep_commit(database, SHOP, "Retry the export", "The gateway drops calls.", day=3)
    await keep_commit(database, SHOP, "Use PostgreSQL", "MySQL lost rows.", day=9, files=("db.py",))
    await keep_commit(
        database, SHOP, "Revert the cache", day=5, kind="revert", reverts=hash_of("Add a cache")
    )
    await keep_commit(database, BAKERY, "Bake at dawn", "The gateway is closed then.", day=4)


async def listed(api: Api, **query: str | int) -> dict[str, Any]:
    reply = await api.client.get("/api/commits", params=query)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def subjects(found: dict[str, Any]) -> list[str]:
    return [row["subject"] for row in found["commits"]]


async def test_commits_are_listed_newest_first_page_by_page(api: Api) -> None:
    await keep_some(api)
    first = await listed(api, project=SHOP, limit=2)
    assert subjects(first) == ["Use PostgreSQL", "Revert the cache"]
    second = await listed(api, project=SHOP, limit=2, cursor=first["cursor"])
    assert (subjects(second), second["cursor"]) == (["Retry the export"], None)
    assert subjects(await listed(api)) == [
        "Use PostgreSQL",
        "Revert the cache",
        "Bake at dawn",
        "Retry the export",
    ]


async def test_commits_of_one_second_are_listed_as_they_were_read(api: Api) -> None:
    for name in "abcde":
        await keep_commit(api.kernel.database, SHOP, f"Commit {name}")
    found, page = list[str](), dict[str, Any](cursor="")
    for _ in range(3):
        query = {"cursor": page["cursor"]} if page["cursor"] else {}
        page = await listed(api, project=SHOP, limit=2, **query)
        found += subjects(page)
    assert (found, page["cursor"]) == ([f"Commit {name}" for name in "abcde"], None)


@pytest.mark.parametrize(
    ("query", "project", "expected"),
    [
        ("gateway", None, {"Retry the export", "Bake at dawn"}),
        ("gateway", SHOP, {"Retry the export"}),
        ("dropped gateway calls", None, {"Retry the export"}),
        ("gateway walnuts", SHOP, {"Retry the export"}),
        ("walnuts", SHOP, set[str]()),
        ("gateway", "/work/unread", set[str]()),
        (hash_of("Use PostgreSQL")[:9].upper(), None, {"Use PostgreSQL"}),
        ('"OR NOT ( gateway', SHOP, {"Retry the export"}),
        ("?!", None, set[str]()),
    ],
)
async def test_a_search_finds_by_words_or_by_the_first_digits(
    api: Api, query: str, project: str | None, expected: set[str]
) -> None:
    await keep_some(api)
    where = {} if project is None else {"project": project}
    found = await listed(api, q=query, **where)
    assert set(subjects(found)) == expected
    assert found["cursor"] is None


async def test_what_is_switched_off_is_not_listed_any_more(api: Api) -> None:
    await keep_some(api)
    await api.kernel.database.write(lambda tx: rows.set_enabled(tx, SHOP, enabled=False))
    asked = ("", hash_of("Use PostgreSQL")[:8], "gateway")
    of_project = [subjects(await listed(api, project=SHOP, q=text)) for text in asked]
    of_all = [subjects(await listed(api, q=text)) for text in asked]
    assert (of_project, of_all) == ([[], [], []], [["Bake at dawn"], [], ["Bake at dawn"]])


async def test_a_commit_is_shown_with_its_message_and_files(api: Api) -> None:
    await keep_some(api)
    path = f"/api/commits/{hash_of('Use PostgreSQL')}"
    reply = await api.client.get(path, params={"project": SHOP})
    assert reply.json() == {
        "project": SHOP,
        "hash": hash_of("Use PostgreSQL"),
        "committedAt": "2026-01-09T09:00:00.000Z",
        "kind": "commit",
        "reverts": None,
        "author": None,
        "subject": "Use PostgreSQL",
        "excerpt": "MySQL lost rows.",
        "body": "MySQL lost rows.",
        "files": ["db.py"],
    }
    # The same hash in another project is another commit.
    assert (await api.client.get(path, params={"project": BAKERY})).status_code == 404


async def test_a_forgotten_commit_is_gone_and_a_second_time_not_found(api: Api) -> None:
    await keep_some(api)
    path, query = f"/api/commits/{hash_of('Retry the export')}", {"project": SHOP}
    done = await api.client.delete(path, params=query, headers=api.owner)
    assert done.json() == {"project": SHOP, "hash": hash_of("Retry the export")}
    assert subjects(await listed(api, project=SHOP)) == ["Use PostgreSQL", "Revert the cache"]
    assert subjects(await listed(api, q="gateway", project=SHOP)) == []
    again = await api.client.delete(path, params=query, headers=api.owner)
    assert (again.status_code, bool(again.json()["hint"])) == (404, True)
    reading = await api.client.get("/api/projects/commits", params=query)
    assert (reading.json()["commits"], reading.json()["forgotten"]) == (2, 1)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", f"/api/commits/{UNKNOWN}?project={SHOP}"),
        ("POST", f"/api/commits/{UNKNOWN}/restore?project={SHOP}"),
        ("PUT", "/api/projects/commits"),
        ("POST", "/api/projects/commits/read"),
    ],
)
async def test_only_the_user_forgets_and_switches(api: Api, method: str, path: str) -> None:
    refused = await api.client.request(method, path, json={"project": SHOP, "enabled": False})
    assert refused.status_code in {401, 403}


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/commits?limit=0", 400),
        ("/api/commits?cursor=nonsense", 400),
        ("/api/commits?q=cache&cursor=2026-01-09T09:00:00.000Z~1", 400),
        (f"/api/commits/{UNKNOWN}", 400),
        (f"/api/commits/abc?project={SHOP}", 400),
        (f"/api/commits/{UNKNOWN}?project={SHOP}", 404),
        ("/api/projects/commits", 400),
        ("/api/projects/commits?project=%20", 400),
        ("/api/memories/unknown/commits", 404),
    ],
)
async def test_what_is_wrong_is_refused_with_a_title(api: Api, path: str, status: int) -> None:
    reply = await api.client.get(path)
    assert (reply.status_code, bool(reply.json()["title"])) == (status, True), reply.text


async def test_a_memory_lists_the_commits_that_speak_of_it(api: Api) -> None:
    await keep_some(api)
    about = await api.remember("The export retries because the gateway drops calls.", project=SHOP)
    other = await api.remember("Bread needs salt and flour every morning.", project=SHOP)
    everywhere = await api.remember("The gateway drops calls of the export.")

    async def commits_of(memory: str) -> dict[str, Any]:
        found: dict[str, Any] = (await api.client.get(f"/api/memories/{memory}/commits")).json()
        return found

    [row] = (await commits_of(about))["commits"]
    assert row["subject"] == "Retry the export"
    assert "gateway" in row["reason"]
    assert await commits_of(other) == {"commits": [], "places": []}
    # Without a project there is no repository.
    assert (await commits_of(everywhere))["commits"] == []


async def test_a_repository_is_read_switched_off_and_on_again(api: Api, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop")
    git(
        folder,
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "Retry the export\n\nThe gateway drops calls.",
    )
    project = str(folder)

    async def send(method: str, path: str, **body: object) -> dict[str, Any]:
        reply = await api.client.request(method, path, json=body or None, headers=api.owner)
        assert reply.status_code == 200, reply.text
        found: dict[str, Any] = reply.json()
        return found

    read = await send("POST", "/api/projects/commits/read", project=project)
    assert (read["commits"], read["enabled"], read["choice"], read["stopped"]) == (
        1,
        True,
        None,
        "",
    )
    [row] = (await listed(api, project=project))["commits"]
    assert (row["hash"], row["subject"]) == (read["head"], "Retry the export")
    # What was forgotten isn't read again, until that is undone.
    path = f"/api/commits/{row['hash']}?project={project}"
    await send("DELETE", path)
    read = await send("POST", "/api/projects/commits/read", project=project)
    assert (read["commits"], read["forgotten"]) == (0, 1)
    await send("POST", path.replace("?", "/restore?"))
    assert subjects(await listed(api, project=project)) == ["Retry the export"]
    again = await api.client.post(path.replace("?", "/restore?"), headers=api.owner)
    assert (again.status_code, bool(again.json()["hint"])) == (404, True)

    off = await send("PUT", "/api/projects/commits", project=project, enabled=False)
    assert (off["enabled"], off["choice"]) == (False, False)
    await send("POST", "/api/projects/commits/read", project=project)
    assert subjects(await listed(api, project=project)) == []
    await send("PUT", "/api/projects/commits", project=project, enabled=None)
    on = await send("POST", "/api/projects/commits/read", project=project)
    assert (on["enabled"], on["choice"], on["commits"]) == (True, None, 1)


async def test_a_folder_without_a_repository_says_why_nothing_is_read(
    api: Api, tmp_path: Path
) -> None:
    reply = await api.client.post(
        "/api/projects/commits/read", json={"project": str(tmp_path)}, headers=api.owner
    )
    assert (reply.json()["commits"], bool(reply.json()["stopped"])) == (0, True)


async def test_a_forgotten_commit_takes_the_texts_with_it_in_which_it_was_told(api: Api) -> None:
    database = api.kernel.database
    told = await keep_commit(database, SHOP, "Retry the export", "The gateway drops calls.")
    compared = CommitCandidate(
        project=SHOP, hash=told, at="2026-01-12T09:00:00.000Z", subject="Retry the export",
        score=0.9, floor=0.5, shown=True, reason="Its message shares the word export.", tokens=9,
    )  # fmt: skip
    ref = SessionRef(harness="claude-code", id="s1", project=SHOP)
    call = Injection(
        event="prompt", source=None, prompt_id=None, project=SHOP, terms=None,
        text="The gateway drops calls.", entries=(), elapsed_ms=1, at="2026-01-20T09:00:00.000Z",
        commits=(compared,),
    )  # fmt: skip
    await database.write(lambda tx: sessions.touch(tx, ref, SHOP, call.at))
    await database.write(lambda tx: sessions.record(tx, ref, call))

    async def injection() -> dict[str, Any]:
        page = await api.client.get("/api/sessions/1", headers=api.owner)
        [found] = page.json()["injections"]
        return dict(found)

    before = await injection()
    assert before["textState"] == "kept"
    assert [(each["hash"], each["shown"]) for each in before["commits"]] == [(told, True)]
    path = f"/api/commits/{told}?project={SHOP}"
    assert (await api.client.delete(path, headers=api.owner)).status_code == 200
    after = await injection()
    assert (after["text"], after["commits"]) == (None, [])


def place(path: str, symbol: str = "") -> NewPlace:
    return NewPlace(
        path=path, symbol=symbol, by_path=True, blob="", commit="", lines=b"", size=1, changed_ns=1
    )


async def test_what_became_of_a_memorys_places_is_shown_with_it_and_its_entity(api: Api) -> None:
    memory = await api.remember("PostgreSQL is opened by connect in src/db.py.", project=SHOP)
    other = await api.remember("PostgreSQL needs a port.", project=SHOP)
    database, at = api.kernel.database, "2026-01-20T09:00:00.000Z"
    given = [place("src/db.py"), place("src/db.py", "connect"), place("old.py")]
    states = (FoundState("gone"), FoundState("there"), FoundState("moved", "new.py"))

    def work(tx: WriteTx) -> None:
        place_rows.put(tx, memory, SHOP, given, at)
        for known, found in zip(place_rows.of_memories(tx, [memory]), states, strict=True):
            place_rows.set_state(tx, known, found, at)

    await database.write(work)
    shown = (await api.client.get(f"/api/memories/{memory}/commits")).json()["places"]
    assert [(each["path"], each["symbol"], each["nowPath"], each["mark"]) for each in shown] == [
        ("src/db.py", None, None, "file gone since"),
        ("src/db.py", "connect", None, ""),
        ("old.py", None, "new.py", "file renamed since"),
    ]
    entities = (await api.client.get("/api/knowledge/entities?q=PostgreSQL")).json()["items"]
    path = f"/api/knowledge/entities/{entities[0]['entity']['id']}"
    listed_memories = (await api.client.get(f"{path}/memories")).json()["items"]
    marks = {each["id"]: each["mark"] for each in listed_memories}
    assert marks == {memory: "file gone since", other: ""}
    facts = [
        fact
        for aspect in [
            "unclassified",
            *(
                each["aspect"]["id"]
                for each in (await api.client.get(f"{path}/aspects")).json()["items"]
            ),
        ]
        for fact in (await api.client.get(f"{path}/aspects/{aspect}/attributes")).json()["items"]
    ]
    assert {fact["memoryId"]: fact["mark"] for fact in facts} == marks
