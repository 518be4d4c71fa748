"""Judges what a user says in one message: what is kept, suggested or taken back.

Pure: the sentence vectors come in. Call it in a thread: loading the classifier takes a moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.capture import english, german
from intaglio.capture.clauses import clauses
from intaglio.capture.values import (
    Clause,
    ClauseVector,
    Statement,
    Thresholds,
    TurnJudgement,
    Withdrawal,
)
from intaglio.capture.wording import begins_correction, content_of, holds_everywhere, takes_back

MAX_EMBEDDED: Final = 64


@dataclass(frozen=True, slots=True)
class TurnClauses:
    """The clauses of a message; ``to_embed`` are the texts whose vectors help to judge them."""

    clauses: tuple[Clause, ...]
    to_embed: tuple[str, ...]


def read_turn(message: str, before: str) -> TurnClauses:
    """Split a user's message; ``before`` is the agent's preceding message, or empty."""
    found = clauses(message)
    said = " ".join(before.lower().split())
    own = tuple(one for one in found if " ".join(one.text.lower().split()) not in said)
    return TurnClauses(own, ())


def encoder_sum() -> str:
    """Return the SHA-256 of the encoder's file that vectors have to come from."""
    return ""


def judge(
    turn: TurnClauses,
    vectors: Sequence[ClauseVector] | None,  # noqa: ARG001 - judged by cues alone so far
    thresholds: Thresholds,
) -> TurnJudgement:
    """Judge a message; ``vectors`` are those of ``to_embed``, or None to judge without them."""
    statements: list[Statement] = []
    withdrawals: list[Withdrawal] = []
    for clause in turn.clauses:
        if takes_back(clause.bare):
            withdrawals.append(Withdrawal(clause))
            continue
        bare = clause.bare.lower().replace("\u2019", "'")
        cue = english.cue_of(bare) or german.cue_of(bare)
        if cue is None or "?" in bare or cue.confidence < thresholds.suggest:
            continue
        statements.append(
            Statement(
                clause=clause,
                content=content_of(clause.text),
                type=cue.type,
                everywhere=holds_everywhere(bare),
                confidence=cue.confidence,
                outcome="kept" if cue.confidence >= thresholds.keep else "suggested",
                corrects=begins_correction(bare),
            )
        )
    return TurnJudgement(tuple(statements), tuple(withdrawals))
