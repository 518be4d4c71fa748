"""The `Harness` of Qwen Code, as version 0.15 sends its hooks."""

from typing import Final

from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    Prompt,
    SessionEnd,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits
from intaglio.harness.qwen_code.connector import FOLDER, LABEL, NAME
from intaglio.harness.qwen_code.transcript import TRANSCRIPTS

_FORMAT: Final = HookFormat(
    events={
        "UserPromptSubmit": Prompt,
        "PostToolUse": ToolUse,
        "PreCompact": Compaction,
        "PostCompact": CompactionEnd,
        "Stop": TurnEnd,
        "SessionEnd": SessionEnd,
    },
    reply=ReplyKeys(events=(Prompt, ToolUse)),
    edits={"write_file": EditedFile("file_path"), "edit": EditedFile("file_path")},
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=TRANSCRIPTS,
    tags=("state-snapshot", "current-plan", "task-notification"),
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            folder=FOLDER.path,
            everywhere=(("QWEN.md",), ("AGENTS.md",)),
            project=(("QWEN.md",), ("AGENTS.md",)),
            imports=True,
        )
    ),
)
