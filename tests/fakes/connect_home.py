"""A user's home with an installation, in which connecting is tried."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fakes.waiting import PATIENCE_S
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.plans import apply
from intaglio.connect.targets import ConnectionTarget
from intaglio.connect.tools.included_tools import IncludedTools
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    ConnectionApplied,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    ToolsState,
)
from intaglio.harness.activity import HookActivity
from intaglio.harness.claude_code.connector import ClaudeCodeConnector
from intaglio.harness.connections import Connections, McpAccess
from intaglio.harness.hook_test import HookTester
from intaglio.harness.probe_sessions import ProbeSessions
from intaglio.harness.registry import refresh_hook_files
from intaglio.store.database import Database

PYTHON = "/usr/bin/python3"


@dataclass(frozen=True)
class Home:
    """A user's home, and connecting in it."""

    folder: Path
    paths: Paths
    install: Installation
    connector: Connector
    env: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def settings(self) -> Path:
        return self.connector.settings_file(self.folder, self.env)

    @property
    def has_servers(self) -> bool:
        """Whether the harness has a list of MCP servers."""
        return isinstance(self.connector.mcp_servers(self.folder, self.env), McpServers)

    def tools_if_listed(self, state: ToolsState) -> ToolsState:
        """Return a state of the tools, or what it is without a list of MCP servers."""
        if self.has_servers:
            return state
        return "included" if self.is_whole_file else "unsupported"

    @property
    def servers(self) -> Path:
        """The harness's list of MCP servers; its settings if it has none."""
        found = self.connector.mcp_servers(self.folder, self.env)
        return found.file if isinstance(found, McpServers) else self.settings

    @property
    def is_whole_file(self) -> bool:
        """Whether the settings are a whole file of ours, which brings the tools along."""
        return isinstance(self.connector.mcp_servers(self.folder, self.env), IncludedTools)

    def target(self, python: str = PYTHON) -> ConnectionTarget:
        return ConnectionTarget(
            connector=self.connector,
            paths=self.paths,
            pythons=(python,),
            home=lambda: self.folder,
            env=self.env,
        )

    def refresh(self) -> bool:
        """Write the hook files as the daemon does at its start."""
        return refresh_hook_files([self.connector], self.paths, self.install)

    def write(self, content: bytes | None) -> None:
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            self.settings.write_bytes(content)

    def read(self) -> bytes | None:
        return self.settings.read_bytes() if self.settings.exists() else None

    def write_servers(self, content: bytes | None) -> None:
        self.servers.parent.mkdir(parents=True, exist_ok=True)
        if content is not None:
            self.servers.write_bytes(content)

    def read_servers(self) -> bytes | None:
        return self.servers.read_bytes() if self.servers.exists() else None

    def plan(
        self, python: str = PYTHON, *, tools: bool | None = None
    ) -> ConnectionPlan | ConnectionRefused:
        return self.target(python).plan_connect(self.install, tools=tools)

    def connect(
        self, python: str = PYTHON, *, tools: bool | None = None
    ) -> ConnectionApplied | ConnectionRefused:
        plan = self.plan(python, tools=tools)
        return plan if isinstance(plan, ConnectionRefused) else apply(plan)

    def disconnect(self) -> ConnectionApplied | ConnectionRefused:
        plan = self.target().plan_disconnect()
        return plan if isinstance(plan, ConnectionRefused) else apply(plan)

    def state(self) -> ConnectionState | ConnectionRefused:
        return self.target().state(self.install)

    def tools(self, python: str = PYTHON) -> ToolsState | ConnectionRefused:
        return self.target(python).tools_state(self.install)


def connections_of(
    home: Home, db: Database, activity: HookActivity, python: str = PYTHON
) -> Connections:
    """Return what reads and changes the connection of the home's harness."""
    target = ConnectionTarget(
        connector=home.connector,
        paths=home.paths,
        pythons=("/elsewhere/python", python),
        home=lambda: home.folder,
        env={},
    )
    return Connections(
        db=db,
        activity=activity,
        targets={home.connector.name: target},
        install=home.install,
        command=lambda name: f"/opt/intaglio connect {name}",
        mcp=McpAccess(command=("python", "mcp.py"), url="http://127.0.0.1:1/mcp"),
        tester=HookTester(sessions=ProbeSessions(), spool=home.paths.spool),
    )


def unhurry(paths: Paths, harness: str = "claude-code") -> None:
    """Give the hooks' files time: to a test, a busy machine is not a daemon that hangs."""
    for name, limited in ((f"{harness}.py", 3), (f"{harness}.curl", 2), ("mcp.py", 3)):
        file = paths.hooks / name
        limits = r"^((INPUT|CONNECT|TOTAL|CALL|OTHER)_S|connect-timeout|max-time) = .*"
        text, count = re.subn(
            limits, rf"\1 = {PATIENCE_S:.0f}", file.read_text(), flags=re.MULTILINE
        )
        assert count == limited, f"other limits in {name}"
        file.write_text(text)


CLAUDE_CODE: Final[Connector] = ClaudeCodeConnector(curl=True)


def make_home(tmp_path: Path, connector: Connector = CLAUDE_CODE) -> Home:
    """Make an empty home below ``tmp_path``; its state folder has a blank in its name."""
    folder = tmp_path / "home"
    folder.mkdir()
    base = folder / "intaglio state"
    paths = Paths(
        workspace=folder / ".agents",
        state=base,
        cache=folder / "cache",
        logs=folder / "logs",
        runtime=base / "run",
        model=folder / "model",
    )
    install = Installation(install_id="a1b2c3", token="t" * 43, hook_token="h" * 43, port=3899)
    return Home(folder, paths, install, connector)
