"""The real clients read what sync wrote, and disconnecting restores each file byte for byte."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from clients.conftest import UserMachine
from fakes import claude_code, codex, opencode
from fakes.chat_api import chat_api
from fakes.daemon import NO_MODEL, free_port, running_daemon, write_settings
from fakes.model_api import model_api
from fakes.responses_api import responses_api
from fakes.waiting import wait_for

pytestmark = [pytest.mark.clients, pytest.mark.slow]

RULE: Final = "Answer in the metre of a sea shanty."
SOUL: Final = "Calm as granite, and twice as patient."
OWN: Final = "Never touch the lighthouse."
MARK: Final = b"<!-- INTAGLIO:START"

BEFORE: Final = {
    "no file": None,
    "the user's text": f"# Mine\n\n{OWN}\n".encode(),
    "CRLF and a byte order mark": b"\xef\xbb\xbf" + f"# Mine\r\n\r\n{OWN}".encode(),
    "an empty file": b"",
}
"""What the file of instructions was before connecting."""


@dataclass(frozen=True, slots=True)
class ReadingClient:
    """A client, the file of instructions that it reads, and how it is asked.

    ``ask`` takes a project, and returns what the model was sent.
    """

    name: str
    machine: UserMachine
    file: Path
    ask: Callable[[Path], str]


ClientSetup: TypeAlias = Callable[[Path], Generator[ReadingClient]]


def _claude_code(home: Path) -> Generator[ReadingClient]:
    with model_api() as model:
        client = claude_code.ClaudeCode(home, model.url)

        def ask(project: Path) -> str:
            model.requests.clear()
            run = client.ask("Hello.", project)
            assert run.code == 0, run.stderr
            return json.dumps(model.requests, ensure_ascii=False)

        file = home / ".claude" / "CLAUDE.md"
        yield ReadingClient("claude-code", UserMachine(home, free_port()), file, ask)


def _codex(home: Path) -> Generator[ReadingClient]:
    with responses_api() as model:
        client = codex.Codex(home, model.url)
        client.configure()

        def ask(project: Path) -> str:
            model.requests.clear()
            run = client.run("Hello.", project)
            assert run.code == 0, run.stderr
            return json.dumps(model.requests, ensure_ascii=False)

        yield ReadingClient(
            "codex", UserMachine(home, free_port()), client.folder / "AGENTS.md", ask
        )


def _opencode(home: Path) -> Generator[ReadingClient]:
    with chat_api() as model:
        client = opencode.OpenCode(home, model)
        client.configure()

        def ask(project: Path) -> str:
            model.requests.clear()
            client.ask("Hello.", project)
            return json.dumps(model.requests, ensure_ascii=False)

        file = client.configuration / "AGENTS.md"
        yield ReadingClient("opencode", UserMachine(home, free_port()), file, ask)


CLIENTS: Final[dict[str, tuple[Path, ClientSetup]]] = {
    "claude-code": (claude_code.BINARY, _claude_code),
    "codex": (codex.BINARY, _codex),
    "opencode": (opencode.BINARY, _opencode),
}


@pytest.fixture(params=list(CLIENTS))
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ReadingClient]:
    binary, setup = CLIENTS[request.param]
    if not binary.exists():
        pytest.skip(f"{request.param} is not installed; `python3 app test` does it")
    home = tmp_path_factory.mktemp("w") / "home"
    home.mkdir()
    write_settings(home, NO_MODEL)
    with contextmanager(setup)(home) as client:
        yield client


def _holds(file: Path, *texts: str) -> bool:
    data = file.read_bytes() if file.exists() else b""
    return MARK in data and all(text.encode() in data for text in texts)


def _set(file: Path, content: bytes | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        file.unlink(missing_ok=True)
    else:
        file.write_bytes(content)


def test_the_model_is_sent_the_workspaces_files_and_disconnecting_restores_every_byte(
    client: ReadingClient,
) -> None:
    machine, workspace = client.machine, client.machine.home / "agents"
    (workspace / "AGENTS.md").write_text(f"# How we work\n\n{RULE}\n")
    project = machine.project("shop")
    with running_daemon(machine.home, machine.port):
        for case, content in BEFORE.items():
            _set(client.file, content)
            machine.intaglio("connect", client.name, "--yes")
            wait_for(lambda: _holds(client.file, RULE), f"the block, with {case}")
            sent = client.ask(project)
            assert RULE in sent, case
            assert (OWN in sent) is (OWN.encode() in (content or b"")), case
            machine.intaglio("disconnect", client.name, "--yes")
            left = client.file.read_bytes() if client.file.exists() else None
            assert left == content, case
            assert RULE not in client.ask(project), case


def test_the_model_is_sent_what_changed_in_the_workspace_meanwhile(client: ReadingClient) -> None:
    machine, workspace = client.machine, client.machine.home / "agents"
    (workspace / "AGENTS.md").write_text("# How we work\n")
    project = machine.project("shop")
    machine.intaglio("connect", client.name, "--yes")
    with running_daemon(machine.home, machine.port):
        wait_for(lambda: _holds(client.file), "the block")
        (workspace / "SOUL.md").write_text(f"{SOUL}\n")
        wait_for(lambda: _holds(client.file, SOUL), "the new text")
        assert SOUL in client.ask(project)
