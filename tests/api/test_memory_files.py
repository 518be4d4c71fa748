"""Memory files in the daemon: read, told as an answer, and not to the agent that keeps them."""

import os
from pathlib import Path

import pytest

from fakes.api import Api
from fakes.git import repository
from intaglio.harness.claude_code.own_files import memory_folder
from intaglio.memory_files.service import MemoryFiles

LINE = "The staging database is reset every night at three."
QUESTION = "When is the staging database reset at night?"


def write(file: Path, text: str) -> None:
    """Write a file that nobody has touched for an hour."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    at = file.stat().st_mtime - 3_600
    os.utime(file, (at, at))


async def asked(api: Api, harness: str, directory: Path) -> str:
    """Ask in a new session of a harness; return what is told with the prompt."""
    body = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": f"s-{harness}-{directory.name}",
        "cwd": str(directory),
        "prompt": QUESTION,
    }
    reply = await api.client.post(f"/api/hooks/native/{harness}", json=body)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()
    return reply.text


async def test_what_the_workspaces_files_say_is_told_as_an_answer(api: Api, tmp_path: Path) -> None:
    file = api.kernel.running.paths.memory / "staging.md"
    write(file, f"# Staging\n\n- {LINE}\n")
    files = api.kernel.get(MemoryFiles)
    assert (await files.read()).added == 1
    assert (await files.counts()) == {str(file): 1}
    (found,) = await api.recall(QUESTION)
    assert (found["content"], found["who"]) == (LINE, "file")
    assert "read in a file" in await asked(api, "codex", tmp_path)


async def test_claude_codes_memory_is_for_other_agents_in_its_project(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    shop, blog = repository(tmp_path / "shop"), repository(tmp_path / "blog")
    write(memory_folder(tmp_path / "home", {}, str(shop)) / "staging.md", f"- {LINE}\n")
    files = api.kernel.get(MemoryFiles)
    # Before a session, nobody knows which project the folder is about.
    assert (await files.read()).added == 0
    assert LINE not in await asked(api, "claude-code", shop)
    assert (await files.read()).added == 1
    assert LINE not in await asked(api, "claude-code", shop)
    assert LINE in await asked(api, "codex", shop)
    assert LINE not in await asked(api, "codex", blog)
