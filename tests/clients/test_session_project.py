"""The real Claude Code's agent goes into another folder: its session stays in its project."""

import json
from typing import Any, Final

import pytest

from clients.conftest import Machine, wait_for_memories
from fakes.git import git, repository
from fakes.model_api import ToolUse

pytestmark = [pytest.mark.clients, pytest.mark.slow]

GO: Final = "Please look at the billing service."
MIGRATIONS: Final = "From now on we run all migrations with Flyway, never by hand."
FACT: Final = "The billing service answers on port 7070."


def enter_the_submodule(body: dict[str, Any]) -> str | ToolUse:
    """Go into the submodule when the user has asked, store a fact there, and nothing else."""
    messages = json.dumps(body["messages"])
    if not body.get("tools") or GO not in messages or MIGRATIONS in messages:
        return "Understood."
    match messages.count('"tool_result"'):
        case 0:
            command = "cd services/billing && pwd"
            return ToolUse("Bash", {"command": command, "description": "Go there"})
        case 1:
            return ToolUse("mcp__intaglio__memory_store", {"content": FACT, "type": "fact"})
        case _:
            return "Understood."


def test_statements_in_an_entered_submodule_belong_to_the_project(
    machine: Machine,
) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("platform")
    inner = repository(machine.home / "billing")
    git(project, "submodule", "add", "-q", str(inner), "services/billing")
    module = project / "services/billing"
    machine.model.answer = enter_the_submodule
    settings = json.loads(machine.claude.settings.read_text())
    settings["permissions"] = {"allow": ["Bash", "mcp__intaglio__memory_store"]}
    machine.claude.settings.write_text(json.dumps(settings))
    with machine.daemon() as daemon:
        machine.claude.talk(project, [GO, MIGRATIONS])
        wait_for_memories(daemon, project, FACT, MIGRATIONS)
        (transcript,) = (machine.home / ".claude/projects").rglob("*.jsonl")
        records = [json.loads(line) for line in transcript.read_text().splitlines()]
        said = [each for each in records if each["type"] == "user" and MIGRATIONS in str(each)]
        # The client itself follows its agent.
        assert {each["cwd"] for each in said} == {str(module.resolve())}
        # The next session of the project is told, one that the user starts in the module isn't.
        for folder, is_told in ((project, True), (module, False)):
            machine.model.requests.clear()
            machine.claude.ask("Hello.", folder)
            assert (MIGRATIONS in machine.model.sent()) is is_told
