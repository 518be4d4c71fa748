"""The `Harness` implementation for OpenClaw."""

from typing import Final

from intaglio.connect.hook_json import PayloadFields
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    Prompt,
    SessionEnd,
    SessionStart,
    TurnEnd,
)
from intaglio.harness.hook_json import HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.openclaw.connector import LABEL, NAME, state_folder
from intaglio.harness.openclaw.transcript import AgentDatabases
from intaglio.harness.openclaw.typed_text import typed_text
from intaglio.harness.own_files import InstructionNames, OwnFiles
from intaglio.harness.protocol import Harness, HarnessLimits

_FORMAT: Final = HookFormat(
    fields=PayloadFields(event="event", session="session", summary="summary"),
    events={
        "session_start": SessionStart,
        "prompt": Prompt,
        "turn_end": TurnEnd,
        "compaction": Compaction,
        "compaction_end": CompactionEnd,
        "session_end": SessionEnd,
    },
    reply=ReplyKeys(events=(SessionStart, Prompt), context="context", inside="", notice=""),
    typed=typed_text,
)

_WORKSPACE_FILES: Final = (
    *("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md"),
    *("USER.md", "HEARTBEAT.md", "MEMORY.md"),
)

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=AgentDatabases(),
    tags=("active-memory-plugin", "openclaw-*", "available-skills"),
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OwnFiles(
        instructions=InstructionNames(
            # Its sessions run in its workspace.
            folder=state_folder,
            project=tuple((name,) for name in _WORKSPACE_FILES),
            only_root=True,
        )
    ),
)
