"""A user with Claude Code, Codex and OpenCode: the real clients, each with a stub of its model."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from fakes import claude_code, codex, opencode
from fakes.chat_api import ChatApi, chat_api
from fakes.claude_code import ClaudeCode
from fakes.codex import Codex
from fakes.daemon import NO_MODEL, daemon_env, free_port, run_command, write_settings
from fakes.model_api import ModelApi, model_api
from fakes.opencode import OpenCode
from fakes.responses_api import ResponsesApi, responses_api

AGENTS: Final = ("claude-code", "codex", "opencode")
CLAUDE_SETTINGS: Final = '{\n\t"theme": "dark"  \n}'

Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Agents:
    """The clients; a daemon may run on ``port``."""

    port: int
    claude: ClaudeCode
    codex: Codex
    opencode: OpenCode
    apis: tuple[ModelApi, ResponsesApi, ChatApi]

    @property
    def home(self) -> Path:
        """The user's home."""
        return self.claude.home

    def project(self, name: str) -> Path:
        """Make a folder to work in."""
        folder = self.home / "work" / name
        folder.mkdir(parents=True)
        return folder

    def intaglio(self, *args: str) -> None:
        """Run the command line."""
        env = daemon_env(self.home, self.port)
        done = run_command(*args, env=env, folder=self.home)
        assert done.returncode == 0, done.stderr

    def connect_all(self) -> None:
        """Connect all three, and trust the hooks where the user has to."""
        for agent in AGENTS:
            self.intaglio("connect", agent, "--yes")
        self.codex.review_hooks()

    def ask(self, agent: str, text: str, project: Path) -> list[dict[str, Any]]:
        """Hold a session of one turn with an agent; returns what its model was sent."""
        for api in self.apis:
            api.requests.clear()
        if agent == "claude-code":
            self.claude.ask(text, project)
        elif agent == "opencode":
            self.opencode.ask(text, project)
        else:
            # What `codex exec` runs is nobody's own words.
            with self._codex_session(project) as say:
                say(text)
        return [request for api in self.apis for request in api.requests]

    @contextmanager
    def sessions(self, project: Path) -> Generator[Mapping[str, Say]]:
        """Keep a session with each agent open while the block runs; yields what is said to each."""
        with (
            self.claude.session(project) as claude,
            self._codex_session(project) as say_to_codex,
            self.opencode.server(project) as server,
        ):
            session = server.start()
            yield {
                "claude-code": claude.say,
                "codex": say_to_codex,
                "opencode": lambda text: server.say(session, text),
            }

    @contextmanager
    def _codex_session(self, project: Path) -> Generator[Say]:
        with self.codex.app_server(project) as server:
            thread = server.call("thread/start", {"cwd": str(project)})["thread"]["id"]
            yield lambda text: server.say(thread, text)


@contextmanager
def every_agent(home: Path) -> Generator[Agents]:
    """Set up the clients in a home of their own while the block runs."""
    if not all(each.BINARY.exists() for each in (claude_code, codex, opencode)):
        pytest.skip("the clients are not installed; `python3 app test` does it")
    home.mkdir()
    write_settings(home, NO_MODEL)
    with model_api() as anthropic, responses_api() as openai, chat_api() as chat:
        agents = Agents(
            free_port(),
            ClaudeCode(home, anthropic.url),
            Codex(home, openai.url),
            OpenCode(home, chat),
            (anthropic, openai, chat),
        )
        agents.claude.settings.parent.mkdir()
        agents.claude.settings.write_text(CLAUDE_SETTINGS)
        agents.codex.configure()
        agents.opencode.configure()
        yield agents
