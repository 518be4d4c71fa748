"""The real OpenCode 1 with the plugin that connecting writes, and a real daemon."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from clients.conftest import wait_for_spool
from fakes.chat_api import ChatApi, chat_api
from fakes.daemon import (
    NO_MODEL,
    Daemon,
    daemon_env,
    free_port,
    run_command,
    running_daemon,
    write_settings,
)
from fakes.model_api import ToolUse
from fakes.opencode import BINARY, OpenCode, Server, unhurry_plugin
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

RULE: Final = "Always deploy the storefront from the release branch."
FACT: Final = "The billing ledger is kept in Postgres on host atlas."
BLOCK: Final = re.compile(r"<intaglio-memory.*?</intaglio-memory>", re.DOTALL)


@dataclass(frozen=True)
class Machine:
    """A user's machine with OpenCode connected."""

    home: Path
    port: int
    client: OpenCode

    @property
    def model(self) -> ChatApi:
        return self.client.model

    @contextmanager
    def daemon(self) -> Generator[Daemon]:
        with running_daemon(self.home, self.port) as daemon:
            unhurry_plugin(daemon.paths)
            yield daemon

    def intaglio(self, *args: str) -> str:
        done = run_command(*args, env=daemon_env(self.home, self.port), folder=self.home)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def folder(self, name: str) -> Path:
        folder = self.home / "work" / name
        folder.mkdir(parents=True)
        return folder


@dataclass(frozen=True)
class Shop:
    """A project that a daemon has memories of, and OpenCode's server in it."""

    machine: Machine
    daemon: Daemon
    project: Path
    server: Server

    def requests(self, session: str, *prompts: str) -> list[dict[str, Any]]:
        """Send prompts; returns the requests to the model that they made."""
        self.machine.model.requests.clear()
        for prompt in prompts:
            self.server.say(session, prompt)
        return list(self.machine.model.requests)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Generator[Machine]:
    if not BINARY.exists():
        pytest.skip("OpenCode is not installed; `python3 app test` does it")
    # A Unix socket's path has at most 100 bytes: no test's name is part of it.
    home = tmp_path_factory.mktemp("o") / "home"
    home.mkdir()
    with chat_api() as model:
        client = OpenCode(home, model)
        client.configure()
        write_settings(home, NO_MODEL)
        machine = Machine(home, free_port(), client)
        machine.intaglio("connect", "opencode", "--yes")
        yield machine


@pytest.fixture(scope="module")
def shop(machine: Machine) -> Generator[Shop]:
    project = machine.folder("shop")
    commands = machine.client.configuration / "command"
    commands.mkdir()
    (commands / "review.md").write_text("Always use tabs in this repository. Now: $ARGUMENTS\n")
    with machine.daemon() as daemon:
        _remember(daemon, project, content=RULE, type="rule", pinned=True)
        _remember(daemon, project, content=FACT)
        with machine.client.server(project) as server:
            yield Shop(machine, daemon, project, server)


@pytest.fixture(autouse=True)
def _model(machine: Machine) -> None:
    machine.model.requests.clear()
    machine.model.answer = lambda _: "Understood."


def _text(body: dict[str, Any]) -> str:
    contents = [message.get("content") or "" for message in body["messages"]]
    parts = [[{"text": each}] if isinstance(each, str) else each for each in contents]
    return "\n".join(part.get("text", "") for each in parts for part in each)


def _told(body: dict[str, Any]) -> str:
    """Return what is ours in a request to the model."""
    return "\n".join(BLOCK.findall(_text(body)))


def _remember(daemon: Daemon, project: Path, **memory: object) -> None:
    with daemon.client() as client:
        body = {"project": str(project), **memory}
        client.post("/api/memory/remember", json=body, headers=daemon.owner).raise_for_status()


def _contents(daemon: Daemon) -> list[str]:
    with daemon.client() as client:
        return sorted(each["content"] for each in client.get("/api/memories").json()["memories"])


def _wait_for(daemon: Daemon, content: str) -> None:
    wait_for(lambda: content in _contents(daemon), f"{content!r} as a memory")


def _sessions(daemon: Daemon) -> list[dict[str, Any]]:
    with daemon.client() as client:
        found = client.get("/api/sessions", headers=daemon.owner).json()["sessions"]
    return [each for each in found if each["harness"] == "opencode"]


def test_memories_reach_the_agents_requests_and_not_the_title(shop: Shop) -> None:
    requests = shop.requests(shop.server.start(), "Hello there.", "And now?")
    agents = shop.machine.model.of_agent()
    assert [_told(body).count(RULE) for body in agents] == [1, 1]
    # Providers cache what a request begins with.
    assert agents[1]["messages"][: len(agents[0]["messages"])] == agents[0]["messages"]
    (title,) = [body for body in requests if body not in agents]
    assert _told(title) == ""
    assert FACT not in _text(title)


def test_a_prompt_is_told_what_it_asks_for(shop: Shop) -> None:
    session = shop.server.start()
    before, after = (
        shop.requests(session, prompt)[-1]
        for prompt in ("Hello there.", "On which host is the billing ledger kept?")
    )
    assert _told(after).count(FACT) == 1
    assert FACT not in _text(before) or _told(before).count(FACT) == 1


def test_the_client_stores_nothing_of_what_the_model_is_told(shop: Shop) -> None:
    shop.requests(shop.server.start(), "Hello there.")
    database = shop.machine.client.database
    stored = b"".join(
        file.read_bytes() for file in database.parent.glob("opencode.db*") if file.is_file()
    )
    assert b"Hello there." in stored
    assert b"<intaglio-memory" not in stored


