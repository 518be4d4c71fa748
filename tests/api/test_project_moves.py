"""Projects whose folder has moved: what comes along, when, what is offered, and undoing."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.inbox import suggest, suggestion
from fakes.repository import make_repository
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import DroppedBefore
from intaglio.lifecycle.projects.moved_projects import MovedProjects

REMOTE = "git@github.com:acme/app.git"
RULE = "Deploy only from the release branch."


async def start(api: Api, folder: Path, session: str = "s1") -> dict[str, str]:
    """Start a session of Claude Code and return what it and the person are told."""
    body = {
        "session_id": session,
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    reply = await api.client.post("/api/hooks/native/claude-code", json=body)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()
    said = json.loads(reply.text or "{}")
    told = said.get("hookSpecificOutput", {}).get("additionalContext", "")
    return {"told": told, "notice": said.get("systemMessage", "")}


async def change(api: Api, status: int = 200, **body: object) -> dict[str, Any]:
    reply = await api.client.post("/api/projects/changes", json=body, headers=api.owner)
    assert reply.status_code == status, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def undo(api: Api, change_id: str | None = None, status: int = 200) -> dict[str, Any]:
    reply = await api.client.post(
        "/api/projects/changes/undo", json={"id": change_id}, headers=api.owner
    )
    assert reply.status_code == status, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def moves(api: Api) -> dict[str, Any]:
    reply = await api.client.get("/api/projects/moves", headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def contents(api: Api, project: Path, **query: str) -> list[str]:
    reply = await api.client.get("/api/memories", params={"project": str(project), **query})
    assert reply.status_code == 200, reply.text
    return sorted(each["content"] for each in reply.json()["memories"])


async def known(api: Api, folder: Path, remote: str = REMOTE, text: str = RULE) -> str:
    """Remember something in a new repository, and let the daemon read its folder."""
    make_repository(folder, remote)
    memory = await api.remember(text, project=str(folder), type="rule")
    await api.kernel.get(MovedProjects).refresh()
    return memory


def cloned(
    folder: Path, line: str = "0 1 Ann <ann@example.org> 1764000000 +0000\tclone: from example.org"
) -> None:
    log = folder / ".git" / "logs" / "HEAD"
    log.parent.mkdir(exist_ok=True)
    log.write_text(f"{line}\n", encoding="utf-8")


def carried(old: Path, new: Path) -> None:
    """Move a folder as between two disks: what is new there has other numbers."""
    shutil.copytree(old, new)
    (new.parent / "keeps-the-number-taken").mkdir()
    shutil.rmtree(old)


async def test_memories_follow_a_moved_repository_and_a_line_says_so(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "code" / "app", tmp_path / "work" / "app"
    memory = await known(api, old)
    new.parent.mkdir()
    old.rename(new)
    said = await start(api, new)
    assert RULE in said["told"]
    assert f"This project has moved from {old}: its 1 memory came along." in said["notice"]
    history = (await api.client.get(f"/api/memory/{memory}/history")).json()["history"]
    assert history[-1]["metadata"] == {"project": [str(old), str(new)]}
    assert (history[-1]["changedBy"], history[-1]["actorType"]) == ("Intaglio", "daemon")
    detected = (await moves(api))["detected"]
    assert [(each["project"], each["returned"]) for each in detected] == [(str(old), False)]


async def preview(api: Api, folder: Path) -> tuple[str, str | None]:
    """Return the text that the next session is told, and where the project has moved from."""
    reply = await api.client.post("/api/sessions/preview", json={"project": str(folder)})
    assert reply.status_code == 200, reply.text
    found = reply.json()
    assert found["project"] == str(folder)
    return found["start"]["text"], found["movedFrom"]


async def test_a_preview_foretells_a_move_and_makes_none(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "code" / "app", tmp_path / "work" / "app"
    await known(api, old)
    assert (await preview(api, old))[1] is None
    new.parent.mkdir()
    old.rename(new)
    told, moved_from = await preview(api, new)
    assert RULE in told
    assert moved_from == str(old)
    assert (await moves(api))["detected"] == []
    assert await contents(api, old) == [RULE]
    assert RULE in (await start(api, new))["told"]
    assert (await preview(api, new))[1] is None


async def test_a_preview_foretells_no_move_that_is_only_offered_or_waits_for_capture(
    api: Api, tmp_path: Path
) -> None:
    old, new, copy = tmp_path / "code", tmp_path / "work", tmp_path / "copy"
    await known(api, old)
    shutil.copytree(old, copy)
    old.rename(new)
    assert await preview(api, copy) == ("", None)
    await api.client.post("/api/capture/pause", json={}, headers=api.owner)
    assert await preview(api, new) == ("", None)


async def test_concurrent_sessions_in_a_moved_folder_move_it_once(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "code", tmp_path / "work"
    await known(api, old)
    old.rename(new)
    started = await asyncio.gather(*(start(api, new, f"s{number}") for number in range(3)))
    assert all(RULE in each["told"] for each in started)
    assert len((await moves(api))["detected"]) == 1


async def test_a_move_takes_everything_along_and_is_undone(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "a", tmp_path / "b"
    await known(api, old)
    context = api.kernel.change_context
    await api.kernel.database.write(lambda tx: suggest(tx, context, suggestion(project=str(old))))
    forgotten = await api.remember("The old way.", project=str(old))
    await api.client.delete(f"/api/memory/{forgotten}", params={"reason": "done"})
    await start(api, old, "before")
    old.rename(new)
    made = await change(api, kind="move", project=str(old), target=str(new))
    assert made["contents"] == {
        "memories": 1, "forgotten": 1, "sessions": 1, "open": 1, "entities": 1, "twins": 0,
    }  # fmt: skip
    later = await api.remember("Added at the new place.", project=str(new))
    listed = {
        each["key"]: each for each in (await api.client.get("/api/projects")).json()["projects"]
    }
    assert {
        key: (each["memories"], each["sessions"], each["open"]) for key, each in listed.items()
    } == {str(new): (2, 1, 1)}
    await undo(api)
    assert await contents(api, old) == [RULE]
    assert await contents(api, new) == ["Added at the new place."]
    listed = {
        each["key"]: each for each in (await api.client.get("/api/projects")).json()["projects"]
    }
    assert {
        key: (each["memories"], each["sessions"], each["open"]) for key, each in listed.items()
    } == {
        str(old): (1, 1, 1),
        str(new): (1, 0, 0),
    }
    assert later
    await undo(api, made["id"], 409)


async def test_a_clone_that_moved_between_disks_is_known_by_its_log(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "code" / "app", tmp_path / "app-renamed"
    make_repository(old)
    cloned(old)
    await api.remember(RULE, project=str(old), type="rule")
    await api.kernel.get(MovedProjects).refresh()
    carried(old, new)
    assert RULE in (await start(api, new))["told"]


async def test_a_first_commit_that_anybody_can_read_only_leads_to_an_offer(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "code" / "app", tmp_path / "app-renamed"
    make_repository(old)
    cloned(old, "0 1 Ann <ann@example.org> 1764000000 +0000\tcommit (initial): Begin")
    await api.remember(RULE, project=str(old), type="rule")
    await api.kernel.get(MovedProjects).refresh()
    carried(old, new)
    assert RULE not in (await start(api, new))["told"]
    assert [each["project"] for each in (await moves(api))["possible"]] == [str(old)]


@pytest.mark.parametrize("remote", [REMOTE, ""])
async def test_what_an_archive_can_contain_only_leads_to_an_offer(
    api: Api, tmp_path: Path, remote: str
) -> None:
    old, new = tmp_path / "code" / "app", tmp_path / "downloads" / "app"
    await known(api, old, remote)
    new.parent.mkdir()
    carried(old, new)
    said = await start(api, new)
    assert RULE not in said["told"]
    assert f"projects move {old} {new}" in said["notice"]
    (offer,) = (await moves(api))["possible"]
    assert (offer["project"], offer["target"], offer["memories"]) == (str(old), str(new), 1)
    await change(api, kind="keep_apart", project=str(old), target=str(new))
    assert (await moves(api))["possible"] == []
    assert (await start(api, new, "s2"))["notice"] == ""


async def test_nothing_moves_while_the_old_folder_exists(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "app", tmp_path / "copy" / "app"
    await known(api, old)
    cloned(old)
    await api.kernel.get(MovedProjects).refresh()
    shutil.copytree(old, new)
    assert await start(api, new) == {"told": "", "notice": ""}
    assert await contents(api, old) == [RULE]


async def test_a_copy_gets_nothing_while_the_disk_of_the_original_is_absent(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "disk" / "app", tmp_path / "copy" / "app"
    await known(api, old)
    cloned(old)
    await api.kernel.get(MovedProjects).refresh()
    shutil.copytree(old, new)
    (tmp_path / "disk").rename(tmp_path / "absent")
    assert RULE not in (await start(api, new))["told"]
    assert len((await moves(api))["possible"]) == 1


async def test_a_project_of_another_remote_is_not_offered_for_its_name(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "acme" / "app", tmp_path / "other" / "app"
    await known(api, old)
    shutil.rmtree(old)
    make_repository(new, "git@github.com:other/app.git")
    assert await start(api, new) == {"told": "", "notice": ""}
    assert (await moves(api))["possible"] == []


async def test_an_ambiguous_move_is_not_made(api: Api, tmp_path: Path) -> None:
    for name in ("one", "two"):
        await known(api, tmp_path / name, text=f"{RULE} {name}")
        shutil.rmtree(tmp_path / name)
    new = make_repository(tmp_path / "three", REMOTE)
    assert await start(api, new) == {"told": "", "notice": ""}
    assert len((await moves(api))["possible"]) == 2


async def test_a_detected_move_that_was_undone_is_not_made_again(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    await known(api, old)
    old.rename(new)
    await start(api, new)
    await undo(api)
    assert RULE not in (await start(api, new, "s2"))["told"]
    assert await contents(api, old) == [RULE]


async def test_a_change_is_undone_by_the_end_or_the_beginning_of_its_id_if_that_is_its_alone(
    api: Api, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    await known(api, one)
    first = await change(api, kind="rename", project=str(one), name="First")
    await change(api, kind="rename", project=str(one), name="Second")
    moved = await change(api, kind="move", project=str(one), target=str(two))
    refused = await undo(api, "0", 409)
    assert "ambiguous" in refused["detail"]
    assert (await undo(api, moved["id"][-8:]))["id"] == moved["id"]
    await undo(api, moved["id"][:-1], 409)
    for unknown in ("", "z" * 8):
        await undo(api, unknown, 404)
    refused = await undo(api, first["id"][-8:], 409)
    assert "ambiguous" not in refused["detail"]


async def test_a_folder_that_exists_again_is_reported_with_its_undo(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    await known(api, old)
    old.rename(new)
    await start(api, new)
    old.mkdir()
    assert [each["returned"] for each in (await moves(api))["detected"]] == [True]


async def test_while_capture_is_paused_nothing_moves(api: Api, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    await known(api, old)
    old.rename(new)
    await api.client.post("/api/capture/pause", json={}, headers=api.owner)
    assert RULE not in (await start(api, new))["told"]
    await api.client.post("/api/capture/resume", headers=api.owner)
    assert RULE in (await start(api, new, "s2"))["told"]


async def test_a_merge_keeps_one_of_equal_memories_and_its_undo_both(
    api: Api, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    await known(api, one)
    await known(api, two)
    await api.remember("Only in one.", project=str(one), pinned=True)
    await api.remember("Only in two.", project=str(two))
    await change(api, 409, kind="move", project=str(one), target=str(two))
    preview = await change(api, kind="merge", project=str(one), target=str(two), preview=True)
    assert (preview["id"], preview["contents"]["twins"]) == (None, 1)
    made = await change(api, kind="merge", project=str(one), target=str(two))
    assert await contents(api, two) == [RULE, "Only in one.", "Only in two."]
    await undo(api, made["id"])
    assert await contents(api, one) == [RULE, "Only in one."]
    assert await contents(api, two) == [RULE, "Only in two."]


async def test_a_pinned_memory_stays_pinned_when_its_project_is_merged(
    api: Api, tmp_path: Path
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    await api.remember("Equal in both.", project=str(one), pinned=True)
    await api.remember("Equal in both.", project=str(two))
    await change(api, kind="merge", project=str(one), target=str(two))
    assert await contents(api, two, pinned="true") == ["Equal in both."]
    await undo(api)
    assert await contents(api, one, pinned="true") == ["Equal in both."]
    assert await contents(api, two, pinned="true") == []


async def test_what_was_erased_before_a_move_is_not_captured_after_it(
    api: Api, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    memory = await known(api, old)
    await api.remember("Something else.", project=str(old))
    reply = await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "private", "force": "true"}, headers=api.owner
    )
    assert reply.status_code == 200, reply.text
    old.rename(new)
    await change(api, kind="move", project=str(old), target=str(new))
    context = api.kernel.change_context
    said = suggestion(RULE, project=str(new))
    outcome = await api.kernel.database.write(lambda tx: inbox.suggest(tx, said, context))
    assert isinstance(outcome, DroppedBefore)


async def test_an_archived_project_is_hidden_until_a_session_starts_there(
    api: Api, tmp_path: Path
) -> None:
    folder = tmp_path / "app"
    await known(api, folder)
    await change(api, kind="archive", project="app")
    assert (await api.client.get("/api/projects")).json()["projects"] == []
    hidden = (await api.client.get("/api/projects", params={"archived": True})).json()["projects"]
    assert [each["key"] for each in hidden] == [str(folder)]
    assert (await api.client.get("/api/memories")).json()["memories"] == []
    counted = (await api.client.get("/api/memories/facets")).json()
    assert counted["total"] == 0
    assert await contents(api, folder) == [RULE]
    assert await api.recall("deploy release branch") == []
    said = await start(api, folder)
    assert RULE in said["told"]
    assert said["notice"].endswith("app is no longer archived")
    assert len((await api.client.get("/api/projects")).json()["projects"]) == 1


async def test_a_renamed_project_is_shown_and_found_by_its_name(api: Api, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    await known(api, folder)
    await change(api, kind="rename", project=str(folder), name=" Acme  app ")
    (row,) = (await api.client.get("/api/projects", params={"q": "acme"})).json()["projects"]
    assert (row["name"], row["named"], row["key"]) == ("Acme app", True, str(folder))
    assert (await change(api, kind="archive", project="Acme app"))["project"] == str(folder)
    await undo(api)
    await undo(api)
    (row,) = (await api.client.get("/api/projects")).json()["projects"]
    assert (row["name"], row["named"]) == ("app", False)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"kind": "move", "project": "{app}", "target": "{app}"}, 400, "same project"),
        ({"kind": "move", "project": "{app}", "target": "a name"}, 400, "no path"),
        ({"kind": "move", "project": "{app}"}, 400, "needs a target"),
        ({"kind": "move", "project": "{gone}", "target": "{app}"}, 404, "no project"),
        ({"kind": "merge", "project": "{app}", "target": "{gone}"}, 404, "no project"),
        ({"kind": "archive", "project": "{app}", "target": "x"}, 400, "takes no target"),
        ({"kind": "rename", "project": "{app}", "name": "x" * 300}, 400, "at most 200"),
        ({"kind": "destroy", "project": "{app}"}, 400, ""),
        ({"kind": "archive", "project": "  "}, 404, "no project"),
        ({"kind": "archive", "project": "a\x00b"}, 404, "no project"),
    ],
)
async def test_invalid_changes_of_projects_are_refused_with_a_hint(
    api: Api, tmp_path: Path, body: dict[str, str], status: int, words: str
) -> None:
    places = {"app": tmp_path / "app", "gone": tmp_path / "gone"}
    await api.remember(RULE, project=str(places["app"]))
    given = {name: text.format(**places) for name, text in body.items()}
    refused = await change(api, status, **given)
    assert words in refused["detail"]
    assert refused["title"]
    assert refused["hint"]


@pytest.mark.parametrize("kind", ["agent", "harness", "pipeline"])
async def test_an_agent_may_not_change_whole_projects(api: Api, kind: str) -> None:
    await api.remember(RULE, project="shop")
    reply = await api.client.post(
        "/api/projects/changes",
        json={"kind": "archive", "project": "shop"},
        headers=api.owner | {"x-signet-actor-type": kind},
    )
    assert reply.status_code == 403
