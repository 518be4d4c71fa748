"""Judges what a user says in one message: what is kept, suggested or taken back.

Pure: the clause vectors come in. Call it in a thread: loading the classifier takes a moment.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from intaglio.base.text import storage_form
from intaglio.capture.answers import answered
from intaglio.capture.clauses import MAX_CLAUSE, clauses, sentences
from intaglio.capture.names import names_in
from intaglio.capture.reach.scope_words import reach_of
from intaglio.capture.standalone import StoredText, stored_text
from intaglio.capture.values import (
    CONSIDERED_FROM,
    Clause,
    Outcome,
    Sentence,
    Statement,
    StatementType,
    Thresholds,
    TurnJudgement,
    Withdrawal,
)
from intaglio.capture.wording import (
    begins_correction,
    content_of,
    leaves_it_to_the_agent,
    says_outright,
    takes_back,
)
from intaglio.language.detection import language_of
from intaglio.language.relations import ClauseVector
from intaglio.language.tokens import count_words

if TYPE_CHECKING:
    from intaglio.capture.model import FloatMatrix


MAX_EMBEDDED: Final = 40
# Each character takes 0.1 ms.
_MAX_EMBEDDED_CHARS: Final = 2_400
# Below this, a vector hardly ever makes a statement of a clause.
_HOPELESS: Final = 0.01
# Above this, words that state something outright are taken at their word.
_OUTRIGHT_FROM: Final = 0.1
_OUTRIGHT_CONFIDENCE: Final = 0.9
_MIN_ECHO_WORDS: Final = 4
# Of a longer message of the agent, so much of its end is compared.
_BEFORE_CHARS: Final = 100_000
_FEW_LINES: Final = 3
_MOSTLY: Final = 0.6
# Whoever answers decides something; whether it matters later takes more: most agents ask about
# what to do next. On 32 questions, those that matter came to 0.73 at least, others to 0.69 at most.
_ANSWER_KEPT: Final = 0.9
_ANSWER_SUGGESTED: Final = 0.65
_ASKS: Final = "?\uff1f\u061f \u00a0"
_ENDS: Final = ".!?\u3002\uff01\uff1f"
_TYPES: Final[tuple[StatementType, ...]] = ("decision", "preference", "rule", "fact", "procedural")


@dataclass(frozen=True, slots=True)
class TurnClauses:
    """The clauses of a message; ``to_embed`` are the texts whose vectors help to judge them.

    ``embedded`` are the indexes of their clauses. ``sentences`` is what can become a statement.
    ``names`` are the names in the agent's preceding message.
    """

    clauses: tuple[Clause, ...]
    to_embed: tuple[str, ...]
    embedded: tuple[int, ...]
    features: "FloatMatrix"
    grams: tuple[tuple[int, ...], ...]
    sentences: tuple[Sentence, ...]
    names: frozenset[str] = frozenset()


def read_turn(message: str, before: str) -> TurnClauses:
    """Split a user's message; ``before`` is the agent's preceding message, or empty."""
    return choose_embedded(describe_turn(message, before))


def describe_turn(message: str, before: str) -> TurnClauses:
    """Split and describe a message as `read_turn` does; nothing is chosen to be embedded yet."""
    # numpy takes a tenth of the daemon's start.
    from intaglio.capture.features import buckets, describe  # noqa: PLC0415 - see above

    said = storage_form(before[-_BEFORE_CHARS:]).lower()
    own = tuple(one for one in clauses(message) if not _echoes(one, said))
    grams = tuple(tuple(buckets(one.text)) for one in own)
    whole = sentences(message, own)
    return TurnClauses(own, (), (), describe(own, before), grams, whole, names_in(before))


def read_answer(question: str, answer: str, start: int = 0) -> TurnClauses:
    """Read an answer to the agent's question, which says little without it; see `answered`.

    ``start`` is where the answer stands in the message.
    """
    # numpy takes a tenth of the daemon's start.
    from intaglio.capture.features import buckets, describe  # noqa: PLC0415 - see above

    stated = answered(question, answer)
    # Trained on what people say by themselves, the classifier knows decisions, not dialogues.
    text = f"We decided: {question.rstrip(_ASKS)} \u2013 {answer.rstrip(_ENDS)}."
    if len(text) > MAX_CLAUSE or leaves_it_to_the_agent(answer):
        return TurnClauses((), (), (), describe((), ""), (), ())
    own = (
        Clause(
            number=0,
            text=text,
            bare=text,
            start=start,
            end=start + len(answer),
            sentence_start=start,
            sentence_end=start + len(answer),
            language=language_of(stated),
            answer=stated,
        ),
    )
    return choose_embedded(
        TurnClauses(
            own,
            (),
            (),
            describe(own, question),
            (tuple(buckets(text)),),
            (Sentence(own[0], (0,)),),
        )
    )


def choose_embedded(turn: TurnClauses) -> TurnClauses:
    """Choose the clauses to embed by what the classifier makes of their features."""
    embedded = _worth_embedding(turn)
    return replace(
        turn, to_embed=tuple(turn.clauses[at].text for at in embedded), embedded=embedded
    )


def encoder_sum() -> str:
    """Return the SHA-256 of the encoder's file that vectors have to come from."""
    from intaglio.capture.model import load_model  # noqa: PLC0415 - it loads numpy

    return load_model().encoder


