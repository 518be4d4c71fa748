"""Judges what a user says in one message: what is kept, suggested or taken back.

Pure: the clauses' vectors come in. Call it in a thread: loading the classifier takes a moment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.capture.clauses import clauses, words_in
from intaglio.capture.values import (
    Clause,
    ClauseVector,
    Statement,
    StatementType,
    Thresholds,
    TurnJudgement,
    Withdrawal,
)
from intaglio.capture.wording import begins_correction, content_of, holds_everywhere, takes_back

if TYPE_CHECKING:
    from intaglio.capture.model import Floats

MAX_EMBEDDED: Final = 64
_MIN_ECHO_WORDS: Final = 4
_FEW_LINES: Final = 3
_MOSTLY: Final = 0.6
_MAX_CONTENT: Final = 400
# What it is about stands elsewhere: only a suggestion.
_LEANS: Final = re.compile(
    r"(?:let's |lets |we'll |i'll )?(?:go|use|do|keep|take|stick|stay|make)? ?(?:with )?"
    r"(?:that|it|this|those|these|them|so|one|the same)(?: one)?(?: then| please| instead)?[.!]?$"
    r"|(?:that|it|this|those|these|they|das|es|eso|esto|ça|c'est|那|这|它|それ|これ)\b",
    re.IGNORECASE,
)


# Said outright; unless the classifier doubts it, that is sure enough to be kept.
_OUTRIGHT: Final = re.compile(
    r"(?:we(?:'ve| have)? (?:decided|agreed) (?:to use|to keep|to store|to drop|on|that|against)\b|"
    r"from now on,? (?:always|never|please|use|we|only|do not|don't)\b|"
    r"(?:please )?(?:always|never) [a-z-]+ |i (?:really |strongly )?prefer (?!the|that|it|this)\w+|"
    r"wir haben (?:uns )?\S.{0,80}(?:entschieden|beschlossen)|"
    r"ab (?:jetzt|sofort) |以后.{0,12}(?:都|一律|统一))",
    re.IGNORECASE,
)
_OUTRIGHT_FROM: Final = 0.3
_OUTRIGHT_CHANCE: Final = 0.85


@dataclass(frozen=True, slots=True)
class TurnClauses:
    """The clauses of a message; ``to_embed`` are the texts whose vectors help to judge them.

    ``embedded`` holds the row of the clause behind each text; ``features`` one row per clause.
    """

    clauses: tuple[Clause, ...]
    to_embed: tuple[str, ...]
    embedded: tuple[int, ...] = ()
    features: "Floats | None" = field(default=None, compare=False, repr=False)


def read_turn(message: str, before: str) -> TurnClauses:
    """Split a user's message; ``before`` is the agent's preceding message, or empty."""
    from intaglio.capture import model  # noqa: PLC0415 - numpy, not at start
    from intaglio.capture.features import describe  # noqa: PLC0415 - numpy, not at start

    said = " ".join(before.lower().split())
    found = tuple(one for one in clauses(message) if not _echoes(one, said))
    if not found:
        return TurnClauses((), ())
    features = describe(found, before)
    rows = list(range(len(found)))
    if len(found) > MAX_EMBEDDED:
        arrays = model.load()
        likely = model.score(model.scaled(features, arrays), arrays, "f")
        rows = sorted(sorted(rows, key=lambda row: -float(likely[row]))[:MAX_EMBEDDED])
    return TurnClauses(found, tuple(found[row].text for row in rows), tuple(rows), features)


def encoder_sum() -> str:
    """Return the SHA-256 of the encoder's file that vectors have to come from."""
    from intaglio.capture import model  # noqa: PLC0415 - numpy, not at start

    return model.encoder()


def judge(
    turn: TurnClauses, vectors: Sequence[ClauseVector] | None, thresholds: Thresholds
) -> TurnJudgement:
    """Judge a message; ``vectors`` are those of ``to_embed``, or None to judge without them."""
    chances, types = _chances(turn, vectors)
    statements: list[Statement] = []
    withdrawals: list[Withdrawal] = []
    for clause, chance, kind in zip(turn.clauses, chances, types, strict=True):
        if takes_back(clause.bare):
            withdrawals.append(Withdrawal(clause))
        elif chance >= thresholds.suggest and not _is_pasted(clause):
            content = content_of(clause.text)
            if chance >= _OUTRIGHT_FROM and _is_outright(clause, content):
                chance = max(chance, _OUTRIGHT_CHANCE)  # noqa: PLW2901 - raised once
            sure = chance >= thresholds.keep and not _LEANS.match(content)
            statements.append(
                Statement(
                    clause=clause,
                    content=content[:_MAX_CONTENT],
                    type=kind,
                    everywhere=holds_everywhere(clause.bare),
                    confidence=chance,
                    outcome="kept" if sure else "suggested",
                    corrects=begins_correction(clause.bare),
                )
            )
    return TurnJudgement(tuple(statements), tuple(withdrawals))


def _chances(
    turn: TurnClauses, vectors: Sequence[ClauseVector] | None
) -> tuple[list[float], list[StatementType]]:
    from intaglio.capture import model  # noqa: PLC0415 - numpy, not at start

    if turn.features is None:
        return [], []
    arrays = model.load()
    plain = model.scaled(turn.features, arrays)
    chances = model.probability(model.score(plain, arrays, "f"), arrays, "f").tolist()
    types = model.type_of(plain, arrays, "f")
    if vectors is None:
        return chances, types
    given: list[ClauseVector | None] = [None] * len(turn.clauses)
    for row, vector in zip(turn.embedded, vectors, strict=True):
        given[row] = vector
    rows = model.joined(turn.features, model.vector_rows(given), arrays)
    better = model.probability(model.score(rows, arrays, "v"), arrays, "v")
    kinds = model.type_of(rows, arrays, "v")
    for row in turn.embedded:
        chances[row], types[row] = float(better[row]), kinds[row]
    return chances, types


def _echoes(clause: Clause, said: str) -> bool:
    """Whether the clause repeats the agent's own words."""
    text = " ".join(clause.text.lower().split())
    return words_in(text) >= _MIN_ECHO_WORDS and text.rstrip(".!") in said


def _is_outright(clause: Clause, content: str) -> bool:
    """Whether a typed clause says in so many words that it is a decision or a rule."""
    typed = clause.block.lines <= _FEW_LINES and not clause.block.introduced
    return typed and "?" not in content and bool(_OUTRIGHT.match(content))


def _is_pasted(clause: Clause) -> bool:
    """Whether the form of its paragraph says that somebody else wrote it."""
    block = clause.block
    if block.introduced >= 1 and (block.lines > 1 or clause.item):
        return True
    formal = block.lines >= _FEW_LINES and block.formal >= _MOSTLY
    return formal and (block.titled or block.letter or block.lines > _FEW_LINES + 1)
