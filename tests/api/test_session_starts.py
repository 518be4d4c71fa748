"""What a session's start is told through the hook endpoint, in real directories."""

from pathlib import Path

from fakes.api import Api
from fakes.git import git, repository

HOOK = "/api/hooks/native/claude-code"


async def started(api: Api, directory: Path, session: str = "s1", agent: str = "") -> str:
    """Start a session in a directory and return the text for the model."""
    body = {
        "hook_event_name": "SessionStart",
        "source": "startup",
        "session_id": session,
        "cwd": str(directory),
    }
    headers = {"x-signet-agent-id": agent} if agent else {}
    reply = await api.client.post(HOOK, json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()
    if not reply.content:
        return ""
    return str(reply.json()["hookSpecificOutput"]["additionalContext"])


async def previewed(api: Api, project: Path, agent: str = "default") -> str:
    """Return the text of a start's preview."""
    body = {"project": str(project), "agentId": agent}
    reply = await api.client.post("/api/sessions/preview", json=body)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["start"]["text"])


async def test_a_worktrees_own_instruction_files_decide_what_it_is_told(
    api: Api, tmp_path: Path
) -> None:
    root, tree = repository(tmp_path / "shop"), tmp_path / "trees/feature"
    git(root, "worktree", "add", "-q", str(tree))
    (root / "CLAUDE.md").write_text("- Use tabs.\n")
    (tree / "CLAUDE.md").write_text("- Commit in German.\n")
    (tree / "src").mkdir()
    for rule in ("Use tabs", "Commit in German"):
        await api.remember(rule, type="rule", project=str(root))
    for number, directory in enumerate((tree, tree / "src")):
        told = await started(api, directory, f"in-tree-{number}")
        assert "Use tabs" in told
        assert "Commit in German" not in told
    told = await started(api, root, "in-root")
    assert "Use tabs" not in told
    assert "Commit in German" in told
    assert await previewed(api, root) == told


async def test_each_agents_preview_is_what_the_hook_then_returns(api: Api, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("- Use tabs.\n")
    for agent in ("ann", "beta"):
        for content in (f"Only {agent} knows the lantern.", "Use tabs", f"Call {agent} at noon"):
            await api.remember(
                content,
                type="rule",
                project=str(tmp_path),
                agentId=agent,
                visibility="private",
            )
    previews = {agent: await previewed(api, tmp_path, agent) for agent in ("ann", "beta")}
    for agent, other in (("ann", "beta"), ("beta", "ann")):
        text = previews[agent]
        assert f"Only {agent} knows" in text
        assert f"Call {agent}" in text
        assert other not in text
        assert "Use tabs" not in text
        assert await started(api, tmp_path, f"of-{agent}", agent) == text
