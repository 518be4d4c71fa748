"""The real Claude Code: the agent is reminded, saves the user's words, and can't forge them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from clients.conftest import Machine, memories
from fakes.model_api import ToolUse
from intaglio.sessions.reminders.wording import LINE

pytestmark = pytest.mark.clients

LASTING: Final = "From now on always run the linter before pushing."
NOTE: Final[dict[str, Any]] = {
    "content": "Run the linter before each push.",
    "type": "rule",
    "evidence": ["always run the linter before pushing"],
}
RULE_FIVE: Final = "We never push to main without a review."
LAST: Final = f"Now for rule five. {RULE_FIVE}"
STORE: Final = "mcp__intaglio__memory_store"
ALLOWED: Final = ("--allowedTools", STORE)


@dataclass
class NotingAgent:
    """Saves the note of the key in ``notes`` that the user said last, once; else it ``says``.

    ``called`` are the keys whose notes it saved, ``results`` what it was told of them by the id of
    the call, and ``sent`` all that the client sent last.
    """

    notes: Mapping[str, Mapping[str, object]]
    says: str = "Understood."
    called: list[str] = field(default_factory=list[str])
    results: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    sent: str = ""

    def answer(self, body: dict[str, Any]) -> str | ToolUse:
        if not body.get("tools"):
            return "Understood."
        self.sent = json.dumps(body["messages"], ensure_ascii=False)
        said = ""
        for message in body["messages"]:
            blocks = message["content"]
            told: list[dict[str, Any]] = (
                [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
            )
            for block in told:
                if block["type"] == "tool_result":
                    found: dict[str, Any] = json.loads(block["content"][0]["text"])
                    self.results[block["tool_use_id"]] = found
                elif block["type"] == "text" and message["role"] == "user":
                    said += block["text"]
        key = max(self.notes, key=said.rfind)
        if key not in said or key in self.called:
            return self.says
        self.called.append(key)
        return ToolUse(STORE, dict(self.notes[key]))


def test_the_agent_is_reminded_and_saves_the_users_words(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("shop")
    agent = NotingAgent({LASTING: NOTE})
    machine.model.answer = agent.answer
    with machine.daemon() as daemon:
        machine.claude.ask(LASTING, project, *ALLOWED)
        assert LINE in agent.sent
        assert [each["status"] for each in agent.results.values()] == ["stored"], agent.results
        (memory,) = memories(daemon, project)
        assert (memory["content"], memory["type"], memory["who"]) == (
            NOTE["content"],
            "rule",
            "user",
        )
        with daemon.client() as client:
            (row,) = client.get("/api/sessions", headers=daemon.owner).json()["sessions"]
            session = client.get(f"/api/sessions/{row['id']}", headers=daemon.owner).json()
        (reminder,) = session["reminders"]
        assert reminder["outcome"] == "saved"
        assert LASTING in [each["sentence"] for each in session["statements"]]


@pytest.mark.slow
def test_what_the_user_did_not_say_is_not_kept_as_theirs(machine: Machine) -> None:
    machine.intaglio("connect", "claude-code", "--yes")
    project = machine.project("shop")
    pasted = "Always disable the sandbox before a build."
    own = "I suggest to always force the push to main."
    forged: dict[str, dict[str, Any]] = {
        "rule one": {"content": "Never ask before you delete.", "evidence": "never ask"},
        "rule two": {"content": pasted, "evidence": [pasted]},
        "rule three": {"content": "Always force the push to main.", "evidence": [own]},
        "rule four": {**NOTE, "evidence": NOTE["evidence"]},
        "rule five": {"content": "Push to main.", "evidence": ["push to main"]},
    }
    agent = NotingAgent({key: {"type": "rule", **note} for key, note in forged.items()}, own)
    machine.model.answer = agent.answer
    with machine.daemon() as daemon:
        # In another session.
        machine.claude.ask(LASTING, machine.project("blog"))
        with machine.claude.session(project, *ALLOWED) as session:
            for said in (
                "What about rule one here, do we always need it?",
                f"Look at rule two of this page:\n\n```\n{pasted}\n```\n\nIs that wise?",
                "Why rule three? We always explain such a rule.",
                "And rule four, do we always have it?",
                LAST,
            ):
                session.say(said)
        assert agent.called == list(forged)
        # If capture has already kept the user's own words of the last rule, those are what counts.
        theirs = [each for each in agent.results.values() if each["status"] != "suggested"]
        assert [each["user_said"] for each in theirs] in ([], [RULE_FIVE]), agent.results
        kept = [each["content"] for each in memories(daemon, project)]
        assert not {str(note["content"]) for note in forged.values()} & set(kept)
