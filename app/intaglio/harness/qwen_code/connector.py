"""Connects Qwen Code: hooks and our MCP program in its ``settings.json``."""

from typing import Final

from intaglio.connect.connector import Connector
from intaglio.connect.hook_json import (
    EventHook,
    HandlerKeys,
    HookJsonConnector,
    McpList,
    OffSwitch,
    SettingsFolder,
)

NAME: Final = "qwen-code"
LABEL: Final = "Qwen Code"
FOLDER: Final = SettingsFolder(name=".qwen", variable="QWEN_HOME")

CONNECTOR: Final[Connector] = HookJsonConnector(
    name=NAME,
    label=LABEL,
    program="qwen",
    driven_version="0.15.10",
    folder=FOLDER,
    settings="settings.json",
    instructions="QWEN.md",
    # SessionStart is left out: what its hooks reply never reaches the model.
    hooks={
        "UserPromptSubmit": EventHook(task="reply", timeout_s=3),
        "PostToolUse": EventHook(task="ask", timeout_s=3, matcher="write_file|edit"),
        "PreCompact": EventHook(task="report", timeout_s=10),
        "PostCompact": EventHook(task="report", timeout_s=10),
        "Stop": EventHook(task="report", timeout_s=10),
        "SessionEnd": EventHook(task="report", timeout_s=5),
    },
    start="UserPromptSubmit",
    handler=HandlerKeys(per_second=1_000, keys={"type": "command", "name": "intaglio"}),
    mcp=McpList(file="settings.json"),
    off=(OffSwitch(keys=("disableAllHooks",), value=True),),
)
