"""The `Harness` of Cursor, by its documentation and by transcripts that others have published."""

from typing import Final

from intaglio.harness.cursor.connector import FIELDS, FOLDER, LABEL, NAME
from intaglio.harness.cursor.transcript import TRANSCRIPTS
from intaglio.harness.events import Compaction, SessionEnd, SessionStart, ToolUse, TurnEnd
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits

_PATH: Final = EditedFile("file_path", also=("path",))
_FORMAT: Final = HookFormat(
    fields=FIELDS,
    events={
        "sessionStart": SessionStart,
        "postToolUse": ToolUse,
        "preCompact": Compaction,
        "stop": TurnEnd,
        "sessionEnd": SessionEnd,
    },
    reply=ReplyKeys(
        events=(SessionStart, ToolUse), context="additional_context", inside="", notice=""
    ),
    edits={"Write": _PATH, "StrReplace": _PATH},
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=TRANSCRIPTS,
    tags=(
        "user-query",
        "open-and-recently-viewed-files",
        "agent-transcripts",
        "manually-attached-*",
    ),
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            folder=FOLDER.path, project=(("AGENTS.md",), ("CLAUDE.md",)), only_root=True
        )
    ),
)
