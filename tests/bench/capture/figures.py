"""Compares what is judged with the labels: precision and recall per outcome, language and kind."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bench.capture.examples import LabelledTurn, overlap
from bench.capture.labelled import Label
from intaglio.capture.values import Statement, TurnJudgement


@dataclass(slots=True)
class Tally:
    """Counts over turns; ``found`` counts labelled statements by their best outcome."""

    turns: int = 0
    labelled: int = 0
    found: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    junk: Counter[str] = field(default_factory=Counter[str])
    junk_kinds: Counter[str] = field(default_factory=Counter[str])

    def line(self, name: str) -> str:
        """Return the figures in one line."""
        kept, suggested = self.found["kept"], self.found["suggested"]
        return (
            f"{name:20s} statements {self.labelled:4d}  kept: precision {self._precision('kept')} "
            f"recall {_share(kept, self.labelled)}  or suggested: recall "
            f"{_share(kept + suggested, self.labelled)} precision {self._precision('suggested')}  "
            f"junk per 100 turns {100 * self.junk['kept'] / max(1, self.turns):.2f}"
        )

    def _precision(self, outcome: str) -> str:
        return _share(self.right[outcome], self.right[outcome] + self.junk[outcome])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "   -"


def count(tally: Tally, turn: LabelledTurn, judged: TurnJudgement) -> None:
    """Add a turn: a statement is right if it covers half of a label, or lies in it by half."""
    tally.turns += 1
    best: dict[int, str] = {}
    for statement in judged.stated:
        labels = _labels_of(turn.labels, statement)
        wanted = [index for index in labels if turn.labels[index].wanted in ("kept", "withdrawn")]
        for index in wanted:
            best[index] = "kept" if "kept" in (best.get(index), statement.outcome) else "suggested"
        if wanted:
            tally.right[statement.outcome] += 1
        elif not any(turn.labels[index].wanted == "either" for index in labels):
            tally.junk[statement.outcome] += 1
            kinds = [turn.labels[index].kind for index in labels] or ["unmarked"]
            tally.junk_kinds[f"{kinds[0]} {statement.outcome}"] += 1
    tally.labelled += sum(label.wanted in ("kept", "withdrawn") for label in turn.labels)
    tally.found.update(best.values())


def _labels_of(labels: Sequence[Label], statement: Statement) -> list[int]:
    start, end = statement.clause.start, statement.clause.end
    return [
        index
        for index, label in enumerate(labels)
        if 2 * overlap(label, start, end) >= min(end - start, label.end - label.start)
    ]


def tallies(
    judged: Iterable[tuple[LabelledTurn, TurnJudgement]],
) -> tuple[dict[str, Tally], Counter[str]]:
    """Count all turns, by language and by writer, and the labelled parts of each kind."""
    found: dict[str, Tally] = {}
    kinds: Counter[str] = Counter()
    for turn, judgement in judged:
        for name in ("all", turn.session.language, f"  writer {turn.session.writer}"):
            count(found.setdefault(name, Tally()), turn, judgement)
        kinds.update(label.kind for label in turn.labels if label.kind)
    return found, kinds
