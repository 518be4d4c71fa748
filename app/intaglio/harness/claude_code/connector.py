"""Connects Claude Code: hooks in its ``settings.json``, our MCP program in ``.claude.json``."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from intaglio.connect.connector import Connector
from intaglio.connect.hook_files import endpoint
from intaglio.connect.hook_json import (
    EventHook,
    HandlerKeys,
    HookJsonConnector,
    OffSwitch,
    SettingsFolder,
)
from intaglio.connect.tools.mcp_servers import SERVER_NAME, McpServers

NAME: Final = "claude-code"
LABEL: Final = "Claude Code"
FOLDER: Final = SettingsFolder(name=".claude", variable="CLAUDE_CONFIG_DIR")
OLDER_PATHS: Final = ("/api/hooks/claude-code",)

_EVERYWHERE: Final = ("--scope", "user")
_NO_TRAFFIC: Final = "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"
_HANDLER: Final = HandlerKeys(args="args")
# Timeouts are in seconds. HTTP hooks aren't used: Claude Code doesn't run them at a session's
# start, and shows an error at every prompt while the daemon is down. What an edit comes near is
# told after it: the model reads it no later than what a hook before the edit returns, and a hook
# behind it can neither block nor change the edit. It is asked for, never spooled.
_HOOKS: Final = {
    "SessionStart": EventHook(task="reply", timeout_s=5),
    "UserPromptSubmit": EventHook(task="reply", timeout_s=3),
    "PostToolUse": EventHook(task="ask", timeout_s=3, matcher="Edit|Write|MultiEdit|NotebookEdit"),
    "PreCompact": EventHook(task="reply", timeout_s=5),
    "PostCompact": EventHook(task="report", timeout_s=10, keys={"async": True}),
    "Stop": EventHook(task="report", timeout_s=10, keys={"async": True}),
    "SessionEnd": EventHook(task="report", timeout_s=5),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeConnector(HookJsonConnector):
    """Adds seven hooks; Claude Code's own program keeps the list of MCP servers."""

    name: str = NAME
    label: str = LABEL
    program: str = "claude"
    driven_version: str = "2.1.330"
    folder: SettingsFolder = FOLDER
    settings: str = "settings.json"
    instructions: str = "CLAUDE.md"
    hooks: Mapping[str, EventHook] = field(default_factory=lambda: _HOOKS)
    handler: HandlerKeys = _HANDLER
    off: tuple[OffSwitch, ...] = (OffSwitch(keys=("disableAllHooks",), value=True),)
    directory: str = "CLAUDE_PROJECT_DIR"
    endpoints: tuple[str, ...] = (endpoint(NAME), *OLDER_PATHS)

    def mcp_servers(self, home: Path, env: Mapping[str, str]) -> McpServers:
        """Return the list of the servers that are there in every project."""
        program = shutil.which(self.program, path=env.get("PATH", ""))
        mcp = (program, "mcp") if program else ()
        is_moved = bool(env.get(FOLDER.variable, "").strip())
        return McpServers(
            harness=NAME,
            file=(FOLDER.path(home, env) if is_moved else home) / ".claude.json",
            add=(*mcp, "add", *_EVERYWHERE, SERVER_NAME, "--") if mcp else (),
            remove=(*mcp, "remove", *_EVERYWHERE, SERVER_NAME) if mcp else (),
            env={**env, "HOME": str(home), _NO_TRAFFIC: "1"},
            folder=home,
        )


CONNECTOR: Final[Connector] = ClaudeCodeConnector()
