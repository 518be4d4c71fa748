"""A user's home with an installation, in which connecting is tried."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fakes.waiting import PATIENCE_S
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.plans import apply
from intaglio.connect.values import (
    ConnectionApplied,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
)
from intaglio.harness.claude_code.connector import ClaudeCodeConnector
from intaglio.harness.registry import refresh_hook_files

PYTHON = "/usr/bin/python3"


@dataclass(frozen=True)
class Home:
    """A user's home, and connecting in it."""

    folder: Path
    paths: Paths
    install: Installation
    connector: Connector

    @property
    def settings(self) -> Path:
        return self.connector.settings_file(self.folder, {})

    def refresh(self) -> bool:
        """Write the hook files as the daemon does at its start."""
        return refresh_hook_files([self.connector], self.paths, self.install)

    def write(self, content: bytes | None) -> None:
        self.settings.parent.mkdir(exist_ok=True)
        if content is not None:
            self.settings.write_bytes(content)

    def read(self) -> bytes | None:
        return self.settings.read_bytes() if self.settings.exists() else None

    def plan(self, python: str = PYTHON) -> ConnectionPlan | ConnectionRefused:
        return self.connector.plan_connect(self.settings, self.paths, self.install, python)

    def connect(self, python: str = PYTHON) -> ConnectionApplied | ConnectionRefused:
        plan = self.plan(python)
        return plan if isinstance(plan, ConnectionRefused) else apply(plan)

    def disconnect(self) -> ConnectionApplied | ConnectionRefused:
        plan = self.connector.plan_disconnect(self.settings, self.paths)
        return plan if isinstance(plan, ConnectionRefused) else apply(plan)

    def state(self) -> ConnectionState | ConnectionRefused:
        return self.connector.state(self.settings, self.paths, self.install, PYTHON)


def unhurry(paths: Paths) -> None:
    """Give the hooks' files time: to a test, a busy machine is not a daemon that hangs."""
    for name, limited in (("claude-code.py", 3), ("claude-code.curl", 2), ("mcp.py", 3)):
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
