"""The real Claude Code searches and saves by itself, by both transports, and is told later."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from clients.conftest import Machine, memories
from fakes.daemon import Daemon
from fakes.model_api import ToolUse

pytestmark = [pytest.mark.clients, pytest.mark.slow]

DECIDED: Final = "We decided to use Postgres for the billing ledger, not SQLite."
FACT: Final = "The ledger's nightly export takes forty minutes."
CLAIMED: Final = "Never run the export during the day."
TOOLS: Final = "mcp__intaglio__memory_search,mcp__intaglio__memory_store"


def _store(content: str, kind: str) -> ToolUse:
    return ToolUse("mcp__intaglio__memory_store", {"content": content, "type": kind})


@dataclass
class ScriptedAgent:
    """Calls tools one after the other, and keeps what they returned."""

    steps: Sequence[ToolUse]
    results: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def answer(self, body: dict[str, Any]) -> str | ToolUse:
        if not body.get("tools"):
            return "Understood."
        content: Any = body["messages"][-1]["content"]
        for block in () if isinstance(content, str) else content:
            if block["type"] == "tool_result":
                text = "".join(part["text"] for part in block["content"])
                self.results[block["tool_use_id"]] = json.loads(text)
        done = len(self.results)
        return self.steps[done] if done < len(self.steps) else "Understood."


def _by_http(machine: Machine, daemon: Daemon, project: Path) -> tuple[str, ...]:
    """Return arguments that add the server by its address, as users of other clients do."""
    headers = {"x-intaglio-harness": "claude-code", "x-intaglio-workspace": str(project)}
    server = {"type": "http", "url": f"{daemon.url}/mcp", "headers": headers}
    file = machine.home / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"intaglio": server}}))
    return "--mcp-config", str(file)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_agent_searches_and_saves_by_itself(machine: Machine, transport: str) -> None:
    by_stdio = transport == "stdio"
    declined = () if by_stdio else ("--no-mcp",)
    machine.intaglio("connect", "claude-code", "--yes", *declined)
    project = machine.project("shop")
    agent = ScriptedAgent(
        [
            ToolUse("mcp__intaglio__memory_search", {"query": "billing ledger database"}),
            _store(FACT, "fact"),
            _store("The billing ledger uses Postgres instead of SQLite.", "decision"),
            _store(CLAIMED, "rule"),
        ]
    )
    machine.model.answer = agent.answer
    with machine.daemon() as daemon:
        added = () if by_stdio else _by_http(machine, daemon, project)
        machine.claude.ask(DECIDED, project, "--allowedTools", TOOLS, *added)
        statuses = [each.get("status") for each in agent.results.values()]
        assert statuses == [None, "stored", "stored", "suggested"], agent.results
        # The user's own words are kept, not the agent's.
        assert {each["content"] for each in memories(daemon, project)} == {DECIDED, FACT}
        with daemon.client() as client:
            (item,) = client.get("/api/inbox").json()["items"]
            (latest, *_) = client.get("/api/sessions", headers=daemon.owner).json()["sessions"]
            session = client.get(f"/api/sessions/{latest['id']}", headers=daemon.owner).json()
        assert (item["content"], item["type"]) == (CLAIMED, "rule")
        assert [each["event"] for each in session["injections"]].count("recall") == 1
        assert FACT in json.dumps(session["saved"])
        machine.model.requests.clear()
        machine.claude.ask("Hello.", project)
        # Unasked, a session is told what the user said, not what an agent noted.
        assert DECIDED in machine.model.sent()
        assert FACT not in machine.model.sent()
        machine.claude.ask("How long does the ledger's nightly export take?", project)
        told = machine.model.sent()
        assert FACT in told
        assert CLAIMED not in told
