"""What a user's message says that is worth keeping: clauses, statements and withdrawals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.capture.reach.scope_words import Reach
from intaglio.language.detection import Language

StatementType: TypeAlias = Literal[
    "decision", "preference", "rule", "fact", "procedural", "learning"
]
"""A learning is what was tried and failed; only rules make one, never the classifier."""
Outcome: TypeAlias = Literal["kept", "suggested", "considered"]
"""What is considered was judged, and neither stored nor offered."""
ReminderFrequency: TypeAlias = Literal["normal", "fewer"]

# Below this, a sentence isn't even considered.
CONSIDERED_FROM: Final = 0.2
LASTING_FROM: Final[Mapping[ReminderFrequency, float]] = {"normal": 0.15, "fewer": 0.26}
"""From which `TurnJudgement.lasting` the agent is reminded to save what a message says."""


@dataclass(frozen=True, slots=True)
class Block:
    """The paragraph that a clause stands in, and how much it looks like a pasted document.

    ``document`` lies between 0 (typed by the user) and 1 (certainly pasted); ``introduced`` says
    how surely the line above announces a quotation. ``foreign`` and ``formal`` are shares of its
    lines: of output, code and quotes, and of those written like a document's. ``standing`` is set
    for a list of rules that the user wrote for this project. ``titled`` and
    ``letter`` are set if it has a title, or the greeting of a letter or its end; ``cited`` is, if
    the line above cites a document, ``under_title`` if it is a document's title, and
    ``presented`` if a few words without an end stand above it, or a question, or a letter's end
    stands below. ``longest`` counts the
    characters of its longest line. ``in_person`` is set if only its form looks like a document's,
    and the user speaks in it.
    """

    lines: int = 1
    items: int = 0
    document: float = 0.0
    introduced: float = 0.0
    foreign: float = 0.0
    formal: float = 0.0
    titled: bool = False
    letter: bool = False
    cited: bool = False
    under_title: bool = False
    presented: bool = False
    standing: bool = False
    longest: int = 0
    in_person: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause or a sentence of a message; ``start`` and ``end`` are characters of it as given.

    ``text`` is the clause as written, with wrapped lines joined; in ``bare``, code, links and
    quotations are blanked out. ``sentence_start`` and ``sentence_end`` are the sentence's.
    ``number`` is its index in the message, ``line`` its line in the paragraph, from 0. ``cited`` is
    set if its sentence cites a document, ``after_citation`` if an earlier one of its line does or
    it may do so itself. ``heading`` is the line above the list that an item belongs to, without its
    colon. ``answer`` is the agent's question with the user's answer, if that is what
    the clause consists of; ``text`` then is how it is judged.
    """

    number: int
    text: str
    bare: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    language: Language = "en"
    item: bool = False
    line: int = 0
    block: Block = Block()
    cited: bool = False
    after_citation: bool = False
    heading: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which confidence a statement is kept, and from which it is suggested."""

    keep: float
    suggest: float


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of the user, and what becomes of it.

    ``clause`` is its whole sentence, ``content`` what is stored; it reads well alone. ``reach``
    says how far it reaches by its words. ``confidence`` is the calibrated probability that a
    careful colleague would keep it, or might. ``corrects`` is set if it begins as a correction: it
    takes back or replaces what was said before. ``stands_alone`` is set if the content means
    something without its conversation, and no citation stands before it. ``may_last`` is False if
    it asks, supposes, reports or orders something. ``said_by_agent`` are the agent's words that the
    user accepted or answered.
    """

    clause: Clause
    content: str
    type: StatementType
    reach: Reach
    confidence: float
    outcome: Outcome
    corrects: bool
    stands_alone: bool
    may_last: bool = True
    said_by_agent: str = ""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Takes back what was said before, without a new statement: "scratch that"."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class TurnJudgement:
    """What one message of the user states and takes back, in the order of the message.

    ``lasting`` is the highest confidence over its sentences, whatever becomes of them.
    """

    statements: tuple[Statement, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    lasting: float = 0.0

    @property
    def stated(self) -> tuple[Statement, ...]:
        """The statements that are kept or suggested."""
        return tuple(one for one in self.statements if one.outcome != "considered")
