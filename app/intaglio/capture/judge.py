"""Judges what a user says in one message: what is kept, suggested or taken back.

Pure: the clause vectors come in. Call it in a thread: loading the classifier takes a moment.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from intaglio.base.text import storage_form
from intaglio.capture.answers import answered
from intaglio.capture.clauses import MAX_CLAUSE, clauses, sentences
from intaglio.capture.failed_attempts import failed_attempts, may_say_that_it_failed
from intaglio.capture.names import names_in
from intaglio.capture.reach.scope_words import reach_of
from intaglio.capture.speech_acts import SpeechAct, speech_act
from intaglio.capture.standalone import StoredText, stored_text
from intaglio.capture.values import (
    CONSIDERED_FROM,
    Clause,
    Outcome,
    Statement,
    StatementType,
    Thresholds,
    TurnJudgement,
    Withdrawal,
)
from intaglio.capture.wording import (
    asked_to_keep,
    begins_correction,
    changed_mind,
    chooses,
    content_of,
    leaves_it_to_the_agent,
    said_outright,
    takes_back,
)
from intaglio.language.detection import language_of
from intaglio.language.relations import ClauseVector
from intaglio.language.tokens import count_words

if TYPE_CHECKING:
    from intaglio.capture.model import ClauseModel, FloatMatrix


MAX_EMBEDDED: Final = 40
# Each character takes 0.03 ms, and each text as much as so many characters more.
_MAX_EMBEDDED_CHARS: Final = 1_300
_CHARS_PER_TEXT: Final = 60
# A prompt waits for these.
_MAX_REMINDER_CHARS: Final = 600
_SURELY_NOT_LASTING: Final = 0.05
_SURELY_LASTING: Final = 0.5
# Below this, a vector hardly ever makes a statement of a clause.
_HOPELESS: Final = 0.01
_OUTRIGHT_CONFIDENCE: Final = 0.9
# Enough to be told of its session, too little to ask the user about.
_CHANGED_CONFIDENCE: Final = 0.5
_MIN_ECHO_WORDS: Final = 4
# What a message says more often, a program wrote.
_MOST_TIMES: Final = 3
# Of a longer message of the agent, so much of its end is compared.
_BEFORE_CHARS: Final = 100_000
_FEW_LINES: Final = 3
_MOSTLY: Final = 0.6
_DOCUMENT: Final = 0.8
# Whoever answers decides something; whether it matters later takes more: most agents ask about
# what to do next. Of 14 answers, those that matter came to 0.2 to 0.59, others to 0.18 at most.
_ANSWER_SUGGESTED: Final = 0.3
_ASKS: Final = "?\uff1f\u061f \u00a0"
_ENDS: Final = ".!?\u3002\uff01\uff1f"
_TYPES: Final[tuple[StatementType, ...]] = ("decision", "preference", "rule", "fact", "procedural")


@dataclass(frozen=True, slots=True)
class TurnClauses:
    """The clauses and sentences of a message; ``features`` has a row per sentence.

    ``to_embed`` are the texts whose vectors help to judge it, ``embedded`` the indexes of their
    sentences. ``names`` are the names in the agent's preceding message. ``before`` is that message,
    if the user's may be about what it says was tried.
    """

    clauses: tuple[Clause, ...]
    sentences: tuple[Clause, ...]
    features: "FloatMatrix"
    to_embed: tuple[str, ...] = ()
    embedded: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()
    before: str = ""


def read_turn(message: str, before: str) -> TurnClauses:
    """Split a user's message; ``before`` is the agent's preceding message, or empty."""
    return choose_embedded(describe_turn(message, before))


def describe_turn(message: str, before: str) -> TurnClauses:
    """Split and describe a message as `read_turn` does; nothing is chosen to be embedded yet."""
    # numpy takes a tenth of the daemon's start.
    from intaglio.capture.features import describe  # noqa: PLC0415 - see above

    said = storage_form(before[-_BEFORE_CHARS:]).lower()
    own = tuple(one for one in clauses(message) if not repeats(one, said))
    times = Counter(one.text for one in own)
    own = tuple(one for one in own if times[one.text] <= _MOST_TIMES)
    whole = sentences(message, own)
    return TurnClauses(
        own,
        whole,
        describe(whole, before),
        names=names_in(before),
        before=before if before and may_say_that_it_failed(message) else "",
    )


def read_answer(question: str, answer: str, start: int = 0) -> TurnClauses:
    """Read an answer to the agent's question, which says little without it; see `answered`.

    ``start`` is where the answer stands in the message.
    """
    # numpy takes a tenth of the daemon's start.
    from intaglio.capture.features import describe  # noqa: PLC0415 - see above

    stated = answered(question, answer)
    # Trained on what people say by themselves, the classifier knows decisions, not dialogues.
    text = f"We decided: {question.rstrip(_ASKS)} \u2013 {answer.rstrip(_ENDS)}."
    if len(text) > MAX_CLAUSE or leaves_it_to_the_agent(answer):
        return TurnClauses((), (), describe((), ""))
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
    return choose_embedded(TurnClauses(own, own, describe(own, question)))


def choose_embedded(
    turn: TurnClauses, model: "ClauseModel | None" = None, chars: int = _MAX_EMBEDDED_CHARS
) -> TurnClauses:
    """Choose at most so many characters to embed, by what the classifier makes of features."""
    embedded = _worth_embedding(turn, model, chars)
    return replace(
        turn, to_embed=tuple(turn.sentences[at].text for at in embedded), embedded=embedded
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
    model: "ClauseModel | None" = None,
) -> TurnJudgement:
    """Judge a message; ``vectors`` are those of ``to_embed``, or None to judge without them.

    ``names`` are names of the project, by which misspelt ones are mended. ``model`` is the
    checked-in one, if None.
    """
    if not turn.sentences:
        return TurnJudgement()
    verdicts = _verdicts(turn, vectors, model)
    statements: list[Statement] = []
    withdrawals = [Withdrawal(clause) for clause in turn.clauses if takes_back(clause.bare)]
    previous: Clause | None = None
    for sentence, verdict in zip(turn.sentences, verdicts, strict=True):
        before, previous = previous, sentence
        if takes_back(sentence.bare):
            continue
        store = partial(stored_text, sentence, before, names, turn.names)
        statement = _statement(sentence, store, verdict, thresholds)
        if statement is not None:
            statements.append(statement)
    return TurnJudgement(
        _with_learnings(turn, statements, thresholds),
        tuple(withdrawals),
        max(one.confidence for one in verdicts),
    )


def read_for_reminder(message: str) -> TurnClauses:
    """Split a prompt as `read_turn` does; little is chosen to be embedded, since the user waits."""
    return choose_embedded(describe_turn(message, ""), None, _MAX_REMINDER_CHARS)


def lasting(turn: TurnClauses, vectors: Sequence[ClauseVector] | None) -> float:
    """Return a message's highest confidence, which `LASTING_FROM` is compared with."""
    return max((one.confidence for one in _verdicts(turn, vectors, None)), default=0.0)


