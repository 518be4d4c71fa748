"""The real Codex: hooks that the user trusts, what the model is told, and what is captured."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from clients.conftest import (
    UserMachine,
    blocks_of,
    memories,
    wait_for_memories,
    wait_for_spool,
)
from fakes.codex import BINARY, Codex
from fakes.daemon import NO_MODEL, Daemon, daemon_env, free_port, write_settings
from fakes.model_api import ToolUse
from fakes.responses_api import ResponsesApi, responses_api
from fakes.waiting import PATIENCE_S, wait_for
from intaglio.base.paths import find_paths
from intaglio.harness.codex.connector import CONNECTOR
from intaglio.harness.codex.harness import HARNESS
from intaglio.harness.events import EventOrigin, SessionStart
from intaglio.harness.protocol import Reply

pytestmark = pytest.mark.clients

DECISION: Final = "We decided to use Postgres for the billing ledger, not SQLite."
LATER: Final = "From now on we always write migrations by hand."
QUESTION: Final = "Which database does the billing ledger use?"
LAST: Final = ("resume", "--last")


@dataclass(frozen=True)
class CodexMachine(UserMachine):
    """A machine with Codex and its model."""

    model: ResponsesApi
    codex: Codex
    harness = "codex"

    def connect(self, *, reviewed: bool = True) -> None:
        self.intaglio("connect", "codex", "--yes")
        if reviewed:
            self.codex.review_hooks()

    def ask(self, prompt: str, project: Path, *args: str) -> list[dict[str, Any]]:
        """Hold a session's turn and return what the model was sent in it."""
        self.model.requests.clear()
        run = self.codex.run(prompt, project, *args)
        assert run.code == 0, run.stderr
        assert "Failed" not in run.stderr, run.stderr
        return list(self.model.requests)


@dataclass(frozen=True, slots=True)
class CodexShop:
    """A connected machine whose daemon runs, and a project in which the decision was said."""

    machine: CodexMachine
    daemon: Daemon
    project: Path


@contextmanager
def _running_machine(folder: Path) -> Generator[CodexMachine]:
    if not BINARY.exists():
        pytest.skip("Codex is not installed; `python3 app test` does it")
    home = folder / "home"
    home.mkdir()
    with responses_api() as model:
        codex = Codex(home, model.url)
        codex.configure()
        write_settings(home, NO_MODEL)
        yield CodexMachine(home, free_port(), model, codex)


@pytest.fixture
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[CodexMachine]:
    with _running_machine(tmp_path_factory.mktemp("x")) as running:
        yield running


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Generator[CodexShop]:
    with _running_machine(tmp_path_factory.mktemp("x")) as machine:
        machine.connect()
        project = machine.project("shop")
        with machine.daemon() as daemon:
            machine.ask(DECISION, project)
            wait_for_memories(daemon, project, DECISION)
            yield CodexShop(machine, daemon, project)


def test_a_decision_reaches_the_next_sessions_first_request(shop: CodexShop) -> None:
    first, *_ = shop.machine.ask("Hello again.", shop.project)
    (block,) = blocks_of(first)
    assert DECISION in block
    (memory,) = memories(shop.daemon, shop.project)
    assert (memory["content"], memory["type"]) == (DECISION, "decision")


@pytest.mark.slow
def test_a_decision_reaches_a_resumed_session_through_the_prompt_hook(shop: CodexShop) -> None:
    project = shop.machine.project("attic")
    shop.machine.ask("Hello.", project)
    body = {"content": "The attic's door opens inwards.", "project": str(project.resolve())}
    with shop.daemon.client() as client:
        client.post("/api/memory/remember", json=body).raise_for_status()
    requests = shop.machine.ask("Which way does the attic's door open?", project, *LAST)
    assert body["content"] in "".join(blocks_of(requests[-1]))


@pytest.mark.slow
def test_a_resumed_session_stores_each_statement_once(shop: CodexShop) -> None:
    project = shop.machine.project("garden")
    shop.machine.ask(DECISION, project)
    shop.machine.ask(LATER, project, *LAST)
    wait_for_memories(shop.daemon, project, DECISION, LATER)


@pytest.mark.slow
def test_injected_text_is_not_captured_again(shop: CodexShop) -> None:
    (first,) = shop.machine.ask(QUESTION, shop.project)
    assert DECISION in "".join(blocks_of(first))
    shop.machine.ask(QUESTION, shop.project, *LAST)
    assert [each["content"] for each in memories(shop.daemon, shop.project)] == [DECISION]


