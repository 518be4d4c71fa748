"""Reads user and agent messages from Claude Code's transcripts, from a position on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as datafield
from pathlib import Path
from typing import Final, Literal

from msgspec import UNSET, Raw, Struct, UnsetType, field

from intaglio.base.clock import parse_moment
from intaglio.base.json.tolerant import TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import HarnessTitle, TranscriptMessage, TranscriptReading
from intaglio.harness.claude_code.answers import QUESTIONS, UserReply, read_answers, read_rejection
from intaglio.harness.claude_code.connector import FOLDER
from intaglio.harness.claude_code.typed_text import typed_text
from intaglio.harness.transcript import offset_of, read_json_lines, start_of_line_before

_QUESTION_BYTES: Final = 1_000_000
_USER_PROMPT_SOURCES = frozenset({"typed", "queued", "suggestion_accepted", "sdk"})
_PROGRAMS: Final = "sdk"
_MACHINE_TURNS = frozenset(
    {"scheduled", "task_notification", "auto_continuation", "peer", "host_synthetic", "system"}
)


class _Block(Struct):
    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    content: Raw | UnsetType = UNSET


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
    custom_title: str | None = None
    ai_title: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_virtual: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None
    text_not_typed: bool | None = None
    handed_off: bool | None = None
    user_feedback: str | None = None
    holds_persons_words: bool | None = None
    tool_use_result: Raw | UnsetType = UNSET
    wakeup_source: Raw | UnsetType = UNSET
    scheduled_task_id: Raw | UnsetType = UNSET
    started_by_tool: Raw | UnsetType = field(default=UNSET, name="sourceToolUseID")


_DECODER = TolerantDecoder(_Record)


def transcript_roots(home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
    """List the transcript folders below the home, configured and connected folders."""
    return [base / "projects" for base in FOLDER.places(home, env, folders)]


def read_new(
    path: Path, position: str, limit_bytes: int, context_bytes: int = 0
) -> TranscriptReading:
    """Read the messages from ``position`` on; see `read_json_lines`."""
    reader = _Reader(path, offset_of(position))
    reading = read_json_lines(path, position, limit_bytes, _DECODER, reader.messages, context_bytes)
    return replace(reading, title=reader.title)


def _is_from_program(record: _Record) -> bool:
    marks = (record.prompt_source, record.turn_origin, record.entrypoint)
    return any(mark is not None and mark.startswith(_PROGRAMS) for mark in marks)


@dataclass(slots=True)
class _Reader:
    """Reads records in order; ``calls`` are the names of the tools that the agent called, by id."""

    path: Path
    offset: int
    calls: dict[str, str] = datafield(default_factory=dict[str, str])
    title: HarnessTitle | None = None
    _knows_earlier: bool = False
    _seen: set[str] = datafield(default_factory=set[str])

    def messages(self, record: _Record) -> list[TranscriptMessage]:
        """Return the messages of a record: more than one only if the user answered questions."""
        self._note_title(record)
        if not record.uuid or not record.session_id or record.is_sidechain or record.agent_id:
            return []
        role: Literal["user", "assistant"] = "user"
        said: list[UserReply] = []
        if record.type == "user" and record.message:
            said = self._said(record, record.message.content)
        elif record.type == "attachment" and record.attachment and _is_queued(record.attachment):
            said = [UserReply(_user_text(record.attachment.prompt, is_typed=True))]
        elif record.type == "assistant" and record.message and not record.is_api_error_message:
            role = "assistant"
            self._note_calls(record.message.content)
            said = [UserReply("\n\n".join(_texts(record.message.content)).strip())]
        time = parse_moment(record.timestamp) if record.timestamp else None
        session, message_id = scrub(record.session_id), scrub(record.uuid)
        return [
            TranscriptMessage(
                session=session,
                message_id=message_id if number == 0 else f"{message_id}#{number + 1}",
                role=role,
                text=scrub(each.text),
                time=time,
                cwd=record.cwd,
                from_program=not each.question and _is_from_program(record),
                question=scrub(each.question),
                is_choice=each.is_choice,
            )
            for number, each in enumerate(said)
            if each.text
        ]

    def _note_title(self, record: _Record) -> None:
        """Keep the latest title: the user's own before the client's, and any before a summary."""
        if record.uuid:
            self._seen.add(record.uuid)
        session = scrub(record.session_id or "")
        known = self.title
        if record.type == "custom-title" and record.custom_title:
            self.title = HarnessTitle(scrub(record.custom_title), by_user=True, session=session)
        elif known is not None and known.by_user:
            return
        elif record.type == "ai-title" and record.ai_title:
            self.title = HarnessTitle(scrub(record.ai_title), session=session)
        # Older clients also write the summaries of other sessions into a transcript.
        elif record.type == "summary" and record.summary and record.leaf_uuid in self._seen:
            self.title = HarnessTitle(scrub(record.summary))

    def _said(self, record: _Record, content: str | list[_Block] | None) -> list[UserReply]:
        """Return what the user said in a record, as a prompt or otherwise."""
        if isinstance(content, list) and any(block.type == "tool_result" for block in content):
            return self._in_tool_result(record, content)
        is_typed = record.prompt_source in _USER_PROMPT_SOURCES or record.turn_origin == "human"
        return [UserReply(_user_text(content, is_typed=is_typed))] if _is_prompt(record) else []

    def _in_tool_result(self, record: _Record, content: Sequence[_Block]) -> list[UserReply]:
        """Return the user's answers to the agent's questions, or what they said to a tool's use."""
        ids = {block.tool_use_id for block in content if block.tool_use_id}
        if not isinstance(record.tool_use_result, UnsetType) and self._are_questions(ids):
            return read_answers(bytes(record.tool_use_result))
        if record.user_feedback:
            return [UserReply(_user_text(record.user_feedback, is_typed=True))]
        if not record.holds_persons_words:
            return []
        results = (
            bytes(each.content) for each in content if not isinstance(each.content, UnsetType)
        )
        rejections = [words for each in results if (words := read_rejection(each))]
        said = [*rejections, *_texts(list(content))]
        return [UserReply(_user_text("\n\n".join(said), is_typed=True))]

    def _note_calls(self, content: str | list[_Block] | None) -> None:
        if isinstance(content, list):
            self.calls.update({each.id: each.name for each in content if each.id and each.name})

    def _are_questions(self, ids: set[str]) -> bool:
        """Whether a tool's result answers the agent's questions; any tool could look like it."""
        if not self.calls.keys() >= ids and not self._knows_earlier:
            self._knows_earlier = True
            self.calls = self._earlier_calls() | self.calls
        return any(self.calls.get(each) == QUESTIONS for each in ids)

    def _earlier_calls(self) -> dict[str, str]:
        """Return the calls shortly before the part that is read."""
        if not self.offset:
            return {}
        start = start_of_line_before(self.path, self.offset, _QUESTION_BYTES)
        earlier = _Reader(self.path, 0)
        if start < self.offset:
            read_json_lines(self.path, str(start), self.offset - start, _DECODER, earlier.messages)
        return earlier.calls


def _is_prompt(record: _Record) -> bool:
    flags = (
        record.is_meta,
        record.is_compact_summary,
        record.is_virtual,
        record.is_visible_in_transcript_only,
        record.text_not_typed,
        record.handed_off,
    )
    marks = (
        record.tool_use_result,
        record.wakeup_source,
        record.scheduled_task_id,
        record.started_by_tool,
    )
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


def _user_text(content: str | list[_Block] | None, *, is_typed: bool) -> str:
    parts = (typed_text(text, is_typed=is_typed) for text in _texts(content))
    return "\n\n".join(part for part in parts if part)
