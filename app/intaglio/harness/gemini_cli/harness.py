"""The `Harness` of Gemini CLI, as version 0.61 sends its hooks."""

from typing import Final

from intaglio.harness.events import Prompt, SessionEnd, SessionStart, ToolUse, TurnEnd
from intaglio.harness.gemini_cli.connector import FOLDER, LABEL, NAME
from intaglio.harness.gemini_cli.transcript import TRANSCRIPTS, without_context
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits

_FORMAT: Final = HookFormat(
    events={
        "SessionStart": SessionStart,
        "BeforeAgent": Prompt,
        "AfterTool": ToolUse,
        "AfterAgent": TurnEnd,
        "SessionEnd": SessionEnd,
    },
    edits={"write_file": EditedFile("file_path"), "replace": EditedFile("file_path")},
    # Without a terminal, the context of the start is put before the first prompt.
    typed=without_context,
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=TRANSCRIPTS,
    tags=("state-snapshot", "task-state", "user-project-memory", "activated-skill"),
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            folder=FOLDER.path,
            everywhere=(("GEMINI.md",),),
            project=(("GEMINI.md",),),
            imports=True,
        )
    ),
)
