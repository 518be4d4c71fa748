"""Converts Claude Code's hook payloads to events, and injected text to its replies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from intaglio.base.errors import InvalidInputError
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.base.text import scrub
from intaglio.fence.marks import strip_injected
from intaglio.harness.claude_code.pastes import mark_paste, split_pastes
from intaglio.harness.claude_code.typed_text import without_placeholders, words_of_command
from intaglio.harness.events import (
    Compaction,
    CompactionEnd,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    Prompt,
    SessionEnd,
    SessionStart,
    ToolUse,
    TurnEnd,
)
from intaglio.harness.protocol import Reply

_Id = Annotated[str, Meta(min_length=1, max_length=200)]
_Path = Annotated[str, Meta(max_length=4_096)]
_Word = Annotated[str, Meta(max_length=200)]
_USER_SOURCES = ("", "user", "sdk")
_EDITING_TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
# What has nothing but its origin, unless the payload adds to it.
_BARE_EVENTS: Final[Mapping[str, Callable[[EventOrigin], HarnessEvent]]] = {
    "PostToolUse": ToolUse,
    "PreCompact": Compaction,
    "PostCompact": CompactionEnd,
    "Stop": TurnEnd,
}


class _ToolInput(Struct):
    file_path: _Path | None = None
    notebook_path: _Path | None = None


class _Payload(Struct):
    hook_event_name: _Word
    session_id: _Id
    cwd: object = None
    transcript_path: _Path | None = None
    agent_id: _Word | None = None
    source: _Word | None = None
    reason: _Word | None = None
    prompt: str | None = None
    prompt_id: _Word | None = None
    compact_summary: object = None
    tool_name: _Word | None = None
    tool_input: _ToolInput | None = None


_DECODER = TolerantDecoder(_Payload)


def read_event(body: bytes) -> HarnessEvent:
    """Read a hook's JSON; whatever isn't needed may have any value.

    Raises InvalidInputError if it isn't a Claude Code payload.
    """
    try:
        return _event(_DECODER.decode(body))
    except REFUSED as error:
        raise InvalidInputError(
            f"Not a Claude Code hook payload: {error}",
            hint="Post the JSON that Claude Code passes to its hooks.",
        ) from error


def make_event(
    name: str,
    origin: EventOrigin,
    *,
    source: str = "",
    reason: str = "",
    prompt: str = "",
    prompt_id: str | None = None,
) -> HarnessEvent:
    """Create an event from Claude Code's event name; also used for spooled events."""
    match name:
        case "SessionStart":
            return SessionStart(origin, source)
        case "UserPromptSubmit":
            # The user's own words first: a long prompt is cut at its end.
            typed, pasted = split_pastes(strip_injected(scrub(prompt)))
            words = without_placeholders(words_of_command(typed.strip()))
            text = "\n\n".join(part for part in (words, mark_paste(pasted)) if part)
            return Prompt(origin, text, source in _USER_SOURCES, prompt_id)
        case "SessionEnd":
            return SessionEnd(origin, reason)
        case _:
            known = _BARE_EVENTS.get(name)
            return known(origin) if known else IgnoredEvent(name)


def _event(payload: _Payload) -> HarnessEvent:
    origin = EventOrigin(
        session=msgspec.convert(scrub(payload.session_id), _Id),
        # Without its directory, what a session says would count everywhere: never ignored.
        cwd=_path(msgspec.convert(payload.cwd, _Path | None)),
        transcript=_path(payload.transcript_path),
        agent_id=payload.agent_id,
    )
    event = make_event(
        payload.hook_event_name,
        origin,
        source=payload.source or "",
        reason=payload.reason or "",
        prompt=payload.prompt or "",
        prompt_id=payload.prompt_id,
    )
    match event:
        case ToolUse():
            return _used(event, payload)
        case CompactionEnd() if isinstance(payload.compact_summary, str):
            return replace(event, summary=scrub(payload.compact_summary))
        case _:
            return event


def _used(event: ToolUse, payload: _Payload) -> ToolUse:
    """Return the event with the tool's name, and the path of the file that it edited."""
    tool, given = payload.tool_name or "", payload.tool_input or _ToolInput()
    edited = given.file_path or given.notebook_path if tool in _EDITING_TOOLS else None
    return replace(event, tool=tool, edited=_path(edited) or "")


def _path(path: str | None) -> str | None:
    return path if path is None else path.replace("\x00", "")


def write_reply(event: HarnessEvent, reply: Reply) -> bytes:
    """Return Claude Code's reply to an event: the context and the notice, or nothing.

    Only a session start, a prompt and an edit accept context. Before a compaction, plain text is
    added to the request for the summary. Other events always get an empty reply. Claude Code shows
    a ``systemMessage`` in the terminal and doesn't send it to the model.
    """
    match event:
        case SessionStart():
            name = "SessionStart"
        case Prompt():
            name = "UserPromptSubmit"
        case ToolUse():
            name = "PostToolUse"
        case Compaction():
            return reply.text.encode()
        case _:
            return b""
    output: dict[str, object] = {}
    if reply.notice:
        output["systemMessage"] = reply.notice
    if reply.text.strip():
        context = {"hookEventName": name, "additionalContext": reply.text}
        output["hookSpecificOutput"] = context
    return msgspec.json.encode(output) if output else b""
