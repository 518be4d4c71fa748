"""Connects the harness: hooks in ``config.toml``, a plugin file, and its entry in a JSON file."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect.connector import Connector
from intaglio.connect.file_entries import FileEntry, OwnFile
from intaglio.connect.hook_files import hook_files, program_file
from intaglio.connect.plans import plan_changes
from intaglio.connect.tools.mcp_servers import McpServers
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)

NAME: Final = "sqlite-agent"
_FIELDS: Final = {
    "event": "event",
    "session": "session",
    "cwd": "directory",
    "transcript_path": "database",
}


@dataclass(frozen=True, slots=True)
class SqliteAgentConnector:
    """Writes three files, and the list of MCP servers into the first of them."""

    name: str = NAME
    label: str = "SQLite Agent"
    program: str = "sqlite-agent"
    driven_version: str = ""
    has_agent_workspaces: bool = False

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of the settings."""
        del env
        return home / ".sqlite-agent" / "config.toml"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether its folder is there."""
        return self.settings_file(home, env).parent.is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers:
        """Return the list of MCP servers, which is in the settings."""
        return McpServers(harness=NAME, file=self.settings_file(home, env), key="mcp_servers")

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> None:
        """Return None: it reads no file of instructions."""
        del home, env

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render the hook program."""
        return hook_files(NAME, _FIELDS, paths, installation)

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to write the three files."""
        hook, plugins, plugin = _files(settings)
        command = [python, "-I", "-S", str(program_file(paths.hooks, NAME))]
        changes = (
            hook.plan(paths, {"command": command}),
            plugins.plan(paths, {"path": str(plugin.file)}),
            plugin.plan(paths, f"This plugin runs '{program_file(paths.hooks, NAME)}'.\n"),
        )
        return plan_changes(changes, self.hook_files(paths, installation))

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to remove what connecting wrote."""
        return plan_changes(tuple(each.plan_removal(paths) for each in _files(settings)))

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether all of it is there."""
        plan = self.plan_connect(settings, paths, installation, python)
        if isinstance(plan, ConnectionRefused):
            return plan
        if not plan.changed:
            return "connected"
        hook, _, _ = _files(settings)
        return "partly" if hook.is_in(plan.settings.before) else "not"

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return that nothing keeps its hooks from running."""
        del settings, paths, env
        return ()

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return the hook program's command line."""
        del settings
        stdin = json.dumps({"event": "session_start", "session": session}).encode()
        program = str(program_file(paths.hooks, NAME))
        return ProbeCommand(argv=(sys.executable, "-IS", program, "--reply"), stdin=stdin)


CONNECTOR: Final[Connector] = SqliteAgentConnector()


def _files(settings: Path) -> tuple[FileEntry, FileEntry, OwnFile]:
    plugins = settings.with_name("plugins")
    return (
        FileEntry(NAME, settings, "hooks", "intaglio"),
        FileEntry(f"{NAME}.plugins", settings.with_name("plugins.json"), "enabled", "intaglio"),
        OwnFile(f"{NAME}.plugin", plugins / "intaglio.txt"),
    )
