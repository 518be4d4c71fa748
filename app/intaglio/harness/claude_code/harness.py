"""The `Harness` for Claude Code, by a description of its hooks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from intaglio.capture.transcripts import TranscriptReading
from intaglio.harness.claude_code.cleanup import kept_days
from intaglio.harness.claude_code.connector import LABEL, NAME, OLDER_PATHS
from intaglio.harness.claude_code.own_files import OWN_FILES
from intaglio.harness.claude_code.pastes import mark_paste, split_pastes
from intaglio.harness.claude_code.tags import TAGS
from intaglio.harness.claude_code.transcript import read_new, transcript_roots
from intaglio.harness.claude_code.typed_text import without_placeholders, words_of_command
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    KeptTranscript,
    Prompt,
    SessionEnd,
    SessionStart,
    ToolUse,
    Transcript,
    TurnEnd,
)
from intaglio.harness.hook_json import EditedFile, HookFormat, HookJsonHarness, ReplyKeys
from intaglio.harness.kept_transcripts import SessionFiles, SessionOrigin
from intaglio.harness.protocol import Harness, HarnessLimits
from intaglio.harness.transcript import file_may_have_grown

_FILE: Final = EditedFile("file_path")


def _origin(file: Path) -> SessionOrigin | None:
    # Older versions keep the transcripts of subagents beside those of sessions.
    return None if file.stem.startswith("agent-") else SessionOrigin(file.stem)


# What subagents said is in folders of their sessions.
_SESSIONS: Final = SessionFiles(pattern="*/*.jsonl", origin=_origin, kept_days=kept_days)


@dataclass(frozen=True, slots=True)
class Transcripts:
    """Append-only files with one record per line."""

    suffix: str = ".jsonl"

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List the folders that may contain transcripts."""
        return transcript_roots(home, env, folders)

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        return read_new(transcript.path, position, limit_bytes, context_bytes)

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the file goes beyond a position and was written after ``since``."""
        return file_may_have_grown(path, position, since)

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions of all projects."""
        return _SESSIONS.sessions(roots, self.suffix, self.read)


def typed_text(prompt: str) -> str:
    """Return the user's own words of a prompt first, as a long one is cut at its end."""
    typed, pasted = split_pastes(prompt)
    words = without_placeholders(words_of_command(typed.strip()))
    return "\n\n".join(part for part in (words, mark_paste(pasted)) if part)


HARNESS: Final[Harness] = HookJsonHarness(
    name=NAME,
    label=LABEL,
    format=HookFormat(
        events={
            "SessionStart": SessionStart,
            "UserPromptSubmit": Prompt,
            "PostToolUse": ToolUse,
            "PreCompact": Compaction,
            "PostCompact": CompactionEnd,
            "Stop": TurnEnd,
            "SessionEnd": SessionEnd,
        },
        # Plain text before a compaction is added to the request for the summary.
        reply=ReplyKeys(plain=(Compaction,)),
        user_sources=("", "user", "sdk"),
        edits={
            "Edit": _FILE,
            "Write": _FILE,
            "MultiEdit": _FILE,
            "NotebookEdit": EditedFile("notebook_path", also=("file_path",)),
        },
        typed=typed_text,
    ),
    transcripts=Transcripts(),
    tags=TAGS,
    # Claude Code replaces a longer string with a file and a short preview. It counts UTF-16 units.
    limits=HarnessLimits(reply_chars=9_500),
    older_paths=OLDER_PATHS,
    own_files=OWN_FILES,
)
