"""Connects Gemini CLI: hooks and our MCP program in its ``settings.json``."""

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

NAME: Final = "gemini-cli"
LABEL: Final = "Gemini CLI"
FOLDER: Final = SettingsFolder(name=".gemini")
HOOK_NAME: Final = "intaglio"
"""What the client calls our hooks, and by which the user can disable them there."""

CONNECTOR: Final[Connector] = HookJsonConnector(
    name=NAME,
    label=LABEL,
    program="gemini",
    driven_version="0.61.0",
    folder=FOLDER,
    settings="settings.json",
    instructions="GEMINI.md",
    # PreCompress is left out: it is sent before each request, whether or not one is compressed.
    hooks={
        "SessionStart": EventHook(task="reply", timeout_s=5),
        "BeforeAgent": EventHook(task="reply", timeout_s=3),
        "AfterTool": EventHook(task="ask", timeout_s=3, matcher="write_file|replace"),
        "AfterAgent": EventHook(task="report", timeout_s=10),
        "SessionEnd": EventHook(task="report", timeout_s=5),
    },
    handler=HandlerKeys(per_second=1_000, keys={"type": "command", "name": HOOK_NAME}),
    mcp=McpList(file="settings.json"),
    off=(
        OffSwitch(keys=("hooksConfig", "enabled"), value=False),
        OffSwitch(keys=("hooksConfig", "disabled"), value=HOOK_NAME),
    ),
)
