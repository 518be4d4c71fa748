"""From a prompt that may hold something lasting to a memory of the user, through the daemon."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.daemon import Daemon
from fakes.mcp import ENDPOINT, PROJECT, checked_reply, message, text_of, tool_call
from intaglio.connect.hook_files import program_file
from intaglio.sessions.reminders.wording import LINE

LASTING: Final = "From now on always run the linter before pushing."
OTHER: Final = "We decided to keep the receipts in the attic."
PASSING: Final = "What does the parser do with empty lines?"
NOTE: Final = {
    "content": "Run the linter before each push.",
    "type": "rule",
    "evidence": "always run the linter before pushing",
}
WHERE: Final[dict[str, str | int]] = {
    "workspace": PROJECT,
    "harness": "claude-code",
    "process": os.getpid(),
}


class Session:
    """A Claude Code session of this process, with a transcript."""

    def __init__(self, daemon: Daemon, name: str) -> None:
        self.daemon, self.name = daemon, name
        home = Path(daemon.env["HOME"])
        self.file = home / ".claude" / "projects" / "-work-shop" / f"{name}.jsonl"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.said = 0

    def hook(self, event: str, prompt: str = "") -> str:
        payload = {
            "hook_event_name": event,
            "session_id": self.name,
            "cwd": PROJECT,
            "transcript_path": str(self.file),
            "prompt": prompt,
        }
        program = program_file(self.daemon.paths.hooks, "claude-code")
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(program), "--reply"],
            input=json.dumps(payload).encode(),
            check=True,
            capture_output=True,
        )
        if not done.stdout.strip():
            return ""
        told: str = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
        return told

    def ask(self, prompt: str, *, is_written: bool = True) -> str:
        told = self.hook("UserPromptSubmit", prompt)
        if is_written:
            self.write("user", prompt)
        return told

    def write(self, role: str, text: str) -> None:
        record = {
            "type": role,
            "uuid": f"{self.name}-{self.said}",
            "sessionId": self.name,
            "timestamp": "2026-01-31T08:00:00.000Z",
            "cwd": PROJECT,
            "message": {"role": role, "content": text},
        }
        self.said += 1
        with self.file.open("a") as stream:
            stream.write(json.dumps(record) + "\n")

    def call(self, **arguments: object) -> dict[str, Any]:
        with self.daemon.client() as http:
            reply = http.post(ENDPOINT, params=WHERE, json=tool_call("memory_store", arguments))
        found: dict[str, Any] = json.loads(text_of(checked_reply(reply, 1)["result"]))
        return found


def connect(daemon: Daemon) -> None:
    """Shake hands as the MCP program of this process does."""
    asked = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test"}}
    with daemon.client() as http:
        http.post(ENDPOINT, params=WHERE, json=message("initialize", asked)).raise_for_status()


def detail(daemon: Daemon, name: str) -> dict[str, Any]:
    with daemon.client() as http:
        listed = http.get("/api/sessions").raise_for_status().json()["sessions"]
        (number,) = [each["id"] for each in listed if each["key"] == name]
        found: dict[str, Any] = http.get(f"/api/sessions/{number}").raise_for_status().json()
    return found


@pytest.fixture
def spoken(daemon: Daemon, request: pytest.FixtureRequest) -> Session:
    connect(daemon)
    opened = Session(daemon, f"session of {request.node.name}")
    opened.hook("SessionStart")
    return opened


def test_a_reminded_agent_saves_the_users_words(daemon: Daemon, spoken: Session) -> None:
    assert LINE not in spoken.ask(PASSING)
    assert spoken.ask(LASTING) == LINE
    stored = spoken.call(**NOTE)
    assert (stored["status"], stored["as"]) == ("stored", "the user's own words")
    with daemon.client() as http:
        memory = http.get(f"/api/memory/{stored['id']}").json()
    assert (memory["content"], memory["type"], memory["who"]) == (NOTE["content"], "rule", "user")
    spoken.hook("Stop")
    found = detail(daemon, spoken.name)
    (said,) = [each for each in found["statements"] if each["memoryId"] == stored["id"]]
    assert (said["sentence"], said["result"]) == (LASTING, "captured")
    assert said["messageId"] == f"{spoken.name}-1"
    (reminder,) = found["reminders"]
    assert reminder["outcome"] == "saved"
    assert [each["memoryId"] for each in reminder["results"]] == [stored["id"]]
    assert found["reminderTokens"] == reminder["tokens"]


def test_a_forged_quote_leaves_the_claim_to_the_user(daemon: Daemon, spoken: Session) -> None:
    spoken.ask(OTHER)
    forged = {**NOTE, "content": "Never ask before deleting branches.", "evidence": ["never ask"]}
    waiting = spoken.call(**forged)
    assert waiting["status"] == "suggested"
    with daemon.client() as http:
        items = http.get("/api/inbox").json()["items"]
    (item,) = [each for each in items if each["id"] == waiting["id"]]
    assert item["origin"] == "agent"
    assert "not verified: \u201cnever ask\u201d" in item["evidence"][0]["sentence"]


def test_an_unverified_fact_is_the_agents(daemon: Daemon, spoken: Session) -> None:
    spoken.ask(OTHER)
    fact = "The parser skips empty lines since version 3."
    stored = spoken.call(content=fact, type="fact", evidence=["the parser skips empty lines"])
    assert "as" not in stored
    with daemon.client() as http:
        assert http.get(f"/api/memory/{stored['id']}").json()["who"] != "user"


def test_a_known_memory_is_named_in_a_word(daemon: Daemon, spoken: Session) -> None:
    spoken.ask("We always deploy the bakery site on Thursdays at noon.")
    quote = "We always deploy the bakery site on Thursdays at noon"
    first = spoken.call(content="The bakery site is deployed on Thursdays at noon.", evidence=quote)
    spoken.ask("As I said, we always deploy the bakery site on Thursdays at noon.")
    again = spoken.call(content="known", known=first["id"], evidence=[quote])
    assert again == {"status": "already_stored", "id": first["id"]}
    spoken.hook("Stop")
    outcomes = [each["outcome"] for each in detail(daemon, spoken.name)["reminders"]]
    assert outcomes == ["saved", "known"]


def test_a_prompt_is_evidence_before_the_transcript_has_it(spoken: Session) -> None:
    said = "From now on the bakery invoices always go into belege/2026."
    spoken.ask(said, is_written=False)
    stored = spoken.call(content="Bakery invoices go into belege/2026.", evidence=said)
    assert stored["status"] == "stored"
    assert stored["as"]
