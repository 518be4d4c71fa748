"""The real Claude Code in a terminal: what is typed around a paste is kept or offered, no paste."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from clients.conftest import Machine, memories, running_machine
from fakes.daemon import Daemon
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

PASTE = """# Rules of the platform team
Always use tabs for indentation.
Never commit to main.
We decided to use Oracle for all services.
Always run the linter before a push.
Never use mocks in tests.
From now on, every service is written in Java.
We always deploy on Fridays."""
BEFORE = "amounts are stored as integer cents in this repo."
AFTER = "we use pnpm here, not npm."
LATER = "new endpoints go under src/api, one file each."
WORDS = ("integer cents", "pnpm", "src/api")
PLANTED = ("tabs", "main", "Oracle", "linter", "mocks", "Java", "Fridays")


@dataclass(frozen=True, slots=True)
class Typed:
    """A machine with a daemon on whose project three statements were typed around a paste."""

    machine: Machine
    daemon: Daemon
    project: Path


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Generator[Typed]:
    with running_machine(tmp_path_factory.mktemp("paste")) as machine:
        machine.intaglio("connect", "claude-code", "--yes")
        project = machine.project("shop")
        with machine.daemon() as daemon:
            with machine.claude.terminal(project) as terminal:
                terminal.type(f"{BEFORE} look at this page: ")
                terminal.paste(PASTE)
                terminal.type(f" {AFTER}")
                terminal.enter()
                terminal.wait_for("Understood.")
                terminal.send(LATER)
                terminal.wait_for("Understood.")
            yield Typed(machine, daemon, project)


def _suggestions(daemon: Daemon) -> list[dict[str, Any]]:
    with daemon.client() as client:
        found = client.get("/api/inbox", headers=daemon.owner).raise_for_status().json()
    return list(found["items"])


def _said(typed: Typed) -> list[str]:
    kept = [memory["content"] for memory in memories(typed.daemon, typed.project)]
    return kept + [item["content"] for item in _suggestions(typed.daemon)]


def _all_three(typed: Typed) -> bool:
    said = "\n".join(_said(typed))
    return all(word in said for word in WORDS)


def test_typed_words_around_a_paste_are_kept_or_suggested_in_their_project(typed: Typed) -> None:
    wait_for(lambda: _all_three(typed), "all three statements")
    said = _said(typed)
    assert len(said) == len(WORDS), said
    assert not [word for word in PLANTED if word in "\n".join(said)]
    open_items = [item["id"] for item in _suggestions(typed.daemon)]
    if open_items:
        typed.machine.intaglio("inbox", "keep", *open_items)
    assert not _suggestions(typed.daemon)
    requests = typed.machine.model.requests
    requests.clear()
    typed.machine.claude.ask("Hello.", typed.project)
    first = json.dumps(requests[0], ensure_ascii=False)
    assert [word for word in WORDS if word not in first] == []
    requests.clear()
    typed.machine.claude.ask("Hello.", typed.machine.project("blog"))
    assert [word for word in WORDS if word in typed.machine.model.sent()] == []
