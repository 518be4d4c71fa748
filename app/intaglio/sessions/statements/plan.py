"""Decides what recording the statements of a message does; pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.capture.settle import Replaced, Said, SettleEffect, TakenBack, Withdrawn, settle
from intaglio.domain.statement_pairs import Contradictions, StatementPair
from intaglio.inbox.values import InboxItem
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import (
    ClauseVector,
    Wording,
    in_other_words,
    relate,
    speaks_of_change,
)
from intaglio.memory.values import NewMemory
from intaglio.sessions.statements.named_memories import named_memories
from intaglio.sessions.statements.values import (
    KnownMemory,
    NamedMemories,
    PlannedStatement,
    RecordedStatement,
    RelatedItem,
    RelatedMemory,
)

# An earlier message that isn't among the latest ones.
_LONG_AGO: Final = -1_000
_LIKELY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged statement: as it would be stored, and what precedes it in its message.

    ``asks_first`` is set if the user wants to be asked about all that is captured.
    ``memory`` is None for a withdrawal, and for what can't be stored as a memory. ``corrects``,
    ``stands_alone`` and ``may_last`` are those of `capture.values.Statement`. What
    ``binds_run_only`` is suggested at most, and changes nothing. ``may_reach_further`` is set if
    other projects may be meant.
    ``said_by_agent`` are the agent's words that the user accepted or answered;
    ``answers_proposal`` is set if the agent's message before proposes or asks something.
    ``named`` is what its words say of a rule that they take back.
    """

    row: RecordedStatement
    memory: NewMemory | None
    corrects: bool = False
    stands_alone: bool = True
    may_last: bool = True
    before: str = ""
    binds_run_only: bool = False
    may_reach_further: bool = False
    said_by_agent: str = ""
    asks_first: bool = False
    answers_proposal: bool = False
    named: str = ""

    @property
    def compared(self) -> tuple[str, ...]:
        """The texts that are compared with memories."""
        return tuple(text for text in (self.row.content, self.named) if text)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a message's statements are compared with.

    ``session`` are the statements of the session that hold, oldest first; ``memories`` and
    ``items`` are those with topic words in common, and the memories nearest in meaning; ``turns``
    are the ids of the user's latest messages, the judged one last; ``vectors`` belong to texts;
    ``contradictions`` is what the cross-encoder finds of some pairs of statements.
    """

    session: Sequence[RecordedStatement]
    memories: Sequence[KnownMemory]
    items: Sequence[InboxItem]
    turns: Sequence[str]
    vectors: Mapping[str, ClauseVector]
    contradictions: Contradictions = field(default_factory=dict[StatementPair, float])

    def wording(self, text: str) -> Wording:
        """Return a text with its vector."""
        return Wording(text, self.vectors.get(text))


def plan(judged: Sequence[Judged], around: Surroundings) -> tuple[PlannedStatement, ...]:
    """Return what becomes of each statement, in order; one that withdraws nothing is left out."""
    turns = {message_id: turn for turn, message_id in enumerate(around.turns)}
    # What was repeated counts once, where it was said last.
    latest = {
        row.memory_id or row.inbox_id or row.place: row
        for row in around.session
        if _is_earlier(row, judged[0].row, turns)
    }
    holding = {row.place: _said(Judged(row, None), turns, around) for row in latest.values()}
    kept = {row.place for row in latest.values() if row.memory_id is not None}
    planned: list[PlannedStatement] = []
    for new in judged:
        if new.binds_run_only:
            planned.append(_of_one_run(new, around))
            continue
        effects = settle(tuple(holding.values()), _new(new, turns, around))
        for effect in effects:
            if isinstance(effect, Replaced | Withdrawn):
                holding.pop(effect.earlier, None)
        if new.row.outcome == "withdrawal":
            named = NamedMemories() if effects else _named(new, around)
            if effects or named:
                planned.append(
                    PlannedStatement(row=new.row, memory=None, effects=effects, takes_back=named)
                )
            continue
        found = replace(_related(new, effects, around), takes_back=_named(new, around))
        if _is_needed(new, found, kept):
            found = replace(found, row=replace(new.row, outcome="kept"))
        if found.row.outcome == "kept":
            kept.add(found.row.place)
        holding[new.row.place] = _said(new, turns, around)
        planned.append(found)
    return tuple(planned)


def _of_one_run(one: Judged, around: Surroundings) -> PlannedStatement:
    """Return what a role prompt states: evidence of what is known, else a suggestion."""
    found = _related(one, (), around)
    same, item = found.same_memory, found.same_item
    return replace(
        found,
        same_memory=None if same is None else replace(same, otherwise_worded=False),
        same_item=None if item is None else replace(item, said_before=False),
        replaces=(),
        contradicts=(),
        outdated_by=None,
    )


def _named(one: Judged, around: Surroundings) -> NamedMemories:
    if not one.named:
        return NamedMemories()
    known = [(each, around.wording(each.text)) for each in around.memories]
    found = named_memories(around.wording(one.named), one.row.at, known)
    return found.in_doubt if one.asks_first else found


def _is_needed(one: Judged, found: PlannedStatement, kept: Collection[str]) -> bool:
    """Whether it likely says what holds instead of something kept, which would else be told.

    What another session said is only replaced so if the words speak of a change.
    """
    if not one.stands_alone or one.row.confidence < _LIKELY:
        return False
    may_replace = one.may_last and not one.asks_first
    if found.replaces and may_replace and speaks_of_change(one.row.content):
        return True
    return any(isinstance(effect, Replaced) and effect.earlier in kept for effect in found.effects)


def may_concern(text: str, other: str) -> bool:
    """Whether two texts have a topic word in common: others are never related."""
    return bool(topic_overlap(text, other).shared)


def _is_earlier(row: RecordedStatement, new: RecordedStatement, turns: Mapping[str, int]) -> bool:
    # A transcript that is read again has later statements on record already.
    if row.message_id in turns:
        return True
    return row.said_at is not None and new.said_at is not None and row.said_at <= new.said_at


def _new(one: Judged, turns: Mapping[str, int], around: Surroundings) -> Said | TakenBack:
    if one.row.outcome == "withdrawal":
        return TakenBack(
            turns.get(one.row.message_id, _LONG_AGO), one.row.sentence, one.answers_proposal
        )
    return _said(one, turns, around)


def _said(one: Judged, turns: Mapping[str, int], around: Surroundings) -> Said:
    return Said(
        key=one.row.place,
        turn=turns.get(one.row.message_id, _LONG_AGO),
        wording=around.wording(one.row.content),
        type=one.row.type,
        corrects=one.corrects,
        before=one.before,
        answers_proposal=one.answers_proposal,
    )


def _related(
    one: Judged, effects: tuple[SettleEffect, ...], around: Surroundings
) -> PlannedStatement:
    new = around.wording(one.row.content)
    found = PlannedStatement(
        row=one.row,
        memory=one.memory,
        effects=effects,
        may_reach_further=one.may_reach_further,
        said_by_agent=one.said_by_agent,
    )
    said_at = one.row.at
    replaces: list[str] = []
    contradicts: list[str] = []
    # What was replaced is the same only if nothing that holds is.
    for known in sorted(around.memories, key=lambda each: each.is_replaced):
        is_later = known.said_at > said_at
        texts = (new, around.wording(known.text))
        newer, older = reversed(texts) if is_later else texts
        is_constraint = known.is_constraint and not is_later
        likely = around.contradictions.get(StatementPair(older.text, newer.text))
        match relate(newer, older, older_is_constraint=is_constraint, contradiction=likely):
            case "duplicate" if found.same_memory is None:
                otherwise = in_other_words(one.row.content, known.text)
                found = replace(found, same_memory=RelatedMemory(known.id, otherwise))
            case _ if known.is_replaced or known.said_here:
                continue
            case "replaces" if is_later and not known.is_unvouched:
                found = replace(found, outdated_by=known.id)
            case "replaces" if not is_later:
                replaces.append(known.id)
            case "replaces" | "uncertain":
                contradicts.append(known.id)
            case _:
                continue
    for item in around.items:
        if relate(new, around.wording(item.content)) == "duplicate":
            related = RelatedItem(item.id, said_before=_said_before(one.row, item))
            found = replace(found, same_item=related)
            break
    if one.row.type == "learning":
        # That something failed doesn't say what holds instead: the user is asked.
        replaces, contradicts = [], replaces
        found = replace(found, outdated_by=None)
    return replace(
        found,
        replaces=tuple(dict.fromkeys(replaces)),
        contradicts=tuple(dict.fromkeys(contradicts)),
    )


def _said_before(row: RecordedStatement, item: InboxItem) -> bool:
    """Whether the user said the item in another session, worded separately."""
    said = [each for each in item.evidence if each.by == "user"]
    sessions = {(each.harness, each.session_id) for each in said}
    texts = (item.content, *(each.sentence for each in said))
    return (
        bool(said)
        and (row.harness, row.session_id) not in sessions
        and all(
            in_other_words(text, said) for text in texts for said in (row.content, row.sentence)
        )
    )
