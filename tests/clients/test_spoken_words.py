"""The real Claude Code: what a user says in other ways than a prompt is kept or offered too."""

from typing import Any, Final

import pytest

from clients.conftest import Machine, memories, wait_for_memories
from fakes.daemon import Daemon
from fakes.model_api import ToolUse
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

QUESTION: Final = "Which database should the billing service use?"
ASKED: Final = {
    "questions": [
        {
            "question": QUESTION,
            "header": "Database",
            "options": [
                {"label": "Postgres", "description": "a server"},
                {"label": "SQLite", "description": "a file"},
            ],
            "multiSelect": False,
        }
    ]
}
REJECTED: Final = "never use npm here, always use pnpm"
_DOWN: Final = "\x1b[B"
HOSTED: Final = "We decided to host the docs on Cloudflare Pages."


def ask_once(body: dict[str, Any]) -> str | ToolUse:
    """Ask the user when they want something set up, and nothing else."""
    messages = str(body["messages"])
    if not body.get("tools") or "Set it up" not in messages or "tool_result" in messages:
        return "Understood."
    return ToolUse("AskUserQuestion", ASKED)


def run_once(body: dict[str, Any]) -> str | ToolUse:
    """Run a command when the user wants a release, and nothing else."""
    messages = str(body["messages"])
    if not body.get("tools") or "Release it" not in messages or "tool_result" in messages:
        return "Understood."
    return ToolUse("Bash", {"command": "npm run release", "description": "Release"})


def _suggested(daemon: Daemon) -> list[str]:
    with daemon.client() as client:
        found = client.get("/api/inbox", headers=daemon.owner).raise_for_status().json()
    return [item["content"] for item in found["items"]]


def test_an_answer_and_words_after_a_command_are_the_users(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes", "--no-mcp")
    project = machine.project("shop")
    command = project / ".claude" / "commands" / "discuss.md"
    command.parent.mkdir(parents=True)
    command.write_text("Discuss this with the user: $ARGUMENTS\nAlways be brief.\n")
    machine.model.answer = ask_once
    with machine.daemon() as daemon:
        machine.claude.ask(f"/discuss {HOSTED}", project)
        with machine.claude.terminal(project) as terminal:
            terminal.send("Set it up.")
            terminal.wait_for("Postgres")
            terminal.enter()
            terminal.wait_for("Understood.")

        def said() -> list[str]:
            kept = [memory["content"] for memory in memories(daemon, project)]
            return sorted(kept + _suggested(daemon))

        wanted = sorted([HOSTED, f"{QUESTION} \N{EN DASH} Postgres."])
        wait_for(lambda: said() == wanted, f"{wanted}")


def test_a_reason_for_rejecting_a_command_is_captured(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes", "--no-mcp")
    project = machine.project("shop")
    machine.model.answer = run_once
    manual = ("--permission-mode", "default")
    with machine.daemon() as daemon:
        with machine.claude.terminal(project, *manual, ready="for shortcuts") as terminal:
            terminal.send("Release it.")
            terminal.wait_for("Do you want to proceed")
            for key in (*[_DOWN] * 3, "\t", REJECTED):
                terminal.type(key)
            terminal.enter()
            terminal.wait_for("Understood.")
        wait_for_memories(daemon, project, REJECTED)
