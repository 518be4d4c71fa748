"""The `Harness` implementation for OpenCode: what `plugin.js` posts, and its database."""

from typing import Final

from intaglio.connect.hook_json import PayloadFields
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    Prompt,
    SessionEnd,
    SessionStart,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.opencode.connector import LABEL, NAME, configuration_folder
from intaglio.harness.opencode.database import SessionDatabase
from intaglio.harness.opencode.user_text import unquoted
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits

_TOOLS: Final = ("edit", "multiedit", "write", "patch", "apply_patch")
_FORMAT: Final = HookFormat(
    fields=PayloadFields(event="event", session="session", summary="summary"),
    events={
        "session_start": SessionStart,
        "prompt": Prompt,
        "compaction": Compaction,
        "compaction_end": CompactionEnd,
        "tool_use": ToolUse,
        "turn_end": TurnEnd,
        "session_end": SessionEnd,
    },
    reply=ReplyKeys(
        events=(SessionStart, Prompt, Compaction, ToolUse), context="text", inside="", notice=""
    ),
    # OpenCode stores nothing of what the model was told, so a resumed session doesn't hold it.
    sources={"resume": "clear"},
    edits={tool: EditedFile("file_path") for tool in _TOOLS},
    typed=unquoted,
)
# The tags of its own words to the model, as of version 1.18.
_TAGS: Final = (
    *("available-skills", "available-references", "skill-files", "mcp-instructions"),
    *("system-update", "prior-summary", "task-result", "shell-metadata"),
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=SessionDatabase(),
    tags=_TAGS,
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            folder=configuration_folder,
            everywhere=(("AGENTS.md",),),
            project=(("AGENTS.md", "CLAUDE.md", "CONTEXT.md"),),
        )
    ),
)
