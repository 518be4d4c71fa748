"""Connects OpenCode: a plugin file in its configuration folder; no configuration is changed."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.connect import mcp_files
from intaglio.connect.connector import Connector
from intaglio.connect.file_entries import OwnFile
from intaglio.connect.hook_files import plugin_file, plugin_files
from intaglio.connect.plans import plan_changes
from intaglio.connect.programs.rendering import fill_in
from intaglio.connect.tools.included_tools import IncludedTools
from intaglio.connect.values import (
    Concern,
    ConnectionPlan,
    ConnectionRefused,
    ConnectionState,
    FileToWrite,
    ProbeCommand,
)

NAME: Final = "opencode"
LABEL: Final = "OpenCode"
_PROGRAM: Final = "opencode"
_SOURCES: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class OpenCodeConnector:
    """Writes a plugin file that loads our program, which brings the MCP server along."""

    name: str = NAME
    label: str = LABEL
    program: str = _PROGRAM
    driven_version: str = "1.18.33"
    has_agent_workspaces: bool = False

    def settings_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the path of the plugin file."""
        return configuration_folder(home, env) / "plugins" / "intaglio.js"

    def is_installed(self, home: Path, env: Mapping[str, str]) -> bool:
        """Whether its configuration folder or program is on this machine."""
        program = shutil.which(_PROGRAM, path=env.get("PATH", ""))
        return program is not None or configuration_folder(home, env).is_dir()

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> IncludedTools:
        """Return that the plugin adds the MCP server to the list, in memory."""
        del home, env
        return IncludedTools()

    def instructions_file(self, home: Path, env: Mapping[str, str]) -> Path:
        """Return the file of instructions for all projects."""
        return configuration_folder(home, env) / "AGENTS.md"

    def hook_files(self, paths: Paths, installation: Installation) -> tuple[FileToWrite, ...]:
        """Render the plugin's program."""
        return plugin_files(NAME, _SOURCES / "plugin.js", paths, installation)

    def plan_connect(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionPlan | ConnectionRefused:
        """Plan to write the plugin file; ``python`` runs the MCP program."""
        constants = {
            "PROGRAM": plugin_file(paths.hooks, NAME).as_uri(),
            "PYTHON": python,
            "MCP": str(mcp_files.program_file(paths.hooks)),
        }
        text = fill_in((_SOURCES / "loader.js").read_text(encoding="utf-8"), constants)
        plugin = OwnFile(NAME, settings).plan(paths, text)
        return plan_changes((plugin,), self.hook_files(paths, installation))

    def plan_disconnect(self, settings: Path, paths: Paths) -> ConnectionPlan | ConnectionRefused:
        """Plan to delete the plugin file."""
        return plan_changes((OwnFile(NAME, settings).plan_removal(paths),))

    def state(
        self, settings: Path, paths: Paths, installation: Installation, python: str
    ) -> ConnectionState | ConnectionRefused:
        """Return whether the plugin file is what a plan made now would write."""
        plan = self.plan_connect(settings, paths, installation, python)
        if isinstance(plan, ConnectionRefused):
            return plan
        if not plan.changed:
            return "connected"
        return "not" if plan.settings.before is None else "partly"

    def concerns(self, settings: Path, paths: Paths, env: Mapping[str, str]) -> tuple[Concern, ...]:
        """Return that nothing in the settings keeps a plugin from running."""
        del settings, paths, env
        return ()

    def probe(self, settings: Path, paths: Paths, session: str) -> ProbeCommand | None:
        """Return how Node loads the plugin and starts a session in it, as OpenCode does."""
        del paths
        node = shutil.which("node")
        if node is None or not settings.is_file():
            return None
        host = (_SOURCES / "probe.js").read_bytes()
        return ProbeCommand(
            argv=(node, "--input-type=module", "-", settings.as_uri(), session), stdin=host
        )


CONNECTOR: Final[Connector] = OpenCodeConnector()


def configuration_folder(home: Path, env: Mapping[str, str]) -> Path:
    """Return the user's configuration folder, in which both versions look for plugins."""
    own = env.get("OPENCODE_CONFIG_DIR", "").strip()
    if own:
        return Path(own)
    configured = env.get("XDG_CONFIG_HOME", "").strip()
    return (Path(configured) if configured else home / ".config") / "opencode"
