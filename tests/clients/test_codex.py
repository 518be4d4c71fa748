"""The real Codex: hooks that the user trusts, what the model is told, and what is captured."""

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
)
from fakes.codex import BINARY, Codex
from fakes.daemon import NO_MODEL, Daemon, free_port, write_settings
from fakes.responses_api import ResponsesApi, responses_api

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
