"""Judges a memory's sentences once more, as far as they and their context were recorded.

Pure, and slow: call it in a thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from intaglio.review.values import Doubt, DoubtReason, SaidText

if TYPE_CHECKING:
    from intaglio.capture.judge import TurnClauses
    from intaglio.capture.speech_acts import SpeechAct
    from intaglio.capture.values import Clause, Statement, Thresholds
    from intaglio.language.relations import ClauseVector

# The message is gone, and with it a part of what the judge goes by. On 103 real sentences that it
# keeps within their messages, it was at most so much less sure in one of the readings of all but 2.
_MISSING_MESSAGE: Final = 0.15
_REASONS: Final[Mapping["SpeechAct", DoubtReason]] = {
    "question": "question",
    "musing": "musing",
    "hedge": "hedge",
    "bug report": "bug_report",
    "order": "order",
}


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """A message that a sentence may have stood in; it begins and ends at these characters."""

    turn: "TurnClauses"
    start: int
    end: int


def readings_of(said: SaidText) -> tuple[SentenceReading, ...]:
    """Read a sentence with its context before it, from the agent, or around it, in its message.

    The context doesn't say whose words it holds.
    """
    # Compiling the regular expressions would take a tenth of the daemon's startup time.
    from intaglio.capture.judge import read_turn  # noqa: PLC0415 - see above

    sentence, context = said.sentence, said.context
    alone = SentenceReading(read_turn(sentence, context), 0, len(sentence))
    if not context:
        return (alone,)
    below, above = f"{context}\n\n{sentence}", f"{sentence}\n\n{context}"
    return (
        alone,
        SentenceReading(read_turn(below, ""), len(below) - len(sentence), len(below)),
        SentenceReading(read_turn(above, ""), 0, len(sentence)),
    )


def doubt_of(
    readings: Sequence[SentenceReading],
    vectors: "Mapping[str, ClauseVector] | None",
    thresholds: "Thresholds",
) -> Doubt | None:
    """Return why the judge would not keep a sentence, in the best of its readings.

    None if it would, or might with the whole message. ``vectors`` are those of the texts to embed.
    """
    from intaglio.capture.judge import judge  # noqa: PLC0415 - see readings_of

    lasting = 0.0
    statements: list[Statement] = []
    for reading in readings:
        turn = reading.turn
        own = None if vectors is None else [vectors[text] for text in turn.to_embed]
        found = judge(turn, own or None, thresholds)
        statements += [one for one in found.statements if _is_within(one.clause, reading)]
        if reading is readings[0]:
            lasting = found.lasting
    best = max(statements, key=lambda one: one.confidence, default=None)
    reason = _reason(readings[0].turn, best)
    # What does something else than to state a rule isn't kept, however sure the judge is.
    if best is not None and reason is None:
        if best.confidence >= thresholds.keep - _MISSING_MESSAGE:
            return None
        reason = None if best.stands_alone else "incomplete"
    return Doubt(best.confidence if best is not None else lasting, reason)


def _is_within(clause: "Clause", reading: SentenceReading) -> bool:
    return reading.start <= clause.start and clause.end <= reading.end


def _reason(turn: "TurnClauses", best: "Statement | None") -> DoubtReason | None:
    from intaglio.capture.speech_acts import speech_act  # noqa: PLC0415 - see readings_of

    if best is not None and best.may_last:
        return None
    sentence = best.clause if best else max(turn.sentences, key=_length, default=None)
    act = speech_act(sentence) if sentence else None
    return None if act is None else _REASONS[act]


def _length(sentence: "Clause") -> int:
    return len(sentence.text)


def least_doubt(doubts: Sequence[Doubt | None]) -> Doubt | None:
    """Return the doubt about a memory that was said several times; None if one saying is sure."""
    known = [doubt for doubt in doubts if doubt is not None]
    return None if len(known) < len(doubts) else max(known, key=lambda one: one.confidence)