@pytest.mark.slow
def test_another_projects_session_never_sees_the_decision(shop: CodexShop) -> None:
    requests = shop.machine.ask(QUESTION, shop.machine.project("blog"))
    assert "Postgres" not in json.dumps(requests)


@pytest.mark.slow
def test_an_agent_calls_the_tools_without_being_asked(shop: CodexShop) -> None:
    def search(body: dict[str, Any]) -> str | ToolUse:
        if body["input"][-1]["type"].endswith("_output"):
            return "Postgres."
        return ToolUse("mcp__intaglio/memory_search", {"query": "billing ledger"})

    shop.machine.model.answer = search
    try:
        *_, last = shop.machine.ask("Search your memories.", shop.project)
    finally:
        shop.machine.model.answer = ResponsesApi().answer
    assert DECISION in json.dumps(last["input"][-1], ensure_ascii=False)


@pytest.mark.slow
def test_what_a_subagent_is_told_becomes_no_memory(shop: CodexShop) -> None:
    project = shop.machine.project("yard")
    told = "From now on we always review in pairs."

    def spawn(body: dict[str, Any]) -> str | ToolUse:
        spoken = json.dumps(body["input"])
        if told in spoken or any(each["type"].endswith("_output") for each in body["input"]):
            return "Done."
        return ToolUse("multi_agent_v1/spawn_agent", {"message": told, "agent_type": "default"})

    shop.machine.model.answer = spawn
    try:
        requests = shop.machine.ask("Have someone review it.", project)
    finally:
        shop.machine.model.answer = ResponsesApi().answer
    assert told in json.dumps(requests)
    wait_for(lambda: _has_ended(shop.daemon, project), "the session's end")
    assert memories(shop.daemon, project) == []


def _has_ended(daemon: Daemon, project: Path) -> bool:
    with daemon.client() as client:
        query = {"project": str(project.resolve())}
        found = client.get("/api/sessions", params=query).json()["sessions"]
    return bool(found) and all(each["end"] is not None for each in found)


@pytest.mark.slow
def test_after_a_compaction_the_session_is_told_again(shop: CodexShop) -> None:
    requests = shop.machine.ask("Hello.", shop.project)
    assert len(requests) == 1
    shop.machine.model.tokens = 500_000
    try:
        # The next turn begins with the compaction.
        shop.machine.ask("Go on.", shop.project, *LAST)
        compact = ("-c", "model_auto_compact_token_limit=1000")
        summary, after = shop.machine.ask("And now?", shop.project, *LAST, *compact)
    finally:
        shop.machine.model.tokens = ResponsesApi().tokens
    assert "And now?" not in json.dumps(summary)
    assert sum(DECISION in block for block in blocks_of(after)) >= 1


@pytest.mark.slow
def test_a_file_that_is_patched_brings_what_was_learned_of_it(shop: CodexShop) -> None:
    project = shop.machine.project("press")
    learned = "We tried advisory locks in importer.py already, they deadlocked under load."
    (project / "importer.py").write_text("one\n")
    body = {"content": learned, "project": str(project.resolve()), "type": "learning"}
    with shop.daemon.client() as client:
        client.post("/api/memory/remember", json=body).raise_for_status()
    patch = "*** Begin Patch\n*** Update File: importer.py\n@@\n-one\n+two\n*** End Patch\n"

    def edit(request: dict[str, Any]) -> str | ToolUse:
        is_done = request["input"][-1]["type"].endswith("_output")
        return "Done." if is_done else ToolUse("apply_patch", {"patch": patch})

    shop.machine.model.answer = edit
    try:
        *_, last = shop.machine.ask("Change the file.", project)
    finally:
        shop.machine.model.answer = ResponsesApi().answer
    assert (project / "importer.py").read_text() == "two\n"
    assert learned in "".join(blocks_of(last))


@pytest.mark.slow
def test_the_desktop_apps_server_runs_the_hooks_that_were_trusted(shop: CodexShop) -> None:
    project = shop.machine.project("desk")
    with shop.machine.codex.app_server(project) as server:
        thread = server.call("thread/start", {"cwd": str(project)})["thread"]["id"]
        server.say(thread, LATER)
        wait_for_memories(shop.daemon, project, LATER)
        server.call("thread/name/set", {"threadId": thread, "name": "Migrations"})
        server.say(thread, "Thanks.")

        def is_named() -> bool:
            with shop.daemon.client() as client:
                query = {"project": str(project.resolve())}
                found = client.get("/api/sessions", params=query).json()["sessions"]
            return [each["title"] for each in found] == ["Migrations"]

        wait_for(is_named, "the session's title")