def judge(
    turn: TurnClauses,
    vectors: Sequence[ClauseVector] | None,
    thresholds: Thresholds,
    names: Collection[str] = (),
) -> TurnJudgement:
    """Judge a message; ``vectors`` are those of ``to_embed``, or None to judge without them.

    ``names`` are names of the project, by which misspelt ones are mended.
    """
    if not turn.clauses:
        return TurnJudgement()
    verdicts = _verdicts(turn, vectors)
    statements: list[Statement] = []
    withdrawals: list[Withdrawal] = []
    previous: Clause | None = None
    for sentence in turn.sentences:
        before, previous = previous, sentence.whole
        if takes_back(sentence.whole.bare):
            withdrawals.append(Withdrawal(sentence.whole))
            continue
        verdict = _mean([verdicts[row] for row in sentence.clauses])
        store = partial(stored_text, sentence.whole, before, names, turn.names)
        statement = _statement(sentence.whole, store, verdict, thresholds)
        if statement is not None:
            statements.append(statement)
    lasting = max(one.confidence for one in verdicts)
    return TurnJudgement(tuple(statements), tuple(withdrawals), lasting)


@dataclass(frozen=True, slots=True)
class _Verdict:
    confidence: float
    kind: int


def _mean(verdicts: Sequence[_Verdict]) -> _Verdict:
    """Return a sentence's verdict: the mean of its clauses, and the type of the surest one."""
    surest = max(verdicts, key=lambda one: one.confidence)
    return replace(surest, confidence=sum(one.confidence for one in verdicts) / len(verdicts))


def _statement(
    clause: Clause, store: Callable[[], StoredText], verdict: _Verdict, thresholds: Thresholds
) -> Statement | None:
    if clause.answer:
        return _answer(clause, verdict, thresholds)
    confidence = verdict.confidence
    content = content_of(clause.text)
    typed = clause.block.lines <= _FEW_LINES and not clause.item and not clause.block.letter
    if typed and confidence >= _OUTRIGHT_FROM and says_outright(content):
        # Nobody expects to be asked about such words.
        confidence = max(confidence, _OUTRIGHT_CONFIDENCE)
    floor = min(CONSIDERED_FROM, thresholds.suggest)
    if confidence < floor or _is_pasted(clause):
        return None
    stored = store()
    if not stored.text:
        return None
    alone = stored.stands_alone
    return Statement(
        clause=clause,
        content=stored.text,
        type=_TYPES[verdict.kind],
        reach=reach_of(clause.bare),
        confidence=confidence,
        outcome=_outcome(confidence, thresholds) if alone else _unsure(confidence, thresholds),
        corrects=begins_correction(clause.bare),
        stands_alone=alone,
    )


