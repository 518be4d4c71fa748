"""The `Harness` of GitHub Copilot CLI, as version 1.0 sends its hooks."""

from typing import Final

from intaglio.harness.copilot_cli.connector import FOLDER, LABEL, NAME
from intaglio.harness.copilot_cli.transcript import TRANSCRIPTS
from intaglio.harness.events import (
    Compaction,
    Prompt,
    SessionEnd,
    SessionStart,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits

_FORMAT: Final = HookFormat(
    events={
        "SessionStart": SessionStart,
        "UserPromptSubmit": Prompt,
        "PostToolUse": ToolUse,
        "PreCompact": Compaction,
        "Stop": TurnEnd,
        "SessionEnd": SessionEnd,
    },
    reply=ReplyKeys(inside="", notice=""),
    sources={"new": "startup"},
    edits={"Write": EditedFile("path"), "Edit": EditedFile("path")},
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=TRANSCRIPTS,
    tags=("current-datetime", "task-completion", "skills-instructions", "model-information"),
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            folder=FOLDER.path,
            everywhere=(("copilot-instructions.md",),),
            project=((".github/copilot-instructions.md",), ("AGENTS.md",), ("CLAUDE.md",)),
            only_root=True,
        )
    ),
)
