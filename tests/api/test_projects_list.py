"""The list of projects and one project's page: counts, names, order, pages and identity."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.inbox import suggest, suggestion
from fakes.repository import make_repository


async def listed(api: Api, **query: str | int) -> dict[str, Any]:
    reply = await api.client.get("/api/projects", params=query)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def detail(api: Api, **query: str) -> dict[str, Any]:
    reply = await api.client.get("/api/projects/detail", params=query)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def remember_at(api: Api, project: str | None, day: int, **more: object) -> None:
    """Keep a memory that was created on a day of January."""
    await api.remember(
        f"{project} on day {day} {more}",
        project=project,
        createdAt=f"2026-01-{day:02}T08:00:00Z",
        **more,
    )


async def start_session(api: Api, project: str, key: str = "s1") -> None:
    body = {"harness": "claude-code", "project": project, "sessionKey": key}
    reply = await api.client.post("/api/hooks/session-start", json=body)
    reply.raise_for_status()
    await api.kernel.settled()


async def test_projects_have_counts_and_the_latest_active_is_first(api: Api) -> None:
    await remember_at(api, "/work/old", 1)
    await remember_at(api, "/work/new", 2)
    await remember_at(api, "/work/new", 3)
    await remember_at(api, None, 4)
    found = await listed(api)
    assert found["projects"] == [
        {
            "key": f"/work/{name}",
            "name": name,
            "memories": count,
            "sessions": 0,
            "lastActive": f"2026-01-0{day}T08:00:00.000Z",
            "open": 0,
            "isDirectory": True,
            "exists": False,
            "remote": None,
            "archived": False,
            "named": False,
        }
        for name, count, day in (("new", 2, 3), ("old", 1, 1))
    ]
    assert found["global"] == {"memories": 1, "lastActive": "2026-01-04T08:00:00.000Z"}


async def test_what_is_kept_in_another_project_does_not_put_it_first(api: Api) -> None:
    await start_session(api, "/work/bakery", "s1")
    await start_session(api, "/work/shop", "s2")
    context, offered = api.kernel.change_context, suggestion(project="/work/bakery")
    item = await api.kernel.database.write(lambda tx: suggest(tx, context, offered))
    body = {"action": "keep"}
    reply = await api.client.post(f"/api/inbox/{item}", json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found = (await listed(api))["projects"]
    assert [(row["name"], row["memories"]) for row in found] == [("shop", 0), ("bakery", 1)]


async def test_a_session_or_a_suggestion_alone_makes_a_project(api: Api) -> None:
    context = api.kernel.change_context
    await api.kernel.database.write(
        lambda tx: suggest(tx, context, suggestion(project="/work/shop"))
    )
    await start_session(api, "/work/bakery")
    rows = {row["key"]: row for row in (await listed(api))["projects"]}
    assert {key: (row["sessions"], row["open"]) for key, row in rows.items()} == {
        "/work/shop": (0, 1),
        "/work/bakery": (1, 0),
    }
    assert all(row["lastActive"] for row in rows.values())


async def test_memories_saved_under_the_name_count_for_the_directory(
    api: Api, tmp_path: Path
) -> None:
    await api.remember("Use Terraform", project="acme/fleet", type="rule")
    root = str(make_repository(tmp_path / "fleet-infra", "git@example.org:acme/fleet.git"))
    await start_session(api, root)
    (row,) = (await listed(api))["projects"]
    assert (row["key"], row["name"], row["memories"]) == (root, "fleet-infra", 1)
    assert await listed(api, q="acme/FL") == await listed(api)
    one = await detail(api, project=root)
    assert one["types"] == [{"value": "rule", "count": 1}]


async def test_equal_names_begin_with_the_parent_folder(api: Api) -> None:
    for project in ("/a/one/api", "/a/two/api", "/a/web"):
        await api.remember("Kept", project=project)
    names = {row["key"]: row["name"] for row in (await listed(api))["projects"]}
    assert names == {"/a/one/api": "one/api", "/a/two/api": "two/api", "/a/web": "web"}


async def test_pages_hold_every_project_once(api: Api) -> None:
    for number in range(7):
        await remember_at(api, f"/work/p{number}", 1 + number // 2)
    keys: list[str] = []
    cursor = None
    while cursor is not None or not keys:
        page = await listed(api, limit=3, **({"cursor": cursor} if cursor else {}))
        keys += [row["key"] for row in page["projects"]]
        cursor = page["cursor"]
    assert keys == [row["key"] for row in (await listed(api))["projects"]]
    assert len(set(keys)) == 7


async def test_a_part_of_a_name_finds_projects(api: Api) -> None:
    for project in ("/work/lantern", "/home/lamp", "bakery"):
        await api.remember("Kept", project=project)
    assert {row["name"] for row in (await listed(api, q="LA"))["projects"]} == {"lantern", "lamp"}
    assert [row["name"] for row in (await listed(api, q="/home"))["projects"]] == ["lamp"]
    assert (await listed(api, q="nothing"))["projects"] == []


async def test_a_repository_shows_its_identity(api: Api, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "fleet-infra", "git@example.org:acme/fleet.git")
    tree = tmp_path / "fleet-fix"
    own = root / ".git" / "worktrees" / "fleet-fix"
    for folder, file, text in (
        (own, "gitdir", f"{tree}/.git"),
        (own, "HEAD", "ref: refs/heads/fix"),
        (own, "commondir", "../.."),
        (tree, ".git", f"gitdir: {own}"),
        (root / ".git" / "worktrees" / "gone", "gitdir", f"{tmp_path}/gone/.git"),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    await api.remember("Deploy from main", project=str(tree))
    found = await detail(api, project=str(tree))
    assert (found["key"], found["path"], found["exists"]) == (str(root), str(root), True)
    assert found["remote"] == "example.org/acme/fleet"
    assert found["worktrees"] == [str(tree)]
    assert found["otherNames"] == ["acme/fleet", "fleet"]


async def test_a_project_tells_its_types_and_what_is_new(api: Api) -> None:
    await remember_at(api, "/work/shop", 1, type="rule")
    await remember_at(api, "/work/shop", 5, type="rule")
    await remember_at(api, "/work/shop", 9, type="fact")
    context = api.kernel.change_context
    await api.kernel.database.write(
        lambda tx: suggest(tx, context, suggestion(project="/work/shop"))
    )
    found = await detail(api, project="/work/shop", since="2026-01-05T08:00:00Z")
    assert found["types"] == [{"value": "rule", "count": 2}, {"value": "fact", "count": 1}]
    assert found["new"] == {"since": "2026-01-05T08:00:00.000Z", "memories": 2, "open": 1}
    found = await detail(api, project="/work/shop")
    assert found["new"] == {"since": None, "memories": 0, "open": 0}


async def test_global_memories_have_a_page(api: Api) -> None:
    await api.remember("Answer briefly", type="preference")
    await api.remember("Use pnpm", project="/work/shop")
    found = await detail(api, **{"global": "true"})
    assert (found["key"], found["memories"]) == ("", 1)
    assert found["types"] == [{"value": "preference", "count": 1}]


async def test_an_unknown_project_is_empty(api: Api) -> None:
    found = await detail(api, project="/work/nothing")
    assert (found["name"], found["memories"], found["lastActive"]) == ("nothing", 0, None)
    assert (found["exists"], found["types"]) == (False, [])


async def test_an_agent_counts_only_what_it_may_read(api: Api) -> None:
    await api.remember("Mine", project="/work/a", agentId="ann", visibility="private")
    assert (await listed(api))["projects"] == []
    assert len((await listed(api, agentId="ann"))["projects"]) == 1
    assert (await detail(api, project="/work/a"))["memories"] == 0


@pytest.mark.parametrize(
    "path",
    [
        "/api/projects?cursor=x",
        "/api/projects?cursor=yesterday~key",
        "/api/projects?limit=0",
        "/api/projects/detail",
        "/api/projects/detail?project=/x&global=true",
        "/api/projects/detail?project=/x&since=soon",
    ],
)
async def test_bad_input_is_refused_with_a_hint(api: Api, path: str) -> None:
    reply = await api.client.get(path)
    assert reply.status_code == 400, reply.text
    assert reply.json()["title"]
