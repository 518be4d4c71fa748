"""What became of the code that memories name, over HTTP and in `intaglio doctor --project`."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.api import Api
from fakes.git import git, repository
from intaglio.cli.health.places import place_lines
from intaglio.code.upkeep import CodeUpkeep
from intaglio.wire.places import ProjectPlaces

VIEWS = "def show_admin(request):\n    return None\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = repository(tmp_path / "shop")
    (made / "views.py").write_text(VIEWS)
    git(made, "add", "-A")
    git(made, "commit", "-q", "-m", "views")
    return made


async def places(api: Api, root: Path, **query: str) -> dict[str, Any]:
    reply = await api.client.get("/api/projects/places", params={"project": str(root)} | query)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def lines(found: dict[str, Any]) -> list[str]:
    return list(place_lines(msgspec.convert(found, ProjectPlaces)))


async def test_memories_whose_code_is_gone_are_listed(api: Api, root: Path) -> None:
    unread = await places(api, root)
    assert (unread["readAt"], unread["checked"], unread["memories"]) == (None, 0, [])
    assert "not read yet" in lines(unread)[0]
    memory = await api.remember("views.py: show_admin is for staff only", project=str(root))
    await api.kernel.get(CodeUpkeep).follow(str(root), "")
    whole = await places(api, root)
    assert (whole["checked"], whole["memories"]) == (1, [])
    assert "memories that name code: 1; none is out of date" in lines(whole)[0]
    (root / "views.py").unlink()
    assert (await places(api, root))["memories"] == []
    (stale,) = (await places(api, root, check="true"))["memories"]
    assert (stale["id"], stale["mark"]) == (memory, "file gone since")
    (place,) = stale["places"]
    assert (place["path"], place["symbol"], place["mark"]) == (
        "views.py",
        "show_admin",
        "file gone since",
    )
    told = lines(await places(api, root))
    assert "gone, renamed or changed for 1 of 1 memories" in told[0]
    assert told[1:3] == [
        "      file gone since: show_admin in views.py",
        "        views.py: show_admin is for staff only",
    ]


async def test_a_memory_lists_the_places_that_it_names(api: Api, root: Path) -> None:
    memory = await api.remember("views.py: show_admin is for staff only", project=str(root))
    await api.kernel.get(CodeUpkeep).follow(str(root), "")
    (place,) = (await api.client.get(f"/api/memories/{memory}/commits")).json()["places"]
    assert (place["path"], place["symbol"], place["mark"]) == ("views.py", "show_admin", "")


async def test_a_private_memory_of_another_agent_is_not_counted(api: Api, root: Path) -> None:
    await api.remember(
        "views.py: show_admin is for staff only",
        project=str(root),
        visibility="private",
        agentId="other",
    )
    await api.kernel.get(CodeUpkeep).follow(str(root), "")
    assert (await places(api, root))["checked"] == 0


async def test_a_moved_project_takes_the_places_along(api: Api, root: Path) -> None:
    memory = await api.remember("views.py: show_admin is for staff only", project=str(root))
    await api.kernel.get(CodeUpkeep).follow(str(root), "")
    target = root.with_name("store")
    shutil.move(root, target)
    moved = {"kind": "move", "project": str(root), "target": str(target)}
    reply = await api.client.post("/api/projects/changes", json=moved, headers=api.owner)
    assert reply.status_code == 200, reply.text
    await api.kernel.get(CodeUpkeep).follow(str(target), "")
    (target / "views.py").unlink()
    (stale,) = (await places(api, target, check="true"))["memories"]
    assert stale["id"] == memory
