"""B-cubed precision, recall and F1 of linked mentions against the labelled ones.

A mention counts as found where a predicted span overlaps it with an intersection over union of at
least one half. What is missed counts against recall, what is predicted for nothing against
precision.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

SETS: Final = Path(__file__).with_name("sets")
LEAST_OVERLAP: Final = 0.5

Sentence = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GoldMention:
    """A labelled mention: its place, the entity's key, and the entity's type."""

    start: int
    end: int
    key: str
    type: str


@dataclass(frozen=True, slots=True)
class FoundName:
    """A predicted mention of one sentence; equal entities are the same one."""

    start: int
    end: int
    entity: Hashable
    type: str


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a fact was put: ``key`` is the labelled key of a project itself or of the user."""

    entity: Hashable
    kind: str
    key: str | None


@dataclass(slots=True)
class EntityScores:
    """The figures of a set."""

    precision: float = 0.0
    recall: float = 0.0
    detection_precision: float = 0.0
    detection_recall: float = 0.0
    type_accuracy: float = 0.0
    primary_accuracy: float = 0.0
    primary_coverage: float = 0.0
    kind_accuracy: float = 0.0
    by_type: dict[str, tuple[float, float, int]] = field(
        default_factory=dict[str, tuple[float, float, int]]
    )

    @property
    def f1(self) -> float:
        """The harmonic mean of B-cubed precision and recall."""
        return _harmonic(self.precision, self.recall)

    def lines(self) -> list[str]:
        """Return the figures as lines of a table."""
        rows = [
            f"B-cubed      P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}",
            f"detection    P {self.detection_precision:.3f}  R {self.detection_recall:.3f}",
            f"types        {self.type_accuracy:.3f}",
            (
                f"assignment   primary {self.primary_accuracy:.3f}  kind {self.kind_accuracy:.3f}"
                f"  coverage {self.primary_coverage:.3f}"
            ),
        ]
        for name, (precision, recall, count) in sorted(self.by_type.items()):
            rows.append(f"  {name:<13}P {precision:.3f}  R {recall:.3f}  ({count})")
        return rows


def load(name: str) -> list[Sentence]:
    """Return the sentences of a labelled set."""
    sentences: list[Sentence] = json.loads((SETS / f"{name}.json").read_text("utf-8"))
    return sentences


def gold_of(sentence: Sentence) -> list[GoldMention]:
    """Return a sentence's labelled mentions with their places."""
    found: list[GoldMention] = []
    for surface, occurrence, key, type_ in sentence["mentions"]:
        start = -1
        for _ in range(occurrence + 1):
            start = sentence["text"].index(surface, start + 1)
        found.append(GoldMention(start, start + len(surface), key, type_))
    return found


def pairs(
    gold: Sequence[GoldMention], found: Sequence[FoundName]
) -> list[tuple[GoldMention | None, FoundName | None]]:
    """Match labelled and predicted mentions one to one, the best overlap first."""
    overlaps = sorted(
        (
            (-_overlap(one, other), first, second)
            for first, one in enumerate(gold)
            for second, other in enumerate(found)
            if _overlap(one, other) >= LEAST_OVERLAP
        ),
    )
    left, right = set(range(len(gold))), set(range(len(found)))
    matched: list[tuple[GoldMention | None, FoundName | None]] = []
    for _, first, second in overlaps:
        if first in left and second in right:
            left.remove(first)
            right.remove(second)
            matched.append((gold[first], found[second]))
    matched += [(gold[place], None) for place in sorted(left)]
    matched += [(None, found[place]) for place in sorted(right)]
    return matched


def score(sentences: Sequence[Sentence], found: Sequence[Sequence[FoundName]]) -> EntityScores:
    """Return the figures for mentions; those of the assignment are left at 0."""
    matched = [
        pair
        for sentence, names in zip(sentences, found, strict=True)
        for pair in pairs(gold_of(sentence), names)
    ]
    both = [(gold, name) for gold, name in matched if gold and name]
    scores = EntityScores()
    golds = sum(1 for gold, _ in matched if gold)
    names = sum(1 for _, name in matched if name)
    scores.detection_precision = len(both) / max(1, names)
    scores.detection_recall = len(both) / max(1, golds)
    scores.type_accuracy = sum(gold.type == name.type for gold, name in both) / max(1, len(both))
    by_key = Counter(gold.key for gold, _ in matched if gold)
    by_entity = Counter(name.entity for _, name in matched if name)
    together = Counter((gold.key, name.entity) for gold, name in both)
    precise = [together[gold.key, name.entity] / by_entity[name.entity] for gold, name in both]
    complete = [together[gold.key, name.entity] / by_key[gold.key] for gold, name in both]
    scores.precision = sum(precise) / max(1, names)
    scores.recall = sum(complete) / max(1, golds)
    scores.by_type = _by_type(matched)
    return scores


def score_placements(
    scores: EntityScores,
    sentences: Sequence[Sentence],
    found: Sequence[Sequence[FoundName]],
    placements: Sequence[Placement | None],
) -> None:
    """Add how many facts have a place, and how many of the labelled ones the right one.

    An entity counts as the key that most of its mentions bear.
    """
    votes: defaultdict[Hashable, Counter[str]] = defaultdict(Counter)
    for sentence, names in zip(sentences, found, strict=True):
        for gold, name in pairs(gold_of(sentence), names):
            if gold and name:
                votes[name.entity][gold.key] += 1
    right: list[bool] = []
    kinds: list[bool] = []
    for sentence, place in zip(sentences, placements, strict=True):
        if "primary" in sentence:
            keys = [] if place is None else [key for key, _ in votes[place.entity].most_common(1)]
            own = place.key if place else None
            right.append(own in sentence["primary"] or any(k in sentence["primary"] for k in keys))
        if "kind" in sentence:
            kinds.append(place is not None and place.kind == sentence["kind"])
    scores.primary_accuracy = sum(right) / max(1, len(right))
    scores.kind_accuracy = sum(kinds) / max(1, len(kinds))
    scores.primary_coverage = sum(map(bool, placements)) / max(1, len(placements))


def _by_type(
    matched: Sequence[tuple[GoldMention | None, FoundName | None]],
) -> dict[str, tuple[float, float, int]]:
    """Return detection precision and recall, and the labelled mentions, for each type."""
    hits: defaultdict[str, int] = defaultdict(int)
    golds: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for gold, name in matched:
        if gold:
            golds[gold.type] += 1
            hits[gold.type] += name is not None
        elif name:
            false[name.type] += 1
    return {
        type_: (
            hits[type_] / max(1, hits[type_] + false[type_]),
            hits[type_] / max(1, golds[type_]),
            golds[type_],
        )
        for type_ in golds.keys() | false.keys()
    }


def _overlap(one: GoldMention, other: FoundName) -> float:
    shared = min(one.end, other.end) - max(one.start, other.start)
    return max(0, shared) / (max(one.end, other.end) - min(one.start, other.start))


def _harmonic(first: float, second: float) -> float:
    return 0.0 if first + second == 0 else 2 * first * second / (first + second)
