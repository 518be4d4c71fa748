"""Connects GitHub Copilot CLI: a file of hooks, and our MCP program in its list of servers."""

from typing import Final

from intaglio.connect.connector import Connector
from intaglio.connect.hook_json import (
    EventHook,
    HandlerKeys,
    HookJsonConnector,
    McpList,
    SettingsFolder,
)
from intaglio.connect.hook_settings import HooksForm

NAME: Final = "copilot-cli"
LABEL: Final = "GitHub Copilot CLI"
FOLDER: Final = SettingsFolder(name=".copilot", variable="COPILOT_HOME")

CONNECTOR: Final[Connector] = HookJsonConnector(
    name=NAME,
    label=LABEL,
    program="copilot",
    driven_version="1.0.102",
    folder=FOLDER,
    settings="hooks/intaglio.json",
    instructions="copilot-instructions.md",
    # Named like this, events come with their name, and with fields in snake_case.
    hooks={
        "SessionStart": EventHook(task="reply", timeout_s=5),
        "UserPromptSubmit": EventHook(task="reply", timeout_s=3),
        "PostToolUse": EventHook(task="ask", timeout_s=3, matcher="create|edit"),
        "PreCompact": EventHook(task="report", timeout_s=10),
        "Stop": EventHook(task="report", timeout_s=10),
        "SessionEnd": EventHook(task="report", timeout_s=5),
    },
    form=HooksForm(grouped=False, version=1),
    handler=HandlerKeys(command="bash", windows="powershell", timeout="timeoutSec"),
    mcp=McpList(file="mcp-config.json"),
)
