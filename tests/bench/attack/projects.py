"""Folders that pass for another project, and agents and clients that stand in none of their own."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.attack.arena import Arena
from bench.attack.probe import Outcome, Probe, judge
from fakes.daemon import Daemon
from fakes.forged_projects import FORGERIES
from fakes.git import git, repository
from fakes.mcp import tool_call

_KEPT = "The harbour cranes are painted in vermilion."
_QUESTION = "In which colour are the harbour cranes painted?"
_OWN = "The kettle of this folder whistles at noon."


def _hook(daemon: Daemon, event: str, session: str, cwd: Path | str) -> str:
    """Report an event of Claude Code, and return what the agent is told."""
    body = {"hook_event_name": event, "session_id": session, "cwd": str(cwd), "prompt": _QUESTION}
    token = {"authorization": f"Bearer {daemon.identity['hook_token']}"}
    with daemon.client(headers=token) as client:
        reply = client.post("/api/hooks/native/claude-code", json=body)
    return reply.raise_for_status().text


def _tool(daemon: Daemon, name: str, arguments: dict[str, Any], **context: Any) -> str:  # noqa: ANN401 - a query
    with daemon.client() as client:
        reply = client.post("/mcp", params=context, json=tool_call(name, arguments))
    return reply.raise_for_status().text


def _told(daemon: Daemon, session: str, folder: Path | str) -> Iterable[str]:
    """Return what an agent in a folder is told by each way."""
    yield _hook(daemon, "SessionStart", session, folder)
    yield _hook(daemon, "UserPromptSubmit", f"{session} again", folder)
    for where in ({"workspace": str(folder)}, {"project_dir": str(folder)}, {"root": str(folder)}):
        yield _tool(daemon, "memory_search", {"query": _QUESTION}, process=1, **where)
        yield _tool(daemon, "memory_list", {}, process=1, **where)


def _remember(daemon: Daemon, project: Path) -> None:
    with daemon.client() as client:
        body = {"content": _KEPT, "project": str(project), "type": "fact", "pinned": True}
        client.post("/api/memory/remember", json=body).raise_for_status()


def _memories(daemon: Daemon) -> list[dict[str, Any]]:
    with daemon.client() as client:
        found: list[dict[str, Any]] = client.get("/api/memories").json()["memories"]
    return found


def _victim(arena: Arena) -> Path:
    """Make a repository with a worktree, whose memory its own sessions are told."""
    root = repository(arena.home.resolve() / "client")
    git(root, "worktree", "add", "-q", str(root.parent / "real"))
    _remember(arena.shared(), root)
    for folder in (root, root.parent / "real"):
        if not all(_KEPT in text for text in _told(arena.shared(), f"in {folder}", folder)):
            raise AssertionError(f"the project's own folder isn't told: {folder.name}")
    return root


def forged(arena: Arena) -> Outcome:
    """Claim to belong to a repository, ask in its name, and write."""
    daemon, victim = arena.shared(), _victim(arena)
    broken: list[str] = []
    for number, (name, forge) in enumerate(FORGERIES.items()):
        fake = victim.parent / f"fake{number}"
        fake.mkdir()
        forge(fake, victim)
        if any(_KEPT in text for text in _told(daemon, f"forged {number}", fake)):
            broken.append(f"{name}: told")
        content = f"{_OWN[:-1]} ({number})."
        _tool(daemon, "memory_store", {"content": content}, workspace=str(fake), process=1)
        (row,) = [each for each in _memories(daemon) if each["content"] == content]
        if not Path(row["project"]).is_relative_to(fake):
            broken.append(f"{name}: written")
    return judge(broken, 2 * len(FORGERIES), "neither told nor written")


def entered(arena: Arena) -> Outcome:
    """Let an agent go into another project's folder, and go on asking."""
    daemon, victim = arena.shared(), _victim(arena)
    own = repository(victim.parent / "own")
    events = [("UserPromptSubmit", folder) for folder in (victim, victim / "src", own)]
    _hook(daemon, "SessionStart", "wanderer", own)
    broken = [
        f"{event} in {folder.name}"
        for event, folder in events
        if _KEPT in _hook(daemon, event, "wanderer", folder)
    ]
    return judge(broken, len(events), "told of the session's own project only")


def homeless(arena: Arena) -> Outcome:
    """Start MCP clients in no project, beside sessions of several."""
    daemon = arena.shared()
    _victim(arena)
    home = daemon.env["HOME"]
    broken: list[str] = []
    places: list[dict[str, Any]] = [
        {"workspace": folder, **more}
        for folder in ("/", home, f"{home}/", f"{home}/../{Path(home).name}")
        for more in ({}, {"root": "file:///"}, {"root": f"file://{home}"}, {"process": os.getpid()})
    ]
    for number, where in enumerate(places):
        said = {"process": 1, **where}
        if _KEPT in _tool(daemon, "memory_search", {"query": _QUESTION}, **said):
            broken.append(f"told in {where['workspace']}")
        content = f"{_OWN[:-1]} (homeless {number})."
        _tool(daemon, "memory_store", {"content": content}, **said)
        if any(content in json.dumps(row) for row in _memories(daemon)):
            broken.append(f"kept in {where['workspace']}")
    return judge(broken, 2 * len(places), "nothing told; what it stores waits in the inbox")


PROBES: tuple[Probe, ...] = (
    Probe("projects", "a folder whose .git claims another repository, in 18 ways", forged),
    Probe("projects", "an agent that enters another project's folder", entered),
    Probe("projects", "an MCP client that is started in / or the home directory", homeless),
)