def needs_vectors(chance: float) -> bool:
    """Whether a message's `lasting` without vectors leaves open if it gets a reminder."""
    return _SURELY_NOT_LASTING <= chance < _SURELY_LASTING


def _with_learnings(
    turn: TurnClauses, statements: Sequence[Statement], thresholds: Thresholds
) -> tuple[Statement, ...]:
    """Return the statements with what the message says of failed attempts, in order.

    A sentence about one is no rule; a rule beside it that is sure stays one.
    """
    typed = [one for one in turn.sentences if not is_pasted(one) and not one.answer]
    learnings = failed_attempts(typed, turn.clauses, turn.before, thresholds)
    if not learnings:
        return tuple(statements)
    others = [one for one in statements if not any(_covers(each, one) for each in learnings)]
    return tuple(sorted((*others, *learnings), key=lambda one: one.clause.start))


def _covers(learning: Statement, one: Statement) -> bool:
    if not learning.clause.sentence_start <= one.clause.start < learning.clause.sentence_end:
        return False
    is_core = one.clause.start <= learning.clause.start < one.clause.end
    return is_core or one.outcome != "kept"


@dataclass(frozen=True, slots=True)
class _Verdict:
    confidence: float
    kind: int


def _statement(
    clause: Clause, store: Callable[[], StoredText], verdict: _Verdict, thresholds: Thresholds
) -> Statement | None:
    if clause.answer:
        return _answer(clause, verdict, thresholds)
    confidence = verdict.confidence
    content = content_of(clause.text)
    typed = clause.block.lines <= _FEW_LINES and not clause.item and not clause.block.letter
    kind = _TYPES[verdict.kind]
    asked = asked_to_keep(clause.text, kind) if typed else None
    outright = (said_outright(content) or asked) if typed else None
    changed = changed_mind(clause.text) if typed and outright is None else ""
    if changed and speech_act(clause) is None:
        if chooses(changed):
            outright = "decision"
        else:
            confidence = max(confidence, _CHANGED_CONFIDENCE)
    if outright is not None:
        # Nobody expects to be asked about such words.
        confidence = max(confidence, _OUTRIGHT_CONFIDENCE)
    if confidence < min(CONSIDERED_FROM, thresholds.suggest) or is_pasted(clause):
        return None
    stored = store()
    if not stored.text:
        return None
    act = speech_act(clause)
    if asked == "decision" and act in ("order", "bug report"):
        act = None
    return Statement(
        clause=clause,
        content=stored.text,
        type=outright or kind,
        reach=reach_of(clause.bare),
        confidence=confidence,
        outcome=_outcome(act, confidence, thresholds, alone=stored.stands_alone),
        corrects=begins_correction(clause.bare),
        stands_alone=stored.stands_alone,
        may_last=act is None,
    )


