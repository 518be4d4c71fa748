"""Reads user and agent messages from Claude Code's transcripts, from an offset on."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from intaglio.base.clock import parse_moment
from intaglio.base.fence.marks import strip_injected
from intaglio.base.text import scrub
from intaglio.harness.claude_code.connector import configuration
from intaglio.harness.claude_code.pastes import split_pastes
from intaglio.harness.events import TranscriptMessage, TranscriptReading
from intaglio.harness.transcript import read_json_lines

# Tags with which the client adds text to a user's message that the user didn't write. An opening
# tag without its end tag extends to the end of the text.
_WRAPPED = re.compile(
    r"<(?P<tag>system-reminder|ide_[a-z_]{1,40}+|local-command-[a-z]{1,40}+|command-[a-z]{1,40}+"
    r"|bash-[a-z-]{1,40}+|task-notification|user-memory-input)\b[^<>]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL,
)
# The client's own rule for messages that aren't prompts.
_NO_PROMPT = re.compile(r"\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\]")

_USER_PROMPT_SOURCES = frozenset({"typed", "queued", "suggestion_accepted", "sdk"})
_PROGRAMS: Final = "sdk"
_MACHINE_TURNS = frozenset(
    {"scheduled", "task_notification", "auto_continuation", "peer", "host_synthetic", "system"}
)


class _Block(Struct):
    type: str
    text: str | None = None


class _Message(Struct):
    role: str | None = None
    content: str | list[_Block] | None = None
    model: str | None = None


class _Kind(Struct):
    kind: str | None = None


class _Attachment(Struct, rename="camel"):
    type: str | None = None
    prompt: str | list[_Block] | None = None
    origin: _Kind | None = None
    command_mode: str | None = None
    is_meta: bool | None = None
    prompt_rewritten: bool | None = None


class _Record(Struct, rename="camel"):
    type: str
    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    message: _Message | None = None
    attachment: _Attachment | None = None
    origin: _Kind | None = None
    prompt_source: str | None = None
    entrypoint: str | None = None
    turn_origin: str | None = None
    agent_id: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_virtual: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None
    text_not_typed: bool | None = None
    handed_off: bool | None = None
    tool_use_result: Raw | UnsetType = UNSET
    wakeup_source: Raw | UnsetType = UNSET
    scheduled_task_id: Raw | UnsetType = UNSET


_DECODER = msgspec.json.Decoder(_Record)


def transcript_roots(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    """List the transcript folders below the home, configured and connected folders."""
    bases = dict.fromkeys([home / ".claude", configuration(home, env), *folders])
    return [base / "projects" for base in bases]


def read_new(path: Path, offset: int, limit_bytes: int) -> TranscriptReading:
    """Read the messages from ``offset`` on; see `read_json_lines`."""
    return read_json_lines(path, offset, limit_bytes, _DECODER, _message)


def _message(record: _Record) -> TranscriptMessage | None:
    if not record.uuid or not record.session_id or record.is_sidechain or record.agent_id:
        return None
    role: Literal["user", "assistant"] = "user"
    text = ""
    if record.type == "user" and record.message and _is_user_message(record):
        text = _user_text(record.message.content)
    elif record.type == "attachment" and record.attachment and _is_queued(record.attachment):
        text = _user_text(record.attachment.prompt)
    elif record.type == "assistant" and record.message and not record.is_api_error_message:
        role = "assistant"
        text = "\n\n".join(_texts(record.message.content)).strip()
    if not text:
        return None
    time = parse_moment(record.timestamp) if record.timestamp else None
    return TranscriptMessage(
        record.session_id,
        record.uuid,
        role,
        scrub(text),
        time,
        record.cwd,
        from_program=_is_from_program(record),
    )


def _is_from_program(record: _Record) -> bool:
    marks = (record.prompt_source, record.turn_origin, record.entrypoint)
    return any(mark is not None and mark.startswith(_PROGRAMS) for mark in marks)


def _is_user_message(record: _Record) -> bool:
    flags = (
        record.is_meta,
        record.is_compact_summary,
        record.is_virtual,
        record.is_visible_in_transcript_only,
        record.text_not_typed,
        record.handed_off,
    )
    marks = (record.tool_use_result, record.wakeup_source, record.scheduled_task_id)
    return not (
        any(flags)
        or any(mark is not UNSET and bytes(mark) != b"null" for mark in marks)
        or _is_foreign(record.origin)
        or (record.prompt_source is not None and record.prompt_source not in _USER_PROMPT_SOURCES)
        or record.turn_origin in _MACHINE_TURNS
    )


def _is_queued(attachment: _Attachment) -> bool:
    """Whether this is a prompt that the user typed while the agent was running."""
    return (
        attachment.type == "queued_command"
        and attachment.command_mode in {None, "prompt"}
        and not attachment.is_meta
        and not attachment.prompt_rewritten
        and not _is_foreign(attachment.origin)
    )


def _is_foreign(origin: _Kind | None) -> bool:
    return origin is not None and origin.kind != "human"


def _texts(content: str | list[_Block] | None) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [block.text for block in content or () if block.type == "text" and block.text]


def _user_text(content: str | list[_Block] | None) -> str:
    if isinstance(content, list) and any(block.type == "tool_result" for block in content):
        return ""
    parts = (_typed(text) for text in _texts(content))
    return "\n\n".join(part for part in parts if part and not _NO_PROMPT.match(part))


def _typed(text: str) -> str:
    # Pastes first: a pasted text may contain any of the client's other tags, unclosed ones too.
    typed, _ = split_pastes(strip_injected(text))
    return _WRAPPED.sub("", typed).strip()
