"""What a search of an agent's tools says of memories whose code is gone."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.api import Api, running_api
from fakes.git import git, repository
from fakes.mcp import text_of, tool_call
from intaglio.code.upkeep import CodeUpkeep
from intaglio.mcp.server import McpServer
from intaglio.mcp.values import McpContext


@pytest.fixture
async def api(tmp_path: Path) -> AsyncGenerator[Api]:
    workspace = tmp_path / "agents"
    workspace.mkdir()
    # As long as it takes: a slow machine must not leave the mark out.
    (workspace / "agent.yaml").write_text("code:\n  checkMs: 10000\n")
    async with running_api(tmp_path) as running:
        yield running


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = repository(tmp_path / "shop")
    (made / "views.py").write_text("def show_admin(request):\n    return None\n")
    git(made, "add", "-A")
    git(made, "commit", "-q", "-m", "views")
    return made


async def test_a_search_says_what_became_of_the_code(api: Api, root: Path) -> None:
    await api.remember("views.py: show_admin is for staff only", project=str(root))
    await api.kernel.get(CodeUpkeep).follow(str(root), "")

    async def searched() -> list[object]:
        call = tool_call("memory_search", {"query": "who is show_admin for, only staff?"})
        context = McpContext(harness="opencode", workspace=str(root))
        reply = await api.kernel.get(McpServer).answer(json.dumps(call).encode(), context)
        found = json.loads(text_of(json.loads(reply.body)["result"]))
        return [each.get("code") for each in found["results"]]

    assert await searched() == [None]
    (root / "views.py").unlink()
    assert await searched() == ["file gone since: show_admin in views.py"]
