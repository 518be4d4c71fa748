"""A harness that gives its hooks an event's JSON on standard input, from a description.

`intaglio.connect.hook_json` is the half that connects it. A folder with a description for each
half, and a reader of its transcripts, is a whole harness.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Generic, Protocol, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Meta, Raw, Struct

from intaglio.base.errors import InvalidInputError
from intaglio.base.json.tolerant import REFUSED, TolerantDecoder
from intaglio.base.text import scrub
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.connect.hook_json import PayloadFields
from intaglio.domain.told_files import SessionPlace, ToldFile
from intaglio.fence.marks import strip_injected
from intaglio.harness.events import (
    CompactionEnd,
    EventOrigin,
    HarnessEvent,
    IgnoredEvent,
    KeptTranscript,
    Prompt,
    SessionEnd,
    SessionEvent,
    SessionStart,
    ToolUse,
    Transcript,
)
from intaglio.harness.kept_transcripts import SessionFiles
from intaglio.harness.own_files import COMMON_FILES, MemoryFolder, OwnFiles
from intaglio.harness.protocol import HarnessLimits, Reply
from intaglio.harness.transcript import file_may_have_grown, read_json_lines

_Id = Annotated[str, Meta(min_length=1, max_length=200)]
_Path = Annotated[str, Meta(max_length=4_096)]
_Word = Annotated[str, Meta(max_length=200)]
_Record = TypeVar("_Record")
EventType: TypeAlias = type[SessionEvent]


class _HookPayload(Struct):
    """The fields that are used, by our names."""

    event: _Word
    session: _Id
    cwd: object = None
    transcript: _Path | None = None
    agent: _Word | None = None
    source: _Word | None = None
    reason: _Word | None = None
    prompt: str | None = None
    prompt_id: _Word | None = None
    tool: _Word | None = None
    tool_input: dict[str, Raw] | None = None
    summary: str | None = None


_OBJECT: Final = TolerantDecoder(dict[str, Raw])
_PAYLOAD: Final = TolerantDecoder(_HookPayload)
_TEXT: Final = TolerantDecoder(str)
_EACH_FILE: Final = SessionFiles(pattern="**/*.jsonl")


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class EditedFile:
    """Where a tool's input names the file that it changes: a key, and how to read its value.

    ``also`` are further keys, for versions that have another.
    """

    key: str
    path_of: Callable[[str], str] = _unchanged
    also: tuple[str, ...] = ()

    def path(self, tool_input: Mapping[str, Raw]) -> str:
        """Return the path; empty if it isn't there. Raises ValidationError for another type."""
        found = (tool_input[key] for key in (self.key, *self.also) if key in tool_input)
        value = next(found, None)
        return "" if value is None else self.path_of(_TEXT.decode(bytes(value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyKeys:
    """How a hook's output gives the model text: ``{inside: {named: event, context: text}}``.

    With ``inside`` empty it is ``{context: text}``. ``events`` are those that accept text so, and
    ``plain`` those whose whole output is the text;
    ``notice`` is the key of a line for the person, empty if none is shown.
    """

    events: tuple[EventType, ...] = (SessionStart, Prompt, ToolUse)
    plain: tuple[EventType, ...] = ()
    context: str = "additionalContext"
    inside: str = "hookSpecificOutput"
    named: str = "hookEventName"
    notice: str = "systemMessage"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookFormat:
    """What a harness's hooks are given, and what they may reply.

    ``events`` maps the harness's event names to ours; the first name of an event is the one that
    replies name. ``sources`` maps the harness's words for how a session starts to those of
    `SessionStart`, as far as they differ. ``user_sources`` are the sources of prompts that the user
    wrote, None if the harness reports no others. ``edits`` are the tools that change a file.
    ``typed`` returns the user's own words of a prompt.
    """

    fields: PayloadFields = field(default_factory=PayloadFields)
    events: Mapping[str, EventType]
    reply: ReplyKeys = ReplyKeys()
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    user_sources: tuple[str, ...] | None = None
    edits: Mapping[str, EditedFile] = field(default_factory=dict[str, EditedFile])
    typed: Callable[[str], str] = _unchanged


class TranscriptReader(Protocol):
    """Reads a harness's transcripts, like the methods of `Harness` that have these names."""

    @property
    def suffix(self) -> str:
        """The extension of their files, with the dot."""
        ...

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List the folders that transcripts may be read from."""
        ...

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        ...

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether a transcript may have messages beyond a position, written after ``since``."""
        ...

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions whose transcripts are in these folders."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLines(Generic[_Record]):
    """Transcripts of one JSON record per line, which only grow.

    ``folders`` lists where they may be, from the home, the environment and the folders where the
    harness was connected; ``messages`` returns those of a record. ``files`` says whose they are.
    """

    folders: Callable[[Path, Mapping[str, str], Iterable[Path]], list[Path]]
    decoder: TolerantDecoder[_Record]
    messages: Callable[[Transcript, _Record], Iterable[TranscriptMessage]]
    files: SessionFiles = _EACH_FILE
    suffix: str = ".jsonl"

    def roots(self, home: Path, env: Mapping[str, str], folders: Iterable[Path]) -> list[Path]:
        """List the folders that transcripts may be read from."""
        return self.folders(home, env, folders)

    def read(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        return read_json_lines(
            transcript.path,
            position,
            limit_bytes,
            self.decoder,
            lambda record: self.messages(transcript, record),
            context_bytes,
        )

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether the file goes beyond a position and was written after ``since``."""
        return file_may_have_grown(path, position, since)

    def past(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions whose transcripts are in these folders."""
        return self.files.sessions(roots, self.suffix, self.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookJsonHarness:
    """A harness by its description; `intaglio.harness.protocol.Harness` says the rest."""

    name: str
    label: str
    format: HookFormat
    transcripts: TranscriptReader
    tags: tuple[str, ...]
    limits: HarnessLimits
    older_paths: tuple[str, ...] = ()
    own_files: OwnFiles = COMMON_FILES

    @property
    def transcript_suffix(self) -> str:
        """The extension of its transcripts."""
        return self.transcripts.suffix

    def read_event(self, body: bytes) -> HarnessEvent:
        """Read a hook's JSON; whatever isn't needed may have any value."""
        try:
            payload = _payload(body, self.format.fields)
            origin = EventOrigin(
                session=msgspec.convert(scrub(payload.session), _Id),
                cwd=_directory(payload.cwd, is_list=self.format.fields.cwd_is_list),
                transcript=_path(payload.transcript) or None,
                agent_id=payload.agent,
            )
            event = self._event(payload.event, origin, payload)
        except REFUSED as error:
            raise InvalidInputError(
                f"Not a hook payload of {self.label}: {error}",
                hint=f"Post the JSON that {self.label} passes to its hooks.",
            ) from error
        return event

    def spooled_event(self, name: str, origin: EventOrigin, reason: str) -> HarnessEvent:
        """Create an event from what the hook program spooled."""
        return self._event(name, origin, _HookPayload(name, origin.session, reason=reason))

    def write_reply(self, event: HarnessEvent, reply: Reply) -> bytes:
        """Return the context and the notice as JSON, or nothing."""
        keys = self.format.reply
        if isinstance(event, keys.plain):
            return reply.text.encode()
        if not isinstance(event, keys.events):
            return b""
        output: dict[str, object] = {}
        if reply.notice and keys.notice:
            output[keys.notice] = reply.notice
        if reply.text.strip():
            context: dict[str, object] = {keys.context: reply.text}
            if keys.inside:
                name = next(
                    name for name, kind in self.format.events.items() if kind is type(event)
                )
                context = {keys.inside: {keys.named: name, **context}}
            output |= context
        return msgspec.json.encode(output) if output else b""

    def transcript_roots(
        self, home: Path, env: Mapping[str, str], folders: Iterable[Path]
    ) -> list[Path]:
        """List the folders that may contain transcripts."""
        return self.transcripts.roots(home, env, folders)

    def read_transcript(
        self, transcript: Transcript, position: str, limit_bytes: int, context_bytes: int = 0
    ) -> TranscriptReading:
        """Read the messages from a position on."""
        return self.transcripts.read(transcript, position, limit_bytes, context_bytes)

    def may_have_grown(self, path: Path, position: str, since: datetime | None) -> bool:
        """Whether a transcript may have messages beyond a position, written after ``since``."""
        return self.transcripts.may_have_grown(path, position, since)

    def past_sessions(self, roots: Sequence[Path]) -> Iterator[KeptTranscript]:
        """Iterate the sessions whose transcripts are in these folders."""
        return self.transcripts.past(roots)

    def told_files(self, home: Path, env: Mapping[str, str], place: SessionPlace) -> list[ToldFile]:
        """List the files that it tells its model by itself."""
        return self.own_files.told(home, env, place)

    def memory_places(
        self, home: Path, env: Mapping[str, str], projects: tuple[str, ...]
    ) -> list[MemoryFolder]:
        """List the folders where it keeps a memory of its own."""
        return self.own_files.memory(home, env, projects)

    def _event(self, name: str, origin: EventOrigin, payload: _HookPayload) -> HarnessEvent:
        kind = self.format.events.get(name)
        made: HarnessEvent
        if kind is None:
            made = IgnoredEvent(name)
        elif kind is SessionStart:
            source = payload.source or ""
            made = SessionStart(origin, self.format.sources.get(source, source))
        elif kind is Prompt:
            text = self.format.typed(strip_injected(scrub(payload.prompt or "")))
            made = Prompt(origin, text.strip(), self._is_by_user(payload), payload.prompt_id)
        elif kind is ToolUse:
            made = ToolUse(origin, payload.tool or "", self._edited(payload))
        elif kind is CompactionEnd:
            made = CompactionEnd(origin, strip_injected(scrub(payload.summary or "")))
        elif kind is SessionEnd:
            made = SessionEnd(origin, payload.reason or "")
        else:
            made = cast("Callable[[EventOrigin], SessionEvent]", kind)(origin)
        return made

    def _is_by_user(self, payload: _HookPayload) -> bool:
        users = self.format.user_sources
        return users is None or (payload.source or "") in users

    def _edited(self, payload: _HookPayload) -> str:
        """Return the path of the file that a tool changed; empty if it changed none."""
        edit = self.format.edits.get(payload.tool or "")
        path = edit.path(payload.tool_input or {}) if edit else ""
        return msgspec.convert(path.replace("\x00", ""), _Path)


def _payload(body: bytes, fields: PayloadFields) -> _HookPayload:
    """Decode the fields that are used; raises one of `REFUSED`."""
    found = _OBJECT.decode(body)
    names = {ours: getattr(fields, ours) for ours in _HookPayload.__struct_fields__}
    used = {ours: found[theirs] for ours, theirs in names.items() if theirs in found}
    return _PAYLOAD.decode(msgspec.json.encode(used))


def _directory(cwd: object, *, is_list: bool) -> str | None:
    """Return the directory, the first of a list; raises ValidationError if it can't be one."""
    # Without its directory, what a session says would count everywhere: never ignored.
    if is_list:
        return _path(next(iter(msgspec.convert(cwd, list[_Path] | None) or ()), None))
    return _path(msgspec.convert(cwd, _Path | None))


def _path(path: str | None) -> str | None:
    return path if path is None else path.replace("\x00", "")