def _outcome(
    act: SpeechAct | None, confidence: float, thresholds: Thresholds, *, alone: bool
) -> Outcome:
    """Return what becomes of a sentence; what states no rule isn't kept, however sure it is."""
    if confidence < thresholds.suggest or act in ("question", "musing"):
        return "considered"
    sure = confidence >= thresholds.keep and alone and act is None
    return "kept" if sure else "suggested"


def _answer(clause: Clause, verdict: _Verdict, thresholds: Thresholds) -> Statement | None:
    if verdict.confidence < min(thresholds.suggest, _ANSWER_SUGGESTED):
        return None
    return Statement(
        clause=clause,
        content=clause.answer,
        type=_TYPES[verdict.kind],
        reach="project",
        confidence=verdict.confidence,
        outcome="kept" if verdict.confidence >= thresholds.keep else "suggested",
        corrects=False,
        stands_alone=True,
    )


def _verdicts(
    turn: TurnClauses, vectors: Sequence[ClauseVector] | None, model: "ClauseModel | None"
) -> list[_Verdict]:
    """Return each sentence's probability and type, by its vector where it has one."""
    import numpy as np  # noqa: PLC0415 - not at the daemon's start

    from intaglio.capture.model import (  # noqa: PLC0415 - it loads numpy
        VECTOR_SIZE,
        judge_features,
        judge_vectors,
        load_model,
        probability,
    )

    if not turn.sentences:
        return []
    model = model or load_model()
    plain = judge_features(model, turn.features)
    found = [
        _Verdict(probability(odds), kind)
        for odds, kind in zip(plain.odds.tolist(), plain.types, strict=True)
    ]
    if vectors is None or not turn.embedded:
        return found
    rows = np.full((len(turn.sentences), VECTOR_SIZE), np.nan, dtype=np.float32)
    rows[list(turn.embedded)] = np.stack(list(vectors))
    better = judge_vectors(model, turn.features, rows)
    for at in turn.embedded:
        found[at] = _Verdict(probability(float(better.odds[at])), better.types[at])
    return found


def _worth_embedding(turn: TurnClauses, model: "ClauseModel | None", most: int) -> tuple[int, ...]:
    """Choose what to embed: the likeliest statements by features, and their neighbours."""
    count = len(turn.sentences)
    chances = [one.confidence for one in _verdicts(turn, None, model)]
    chosen: set[int] = set()
    chars = 0
    for at in sorted(range(count), key=lambda at: -chances[at]):
        if chances[at] < _HOPELESS:
            break
        more = {near for near in (at - 1, at, at + 1) if 0 <= near < count} - chosen
        chars += sum(len(turn.sentences[near].text) + _CHARS_PER_TEXT for near in more)
        if len(chosen) + len(more) > MAX_EMBEDDED or chars > most:
            break
        chosen |= more
    return tuple(sorted(chosen))


def repeats(clause: Clause, said: str) -> bool:
    """Whether the clause repeats the agent's own words."""
    return (
        count_words(clause.text) >= _MIN_ECHO_WORDS
        and storage_form(clause.text).lower().rstrip(".!。") in said
    )


def is_pasted(clause: Clause) -> bool:
    """Whether the form of its paragraph says that somebody else wrote it."""
    block = clause.block
    if clause.cited or block.standing:
        return clause.cited
    if block.introduced >= 1 and (block.lines > 1 or clause.item):
        return True
    if block.in_person:
        return False
    if block.titled and block.items > 1 and block.document >= _DOCUMENT:
        return True
    formal = block.lines >= _FEW_LINES and block.formal >= _MOSTLY
    return formal and (
        block.titled or block.under_title or block.letter or block.lines > _FEW_LINES
    )
