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
from intaglio.harness.openclaw.connector import LABEL, NAME
from intaglio.harness.openclaw.transcript import AgentDatabases
from intaglio.harness.openclaw.typed_text import typed_text
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

HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=_FORMAT,
    transcripts=AgentDatabases(),
    tags=("active-memory-plugin", "openclaw-*", "available-skills"),
    limits=HarnessLimits(reply_chars=9_500),
)
"""Our plugin makes the payloads: in OpenClaw, hooks are functions."""
