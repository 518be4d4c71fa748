"""Messages of sessions, and what a search of past sessions asks and returns."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from intaglio.domain.reader import Reader, UserReader

TranscriptRole: TypeAlias = Literal["user", "agent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMessage:
    """A message on its way into the store, as its harness reports it.

    ``message_id`` is unique within the harness. ``first_session`` is the session in which it was
    said, if that isn't the one whose transcript was read. ``said_at`` is None if it isn't known.
    """

    message_id: str
    role: TranscriptRole
    text: str
    said_at: datetime | None
    project: str | None
    first_session: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message as it is stored: without secrets and injected text, shortened to the limit.

    ``pairs`` are the pairs of characters of scripts without spaces, None if it has none.
    """

    message_id: str
    role: TranscriptRole
    said_at: str
    text: str
    pairs: str | None
    words: int
    project: str | None
    first_session: str


@dataclass(frozen=True, slots=True)
class SessionOwner:
    """The session that messages are stored for, and its agent."""

    harness: str
    session_id: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A stored message; ``said_at`` is when it was said, ``number`` its row."""

    number: int
    message_id: str
    role: TranscriptRole
    said_at: str
    text: str


@dataclass(frozen=True, slots=True)
class TranscriptSize:
    """How much of a session is stored; ``characters`` are those of its messages."""

    messages: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptFilter:
    """Which sessions are searched and read.

    An agent reads only its own sessions, the user those of all agents. ``projects`` are a project's
    key and aliases; None in it means sessions outside any project, and None instead of it all
    projects. ``without`` leaves out a session by harness and id: the current one; ``not_in`` leaves
    out projects. ``harness``, ``of_agent``, and when the last message was said, limit it further.
    """

    reader: Reader
    projects: tuple[str | None, ...] | None = None
    without: tuple[str, str] | None = None
    not_in: tuple[str, ...] = ()
    harness: str | None = None
    of_agent: str | None = None
    said_since: str | None = None
    said_before: str | None = None

    @property
    def agent_id(self) -> str | None:
        """The agent whose sessions may be read; None for those of all."""
        return None if isinstance(self.reader, UserReader) else self.reader.agent_id


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session that matches a question; its part in one project, if it was in several.

    ``score`` is BM25 over all that was said in it, ``per_word`` that score divided by the number of
    the question's words; both are 0 and more. ``matched`` are the question's words that were said,
    rarest first. ``transcript`` is the number to read its messages by.
    """

    transcript: int
    harness: str
    session_id: str
    agent_id: str
    project: str | None
    started_at: str
    ended_at: str
    messages: int
    score: float
    per_word: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionMatches:
    """The sessions that match a question, best first.

    ``words`` are the question's words; ``searched`` are those that were looked up, rarest first.
    """

    sessions: tuple[PastSession, ...]
    words: tuple[str, ...]
    searched: tuple[str, ...]
