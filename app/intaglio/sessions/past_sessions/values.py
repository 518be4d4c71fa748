"""Past sessions as they are read, scored and told."""

from collections.abc import Mapping
from dataclasses import dataclass

from intaglio.memory.values import Memory
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions.replaced import NOTHING_REPLACED, ReplacedStatements
from intaglio.transcripts.values import StoredMessage


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of a user's message as capture judged it; ``confidence`` is 0 to 1.

    ``memory`` is what was kept of it, if that may be told. ``hidden`` is set if it must not be
    told: its memory was forgotten or replaced, or the user decided against it.
    """

    message_id: str
    start: int
    end: int
    sentence: str
    confidence: float
    memory: Memory | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class ReadSession:
    """A matched session with what was said in it.

    ``number`` is that of its page, 0 if it has none. ``accepted`` maps rows of the agent's messages
    to the words that the user accepted, as far as they are known. ``outdated`` are the ids of
    user's messages of which something must not be told any more, even if it isn't in them now.
    ``replaced`` is what no agent's sentence is told of, as if it still held.
    """

    match: MatchedSession
    number: int
    messages: tuple[StoredMessage, ...]
    sentences: tuple[JudgedSentence, ...]
    accepted: Mapping[int, str]
    outdated: frozenset[str] = frozenset()
    replaced: ReplacedStatements = NOTHING_REPLACED

    @property
    def title(self) -> str:
        """What the user said first."""
        return next((each.text for each in self.messages if each.role == "user"), "")

    @property
    def at(self) -> str:
        """When something was last said in it."""
        return self.match.session.ended_at

    @property
    def transcript(self) -> int:
        """The number of its transcript."""
        return self.match.session.transcript


@dataclass(frozen=True, slots=True)
class ScoredSession:
    """A session and how surely a prompt is about what was settled in it."""

    session: ReadSession
    score: float


@dataclass(frozen=True, slots=True)
class ChosenSession:
    """A session that is told; ``replaced_on`` is the day of a later session on its subject.

    ``is_told`` says whether that is told, too. ``share`` (0 to 1) is its part of the budget.
    """

    scored: ScoredSession
    reason: str
    share: float
    replaced_on: str = ""
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """The sessions that are told, in their order, and the others that came near, best first.

    Others are left out for a reason, which is a whole sentence.
    """

    told: tuple[ChosenSession, ...] = ()
    left_out: tuple[tuple[ScoredSession, str], ...] = ()
    floor: float = 0.0