def test_a_statement_becomes_a_memory_without_the_clients_quotes(shop: Shop) -> None:
    said = "We decided to call the mobile application Kestrel."
    shop.machine.client.ask(said, shop.project)
    _wait_for(shop.daemon, said)


def test_a_continued_session_is_told_again_what_its_requests_have_lost(shop: Shop) -> None:
    client, model = shop.machine.client, shop.machine.model
    client.ask("Remember this conversation please.", shop.project)
    model.requests.clear()
    client.ask("What did I ask?", shop.project, "--continue")
    (request,) = model.of_agent()
    assert "Remember this conversation please." in _text(request)
    assert _told(request).count(RULE) == 1


def test_of_a_command_only_the_users_words_are_captured(shop: Shop) -> None:
    said = "We decided to name the parser module sextant."
    shop.machine.client.ask(said, shop.project, "--command", "review")
    _wait_for(shop.daemon, said)
    assert not [each for each in _contents(shop.daemon) if "tabs" in each]
    assert "Always use tabs" in _text(shop.machine.model.of_agent()[-1])


def test_the_agent_has_the_tools_and_can_call_them(shop: Shop) -> None:
    def answer(body: dict[str, Any]) -> str | ToolUse:
        asks = body["messages"][-1]["role"] == "user" and body.get("tools")
        return ToolUse("intaglio_memory_search", {"query": "storefront"}) if asks else "Found."

    shop.machine.model.answer = answer
    requests = shop.requests(shop.server.start(), "Search please.")
    result = requests[-1]["messages"][-1]
    assert (result["role"], RULE in str(result["content"])) == ("tool", True)


def test_an_edit_is_told_what_failed_in_the_file(shop: Shop) -> None:
    failed = "Tried threads in importer.py: they deadlock."
    file = shop.project / "importer.py"
    session = shop.server.start()
    shop.requests(session, "Hello.")
    # The start of the session has told what was known by then.
    _remember(shop.daemon, shop.project, content=failed, type="learning")

    def answer(body: dict[str, Any]) -> str | ToolUse:
        asks = body["messages"][-1]["role"] == "user" and body.get("tools")
        return ToolUse("write", {"filePath": str(file), "content": "one\n"}) if asks else "Done."

    shop.machine.model.answer = answer
    requests = shop.requests(session, "Go on.")
    assert file.read_text() == "one\n"
    assert failed in str(requests[-1]["messages"][-1]["content"])


def test_after_a_compaction_the_agent_is_told_again(shop: Shop) -> None:
    session = shop.server.start()
    shop.requests(session, "Hello there.")
    shop.server.compact(session)
    (request,) = shop.requests(session, "And now?")
    assert "Hello there." not in _text(request)
    assert _told(request).count(RULE) == 1


def test_a_subagent_is_told_nothing_and_its_prompt_is_not_captured(shop: Shop) -> None:
    planted = "We decided to store all passwords in the public folder."
    said = "We decided to write the changelog in French."

    def answer(body: dict[str, Any]) -> str | ToolUse:
        asks = body["messages"][-1]["role"] == "user" and body.get("tools")
        if not asks or planted in _text(body):
            return "Done."
        task = {"description": "Ask", "prompt": planted, "subagent_type": "general"}
        return ToolUse("task", task)

    shop.machine.model.answer = answer
    requests = shop.requests(shop.server.start(), said)
    (request,) = [body for body in requests if _text(body).endswith(planted)]
    assert _told(request) == ""
    _wait_for(shop.daemon, said)
    assert planted not in _contents(shop.daemon)


def test_each_session_ends_with_its_client(shop: Shop) -> None:
    shop.machine.client.ask("Call this session Nightjar.", shop.project)
    wait_for(lambda: _sessions(shop.daemon)[0]["end"], "the end of the session")
    assert _sessions(shop.daemon)[0]["project"] == str(shop.project.resolve())


def test_the_test_button_runs_the_plugin(shop: Shop) -> None:
    assert "works" in shop.machine.intaglio("connect", "opencode", "--test")


def test_what_is_said_while_the_daemon_is_away_is_captured_later(machine: Machine) -> None:
    project, said = machine.folder("away"), "We decided to publish the podcast on Mondays."
    machine.client.ask(said, project)
    assert _told(machine.model.of_agent()[-1]) == ""
    with machine.daemon() as daemon:
        wait_for_spool(daemon)
        _wait_for(daemon, said)


def test_disconnecting_leaves_the_folder_as_it_was(machine: Machine) -> None:
    folder, plugin = machine.client.configuration, machine.client.plugin
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    machine.intaglio("disconnect", "opencode", "--yes")
    machine.client.ask("Hello there.", machine.folder("alone"))
    assert _told(machine.model.of_agent()[-1]) == ""
    machine.intaglio("connect", "opencode", "--yes")
    assert before == {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    assert plugin in before


def test_without_intaglios_files_the_client_works_and_says_nothing(machine: Machine) -> None:
    hooks = machine.home / "state" / "hooks"
    hooks.rename(hooks.with_name("elsewhere"))
    try:
        said = machine.client.ask("Hello there.", machine.folder("gone"))
    finally:
        hooks.with_name("elsewhere").rename(hooks)
    assert said.strip() == "Understood."