@pytest.mark.slow
def test_a_tool_is_called_in_its_own_session_not_the_one_that_spoke_last(shop: CodexShop) -> None:
    project = shop.machine.project("cellar")
    has_spoken = threading.Event()

    def store(body: dict[str, Any]) -> str | ToolUse:
        if "Save it." not in json.dumps(body["input"]):
            return "Hi."
        if body["input"][-1]["type"].endswith("_output"):
            return "Saved."
        assert has_spoken.wait(PATIENCE_S)
        return ToolUse("mcp__intaglio/memory_store", {"content": "The cellar is dry."})

    shop.machine.model.answer = store
    try:
        with shop.machine.codex.app_server(project) as server:
            # One process has both.
            first, second = (
                server.call("thread/start", {"cwd": str(project)})["thread"]["id"] for _ in range(2)
            )
            given = [{"type": "text", "text": "Save it."}]
            server.call("turn/start", {"threadId": first, "input": given})
            server.say(second, "Hello.")
            has_spoken.set()
            wait_for_memories(shop.daemon, project, "The cellar is dry.")
    finally:
        shop.machine.model.answer = ResponsesApi().answer
    (memory,) = memories(shop.daemon, project)
    assert memory["session_id"] == first


@pytest.mark.slow
def test_hooks_that_were_not_reviewed_are_skipped_and_said_to_be(machine: CodexMachine) -> None:
    machine.connect(reviewed=False)
    project = machine.project("shop")
    with machine.daemon() as daemon:
        machine.ask(DECISION, project)
        with daemon.client() as client:
            assert client.get("/api/sessions").json()["sessions"] == []
            listed = client.get("/api/harnesses").json()["harnesses"]
        (codex,) = [each for each in listed if each["id"] == "codex"]
        (concern,) = codex["concerns"]
        assert concern["text"] == "Codex doesn't run Intaglio's hooks until you trust them."
        machine.codex.review_hooks()
        machine.ask(DECISION, project)
        wait_for_memories(daemon, project, DECISION)
    assert {hook["trustStatus"] for hook in machine.codex.listed_hooks()} == {"trusted"}
    assert _concerns(machine) == []
    # A changed timeout is another definition.
    text = machine.codex.hooks.read_text()
    machine.codex.hooks.write_text(text.replace('"timeout": 3', '"timeout": 2', 1))
    changed = [
        hook["eventName"]
        for hook in machine.codex.listed_hooks()
        if hook["trustStatus"] == "modified"
    ]
    (text,) = _concerns(machine)
    assert changed == ["userPromptSubmit"]
    assert text.endswith("skips them: UserPromptSubmit.")


def _concerns(machine: CodexMachine) -> list[str]:
    paths = find_paths(daemon_env(machine.home))
    return [each.text for each in CONNECTOR.concerns(machine.codex.hooks, paths, {})]


@pytest.mark.slow
def test_without_a_daemon_hooks_are_silent_and_lose_nothing(machine: CodexMachine) -> None:
    machine.connect()
    project = machine.project("shop")
    machine.ask(DECISION, project)
    assert list((machine.home / "state").rglob("spool/*.json"))
    with machine.daemon() as daemon:
        wait_for_spool(daemon)
        wait_for_memories(daemon, project, DECISION)


@pytest.mark.slow
def test_disconnecting_restores_every_byte(machine: CodexMachine) -> None:
    own = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    machine.codex.hooks.write_text(json.dumps(own, indent="\t"))
    before = machine.codex.hooks.read_bytes(), machine.codex.config.read_bytes()
    machine.connect(reviewed=False)
    machine.ask("Hello.", machine.project("shop"))
    machine.intaglio("disconnect", "codex", "--yes")
    assert (machine.codex.hooks.read_bytes(), machine.codex.config.read_bytes()) == before


@pytest.mark.slow
@pytest.mark.parametrize("limited", [{"additionalContextLimit": 0}, {}])
def test_a_reply_of_the_greatest_length_reaches_the_model_whole(
    machine: CodexMachine, limited: dict[str, object]
) -> None:
    limit = HARNESS.limits.reply_chars
    text = ("日本" * limit)[:limit]
    project = machine.project("shop")
    reply = HARNESS.write_reply(SessionStart(EventOrigin(session="s")), Reply(text))
    (project / "reply").write_bytes(reply)
    handler = {"type": "command", "command": "cat reply", "timeout": 5, **limited}
    machine.codex.hooks.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}))
    machine.codex.review_hooks()
    (request,) = machine.ask("Hello.", project)
    # Without the limit that connecting writes, Codex cuts it.
    assert (text in json.dumps(request, ensure_ascii=False)) is bool(limited)
