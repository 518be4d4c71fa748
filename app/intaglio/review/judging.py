"""Judges a memory's sentences once more, as far as they and their context were recorded.

Pure, and slow: call it in a thread.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from intaglio.review.values import Doubt, DoubtReason, SaidText

if TYPE_CHECKING:
    from intaglio.capture.judge import TurnClauses
    from intaglio.capture.speech_acts import SpeechAct
    from intaglio.capture.values import Clause, Thresholds
    from intaglio.language.relations import ClauseVector

_REASONS: "Final[Mapping[SpeechAct, DoubtReason]]" = {
    "question": "question",
    "musing": "musing",
    "hedge": "hedge",
    "bug report": "bug_report",
    "order": "order",
}


def read_said(said: SaidText) -> "TurnClauses":
    """Split a sentence; what was said around it stands for the agent's message before it."""
    # Compiling the regular expressions would take a tenth of the daemon's startup time.
    from intaglio.capture.judge import read_turn  # noqa: PLC0415 - see above

    return read_turn(said.sentence, said.context)


def doubt_of(
    turn: "TurnClauses", vectors: "Sequence[ClauseVector] | None", thresholds: "Thresholds"
) -> Doubt | None:
    """Return why the judge would not keep what was said; None if it would."""
    from intaglio.capture.judge import judge  # noqa: PLC0415 - see read_said
    from intaglio.capture.speech_acts import speech_act  # noqa: PLC0415 - see read_said

    found = judge(turn, vectors, thresholds)
    if any(one.outcome == "kept" for one in found.statements):
        return None
    best = max(found.statements, key=lambda one: one.confidence, default=None)
    sentence = best.clause if best else max(turn.sentences, key=_length, default=None)
    act = speech_act(sentence) if sentence else None
    reason: DoubtReason | None = None if act is None else _REASONS[act]
    if reason is None and best is not None and not best.stands_alone:
        reason = "incomplete"
    return Doubt(best.confidence if best else found.lasting, reason)


def _length(sentence: "Clause") -> int:
    return len(sentence.text)


def least_doubt(doubts: Sequence[Doubt | None]) -> Doubt | None:
    """Return the doubt about a memory that was said several times; None if one saying is sure."""
    known = [doubt for doubt in doubts if doubt is not None]
    return None if len(known) < len(doubts) else max(known, key=lambda one: one.confidence)
