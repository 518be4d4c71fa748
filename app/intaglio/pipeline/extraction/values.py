"""What a model reads in a memory, what it decides, and what will become of each fact."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from intaglio.domain.memory_types import GivenType
from intaglio.graph.stated_relations import Triple
from intaglio.inbox.values import ProposedChange
from intaglio.inference.completion.ports import ModelName
from intaglio.memory.values import Memory, NewMemory

PIPELINE_ACTOR: Final = "pipeline-v2"
"""Who changes memories on a model's word, in the history and as an author."""

SHADOW_ACTOR: Final = "pipeline-shadow"
"""Who only records what it would change."""

Action: TypeAlias = Literal["add", "update", "delete", "none"]

SkipReason: TypeAlias = Literal[
    "covered",
    "empty",
    "forgotten",
    "inbox_full",
    "known",
    "low_confidence",
    "malformed",
    "no_decision",
    "rejected_before",
    "same_as_other_fact",
    "same_as_source",
    "target_changed",
]
"""Why a fact changes nothing; stored in the history."""

BlockReason: TypeAlias = Literal[
    "contradiction",
    "low_confidence",
    "needs_user",
    "not_allowed",
    "of_user",
]
"""Why a change waits for the user; stored in the history.

``not_allowed``: the setting forbids it; ``of_user``: the memory is the user's own, or pinned;
``needs_user``: a rule or preference that the user's words don't bear out.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFact:
    """A fact as the model states it; ``evidence`` is what it quotes of the text."""

    content: str
    type: GivenType
    confidence: float
    evidence: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a model reads in one text."""

    facts: tuple[ExtractedFact, ...] = ()
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFact:
    """A fact with its standing: whether the user's own words, in the source memory, say it."""

    fact: ExtractedFact
    said_by_user: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDecision:
    """What the model decides for a fact; ``target`` is one of the fact's candidates."""

    action: Action
    target: Memory | None
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """There is no usable decision for a fact, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class DecidedFact:
    """A fact with its decision, or the reason for which none was asked for."""

    read: ReadFact
    outcome: FactDecision | Undecided | SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Which prompts and which model made something."""

    model: ModelName
    extract_version: int
    decide_version: int

    @property
    def model_text(self) -> str:
        """The model as it is stored."""
        return f"{self.model.provider}/{self.model.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a plan may do: the settings that hold for it."""

    shadow: bool
    min_confidence: float
    allow_update_delete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivedFact:
    """A live memory that was read in the source memory before.

    ``is_touched``: somebody changed or pinned it since.
    """

    memory: Memory
    is_touched: bool


@dataclass(frozen=True, slots=True)
class AddMemory:
    """The fact becomes a memory."""

    memory: NewMemory


@dataclass(frozen=True, slots=True)
class SuggestMemory:
    """The user is asked whether the fact becomes a memory."""

    memory: NewMemory


@dataclass(frozen=True, slots=True)
class ChangeMemory:
    """A memory is changed or forgotten."""

    target: Memory
    change: ProposedChange


@dataclass(frozen=True, slots=True)
class ProposeChange:
    """The user is asked whether a memory is changed or forgotten."""

    target: Memory
    change: ProposedChange
    blocked: BlockReason


@dataclass(frozen=True, slots=True)
class Skip:
    """The fact changes nothing."""

    reason: SkipReason


FactEffect: TypeAlias = AddMemory | SuggestMemory | ChangeMemory | ProposeChange | Skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFact:
    """What is to become of one fact."""

    decided: DecidedFact
    effect: FactEffect
    contradiction_risk: bool = False

    @property
    def fact(self) -> ExtractedFact:
        """The fact as the model stated it."""
        return self.decided.read.fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a run will write of a memory, apart from relations.

    ``retired`` are memories that were read in it before and no longer are. ``warnings`` say what of
    the replies couldn't be used.
    """

    source: Memory
    provenance: Provenance
    policy: Policy
    facts: tuple[PlannedFact, ...] = ()
    retired: tuple[Memory, ...] = ()
    warnings: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = field(default=())

    @property
    def added(self) -> list[NewMemory]:
        """The memories that it will add."""
        return [each.effect.memory for each in self.facts if isinstance(each.effect, AddMemory)]
