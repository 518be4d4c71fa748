"""The `Harness` for Codex, by a description of its hooks."""

import re
from typing import Final

from intaglio.harness.codex.connector import FIELDS, LABEL, NAME
from intaglio.harness.codex.own_files import OWN_FILES
from intaglio.harness.codex.rollouts import Rollouts
from intaglio.harness.codex.tags import TAGS
from intaglio.harness.codex.typed_text import typed_text
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    Prompt,
    SessionEnd,
    SessionStart,
    SubagentStart,
    SubagentStop,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness
from intaglio.harness.protocol import Harness, HarnessLimits

_PATCHED: Final = re.compile(r"^\*\*\* (?:Update|Add) File: (.{1,4000})$", re.MULTILINE)


def patched_file(patch: str) -> str:
    """Return the first file that a patch changes or adds; empty if there is none."""
    found = _PATCHED.search(patch)
    return found[1].strip() if found else ""


HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=HookFormat(
        fields=FIELDS,
        events={
            "SessionStart": SessionStart,
            "UserPromptSubmit": Prompt,
            "PostToolUse": ToolUse,
            "PreCompact": Compaction,
            "PostCompact": CompactionEnd,
            "SubagentStart": SubagentStart,
            "SubagentStop": SubagentStop,
            "Stop": TurnEnd,
            "SessionEnd": SessionEnd,
        },
        edits={"apply_patch": EditedFile("command", patched_file)},
        typed=typed_text,
    ),
    transcripts=Rollouts(),
    tags=TAGS,
    limits=HarnessLimits(reply_chars=9_500),
    own_files=OWN_FILES,
)