def _outcome(confidence: float, thresholds: Thresholds) -> Outcome:
    return "kept" if confidence >= thresholds.keep else _unsure(confidence, thresholds)


def _unsure(confidence: float, thresholds: Thresholds) -> Outcome:
    return "suggested" if confidence >= thresholds.suggest else "considered"


def _answer(clause: Clause, verdict: _Verdict, thresholds: Thresholds) -> Statement | None:
    if verdict.confidence < max(thresholds.suggest, _ANSWER_SUGGESTED):
        return None
    sure = verdict.confidence >= max(thresholds.keep, _ANSWER_KEPT)
    return Statement(
        clause=clause,
        content=clause.answer,
        type=_TYPES[verdict.kind],
        reach="project",
        confidence=verdict.confidence,
        outcome="kept" if sure else "suggested",
        corrects=False,
        stands_alone=True,
    )


def _verdicts(turn: TurnClauses, vectors: Sequence[ClauseVector] | None) -> list[_Verdict]:
    """Return each clause's probability and type, by its vector where it has one."""
    import numpy as np  # noqa: PLC0415 - not at the daemon's start

    from intaglio.capture.model import (  # noqa: PLC0415 - it loads numpy
        VECTOR_SIZE,
        judge_features,
        judge_vectors,
        load_model,
    )

    model = load_model()
    plain = judge_features(model, turn.features, turn.grams)
    found = [
        _Verdict(chance, kind)
        for chance, kind in zip(plain.probabilities.tolist(), plain.types, strict=True)
    ]
    if vectors is None or not turn.embedded:
        return found
    rows = np.zeros((len(turn.clauses), VECTOR_SIZE), dtype=np.float32)
    rows[list(turn.embedded)] = np.stack(list(vectors))
    better = judge_vectors(model, turn.features, rows, turn.grams)
    chances = better.probabilities.tolist()
    for at in turn.embedded:
        found[at] = _Verdict(chances[at], better.types[at])
    return found


def _worth_embedding(turn: TurnClauses) -> tuple[int, ...]:
    """Choose the clauses to embed: the likeliest statements by features, and their neighbours."""
    from intaglio.capture.model import judge_features, load_model  # noqa: PLC0415 - it loads numpy

    count = len(turn.clauses)
    if not count:
        return ()
    chances = judge_features(load_model(), turn.features, turn.grams).probabilities.tolist()
    chosen: set[int] = set()
    chars = 0
    for at in sorted(range(count), key=lambda at: -chances[at]):
        if chances[at] < _HOPELESS:
            break
        more = {near for near in (at - 1, at, at + 1) if 0 <= near < count} - chosen
        chars += sum(len(turn.clauses[near].text) for near in more)
        if len(chosen) + len(more) > MAX_EMBEDDED or chars > _MAX_EMBEDDED_CHARS:
            break
        chosen |= more
    return tuple(sorted(chosen))


def _echoes(clause: Clause, said: str) -> bool:
    """Whether the clause repeats the agent's own words."""
    return (
        count_words(clause.text) >= _MIN_ECHO_WORDS
        and storage_form(clause.text).lower().rstrip(".!。") in said
    )


def _is_pasted(clause: Clause) -> bool:
    """Whether the form of its paragraph says that somebody else wrote it."""
    block = clause.block
    if clause.cited:
        return True
    if block.introduced >= 1 and (block.lines > 1 or clause.item):
        return True
    formal = block.lines >= _FEW_LINES and block.formal >= _MOSTLY
    return formal and (
        block.titled or block.under_title or block.letter or block.lines > _FEW_LINES + 1
    )


# What an agent quotes as the user's is checked by the same.
repeats = _echoes
is_pasted = _is_pasted
