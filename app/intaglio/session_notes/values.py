"""The values of notes: what a model is shown of a session, what it notes, what becomes of it."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from intaglio.domain.memory_types import MemoryType
from intaglio.inference.completion.ports import ModelName
from intaglio.memory.values import Actor
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.transcripts.values import StoredMessage

OPEN_END: Final[MemoryType] = "issue"
"""The type of a memory that says what is still open."""

NoteOrigin: TypeAlias = Literal["user", "accepted", "agent"]
"""Whose a note is: the user said it, accepted what the agent proposed, or the agent found it."""


def pipeline_actor(session: SessionRef) -> Actor:
    """Return who changes memories for a language model."""
    return Actor("pipeline", "pipeline", session.id)


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a few sentences, what it was about, and what was decided."""

    text: str
    topics: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


NO_SUMMARY: Final = SessionSummary("")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPart:
    """The part of a session that was in one project: one transcript.

    ``read_up_to`` is the row of the last message that was read for notes, ``so_far`` sums up what
    was said up to there.
    """

    transcript: int
    session: SessionRef
    project: str | None
    started_at: str
    read_up_to: int = 0
    so_far: SessionSummary = NO_SUMMARY

    @property
    def key(self) -> SessionKey:
        """The session's key."""
        return self.session.key


@dataclass(frozen=True, slots=True)
class NumberedMessage:
    """A message as it is shown to the model; ``number`` counts within the part, from 1."""

    number: int
    message: StoredMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedText:
    """A memory of the session, as the model is shown it; ``number`` is that of its message.

    ``by_rules`` if it is a sentence of rules alone, ``is_open`` if a note says that it is open.
    """

    message_id: str
    text: str
    memory_id: str
    by_rules: bool = True
    is_open: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class AskedText:
    """A suggestion of the session that waits in the inbox; ``number`` is that of its message."""

    message_id: str
    text: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class KnownTexts:
    """What the session's messages led to before: memories, and open suggestions."""

    saved: tuple[SavedText, ...] = ()
    asked: tuple[AskedText, ...] = ()


NOTHING_KNOWN: Final = KnownTexts()


@dataclass(frozen=True, slots=True)
class NotesChunk:
    """Some of a part's messages in one request.

    ``context`` was read before, ``new`` is to be read; ``known`` is what both led to.
    """

    context: tuple[NumberedMessage, ...]
    new: tuple[NumberedMessage, ...]
    known: KnownTexts = NOTHING_KNOWN

    @property
    def last_row(self) -> int:
        """The highest row of a message that is to be read."""
        return max(each.message.number for each in self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNote:
    """What the model noted; ``message`` is the number of the message that bears it.

    ``evidence`` is quoted from that message, ``accepted`` from the agent's message before it.
    """

    content: str
    type: MemoryType
    message: int
    evidence: str
    accepted: str = ""


@dataclass(frozen=True, slots=True)
class OutdatedText:
    """What the user took back or replaced: the number of a saved text, and where they did."""

    saved: int
    message: int
    evidence: str


@dataclass(frozen=True, slots=True)
class ListedSummary:
    """What is written of a session; the fields are in the order in which their columns are read.

    By the model that reads sessions, by the agent at a compaction, or by rules at its end.
    """

    kind: Literal["session", "compaction", "checkpoint"]
    id: str
    text: str
    project: str | None
    started_at: str
    active_at: str
    session_id: str
    harness: str
    agent_id: str
    at: str

    def having(self, text: str | None) -> "ListedSummary":
        """Return it with a text, if there is one."""
        return self if text is None else replace(self, text=text)


@dataclass(frozen=True, slots=True)
class SessionNotes:
    """A reply: notes, the numbers of saved texts that are one-off tasks or outdated, a summary."""

    notes: tuple[ModelNote, ...]
    one_off: tuple[int, ...] = ()
    summary: SessionSummary = NO_SUMMARY
    outdated: tuple[OutdatedText, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeBy:
    """Which prompt, in which version, and which model made something."""

    prompt: str
    version: int
    model: ModelName


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingNote:
    """A note that is stored and not yet kept; ``message_row`` is that of the message it is from.

    If it has a memory that it ``outdates``, it only says that the user took that back.
    """

    seq: int
    content: str
    type: MemoryType
    message_row: int
    evidence: str
    accepted: str
    made_by: MadeBy
    outdates: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A part of a session as notes are checked against it: all messages, and the user's."""

    messages: tuple[StoredMessage, ...]
    said: tuple[UserMessage, ...]

    def text_of(self, row: int) -> str:
        """Return a message's text; empty if it isn't there any more."""
        return next((each.text for each in self.messages if each.number == row), "")

    def said_at(self, row: int) -> str | None:
        """Return when a message was said; None if it isn't there any more."""
        return next((each.said_at for each in self.messages if each.number == row), None)

    def id_of(self, row: int) -> str:
        """Return a message's id; empty if it isn't there any more."""
        return next((each.message_id for each in self.messages if each.number == row), "")


@dataclass(frozen=True, slots=True)
class NoteSaved:
    """A note is this memory now, or was before."""

    memory_id: str
    origin: NoteOrigin


@dataclass(frozen=True, slots=True)
class NoteSuggested:
    """A note waits in the inbox for the user's decision."""

    inbox_id: str
    origin: NoteOrigin


@dataclass(frozen=True, slots=True)
class NoteLeftOut:
    """Nothing became of a note, and why."""

    reason: Literal["unfounded", "unwanted", "too many"]


@dataclass(frozen=True, slots=True)
class NoteOutdates:
    """The user took back what a memory says: it is told no more, or the user is asked."""

    memory_id: str
    is_asked: bool


SavedNote: TypeAlias = NoteSaved | NoteSuggested | NoteOutdates | NoteLeftOut


@dataclass(slots=True)
class NoteCounts:
    """How many notes were saved, suggested and left out since the daemon started, by why."""

    counts: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, what: str) -> None:
        """Count one."""
        self.counts[what] = self.counts.get(what, 0) + 1
