"""Connects Cursor: hooks in its ``hooks.json``, and our MCP program in its ``mcp.json``."""

from typing import Final

from intaglio.connect.connector import Connector
from intaglio.connect.hook_json import (
    EventHook,
    HandlerKeys,
    HookJsonConnector,
    McpList,
    PayloadFields,
    SettingsFolder,
)
from intaglio.connect.hook_settings import HooksForm

NAME: Final = "cursor"
LABEL: Final = "Cursor"
FOLDER: Final = SettingsFolder(name=".cursor")
FIELDS: Final = PayloadFields(session="conversation_id", cwd="workspace_roots", cwd_is_list=True)

CONNECTOR: Final[Connector] = HookJsonConnector(
    name=NAME,
    label=LABEL,
    program="cursor",
    folder=FOLDER,
    settings="hooks.json",
    # Instructions for all projects are in its own settings, not in a file.
    # beforeSubmitPrompt is left out: what its hooks reply never reaches the model.
    hooks={
        "sessionStart": EventHook(task="reply", timeout_s=5),
        "postToolUse": EventHook(task="ask", timeout_s=3, matcher="Write|StrReplace"),
        "preCompact": EventHook(task="report", timeout_s=10),
        "stop": EventHook(task="report", timeout_s=10),
        "sessionEnd": EventHook(task="report", timeout_s=5),
    },
    start="sessionStart",
    fields=FIELDS,
    form=HooksForm(grouped=False, version=1),
    handler=HandlerKeys(keys={}),
    mcp=McpList(file="mcp.json"),
    directory="CURSOR_PROJECT_DIR",
)
