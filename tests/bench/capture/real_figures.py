"""What other people's sessions come to: kept, offered and reminded of, each with its counts.

Precision is told twice: strictly, of what is labelled to be kept, and with what may be kept. All
figures are sums over owners, so their intervals come from drawing owners again.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bench.capture.examples import LabelledTurn, overlap
from intaglio.capture.values import LASTING_FROM, Statement, TurnJudgement

OFFERED_PER_SESSION: Final = 3
_DRAWS: Final = 400
_KEPT: Final = ("kept", "withdrawn")


@dataclass(slots=True)
class RealFigures:
    """Counts per owner."""

    owners: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter[str]))

    def lines(self) -> Iterator[str]:
        """Yield the figures, each with what it was counted from."""
        total = _sum(self.owners.values())
        yield (
            f"{len(self.owners)} owners, {total['messages']} messages, of which "
            f"{total['wanting']} say something to keep, in {total['labels']} statements"
        )
        for name in ("kept", "offered"):
            right = (
                f"{self._share(f'{name} any', name)}, strict {self._share(f'{name} strict', name)}"
            )
            junk = _rate(total[name] - total[f"{name} any"], total["messages"])
            yield (
                f"{name:9s} precision {right}; recall {self._share(f'{name} found', 'labels')}; "
                f"per 100 messages {_rate(total[name], total['messages'])}, junk {junk}"
            )
        yield f"kept or offered: recall {self._share('found', 'labels')}"
        for name in LASTING_FROM:
            recall, added = self._share(f"{name} right", "wanting"), self._share(name, "messages")
            yield (
                f"reminder, {name:7s} recall of messages {recall}, added to {added}; "
                f"any of the three: {self._share(f'{name} or found', 'labels')}"
            )

    def _share(self, part: str, whole: str) -> str:
        total = _sum(self.owners.values())
        if not total[whole]:
            return "-"
        low, high = self._interval(part, whole)
        found, out_of = total[part], total[whole]
        return f"{found / out_of:.2f} [{low:.2f}-{high:.2f}] ({found} of {out_of})"

    def _interval(self, part: str, whole: str) -> tuple[float, float]:
        """Return the middle 95 % over owners that are drawn again."""
        chance = random.Random(7)  # noqa: S311 - the same interval on each run
        pairs = [(one[part], one[whole]) for one in self.owners.values()]
        shares: list[float] = []
        for _ in range(_DRAWS):
            drawn = chance.choices(pairs, k=len(pairs))
            out_of = sum(two for _, two in drawn)
            shares.append(sum(one for one, _ in drawn) / out_of if out_of else 0.0)
        shares.sort()
        return shares[_DRAWS // 40], shares[-_DRAWS // 40 - 1]


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return total


def _rate(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f}"


def best_offers(session: Sequence[TurnJudgement], most: int) -> list[TurnJudgement]:
    """Return a session's judgements with its best suggestions only; others are considered."""
    offered = [
        one.confidence for turn in session for one in turn.statements if one.outcome == "suggested"
    ]
    least = sorted(offered, reverse=True)[most - 1] if len(offered) >= most else 0.0

    def limited(one: Statement) -> Statement:
        too_many = one.outcome == "suggested" and one.confidence < least
        return replace(one, outcome="considered") if too_many else one

    return [replace(turn, statements=tuple(map(limited, turn.statements))) for turn in session]


def real_figures(
    judged: Iterable[tuple[LabelledTurn, TurnJudgement]],
) -> Mapping[str, RealFigures]:
    """Count English and other sessions apart."""
    found: dict[str, RealFigures] = {"English": RealFigures(), "other languages": RealFigures()}
    sessions: dict[str, list[tuple[LabelledTurn, TurnJudgement]]] = defaultdict(list)
    for turn, judgement in judged:
        sessions[turn.session.id].append((turn, judgement))
    for session in sessions.values():
        limited = best_offers([one for _, one in session], OFFERED_PER_SESSION)
        for (turn, _), judgement in zip(session, limited, strict=True):
            language = "English" if turn.session.language == "en" else "other languages"
            _count(found[language].owners[turn.owner], turn, judgement)
    return found


def _count(counts: Counter[str], turn: LabelledTurn, judged: TurnJudgement) -> None:
    wanted = {at for at, label in enumerate(turn.labels) if label.wanted in _KEPT}
    counts["messages"] += 1
    counts["wanting"] += bool(wanted)
    counts["labels"] += len(wanted)
    found: dict[str, set[int]] = {"kept": set(), "offered": set()}
    for statement in judged.stated:
        name = "kept" if statement.outcome == "kept" else "offered"
        labels = _labels_of(turn, statement)
        strict = labels & wanted
        counts[name] += 1
        counts[f"{name} strict"] += bool(strict)
        counts[f"{name} any"] += any(turn.labels[at].wanted != "none" for at in labels)
        found[name] |= strict
    either = found["kept"] | found["offered"]
    for name, ids in found.items():
        counts[f"{name} found"] += len(ids)
    counts["found"] += len(either)
    for frequency, least in LASTING_FROM.items():
        reminded = judged.lasting >= least
        counts[frequency] += reminded
        counts[f"{frequency} right"] += reminded and bool(wanted)
        counts[f"{frequency} or found"] += len(wanted if reminded else either)


def _labels_of(turn: LabelledTurn, statement: Statement) -> set[int]:
    start, end = statement.clause.start, statement.clause.end
    return {
        at
        for at, label in enumerate(turn.labels)
        if 2 * overlap(label, start, end) >= min(end - start, label.end - label.start)
    }
