"""The distinctive words of clusters of texts, by c-TF-IDF; pure.

A word weighs the square root of its share of a cluster's texts, times the logarithm of how much
larger that is than its share of all (Grootendorst 2022, BERTopic, with the weights for frequent
words, and so that few clusters do, too). Shares are of texts, as one text may repeat a word.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.projection.labels.terms import LabelTermReader

if TYPE_CHECKING:
    from intaglio.projection.labels.clusters import Cluster

MAX_WORDS: Final = 4
_MIN_TEXTS: Final = 2
_MIN_SHARE: Final = 0.04
# A word that is much weaker than the first says little more.
_LEAST_OF_FIRST: Final = 0.4


@dataclass(slots=True)
class PartTexts:
    """How many of the sampled texts of each part of a layout have each term."""

    _reader: LabelTermReader = field(default_factory=LabelTermReader)
    _texts: Counter[int] = field(default_factory=Counter[int])
    _having: defaultdict[int, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter[str])
    )
    _forms: defaultdict[str, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter[str])
    )

    def add(self, part: int, text: str) -> None:
        """Count a text of a part."""
        terms = self._reader.read(text)
        self._texts[part] += 1
        self._having[part].update(terms.keys())
        for key, written in terms.items():
            self._forms[key][written] += 1

    def shares(self, parts: Sequence[int], sizes: Sequence[int]) -> "TermShares":
        """Estimate in which share of the memories of these parts each term is.

        ``sizes`` has how many memories each part of the layout has.
        """
        sampled = [part for part in parts if self._texts[part]]
        total = sum(sizes[part] for part in sampled)
        found = TermShares()
        for part in sampled:
            weight = sizes[part] / total / self._texts[part]
            for key, texts in self._having[part].items():
                found.share[key] += texts * weight
                found.texts[key] += texts
        return found

    def written(self, key: str) -> str:
        """Return the most frequent form of a term; of equal ones, that in lower case."""
        return min(self._forms[key].items(), key=lambda each: (-each[1], each[0].swapcase()))[0]


@dataclass(frozen=True, slots=True)
class TermShares:
    """In which share of some memories each term is, and in how many sampled texts of them."""

    share: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    texts: Counter[str] = field(default_factory=Counter[str])


def distinctive_words(
    clusters: "Sequence[Cluster]", sizes: Sequence[int], texts: PartTexts
) -> list[tuple[str, ...]]:
    """Return the words of each cluster, the most distinctive first; none if its texts share none.

    A cluster doesn't repeat the words of those that it is in, as both are shown. ``sizes`` has how
    many memories each part of the layout has.
    """
    everywhere = texts.shares(range(len(sizes)), sizes).share
    chosen: list[list[str]] = []
    for cluster in clusters:
        inside = texts.shares(cluster.parts, sizes)
        weights = {
            key: math.sqrt(share) * math.log(share / everywhere[key])
            for key, share in inside.share.items()
            if inside.texts[key] >= _MIN_TEXTS and share >= _MIN_SHARE
        }
        outer = [key for each in _outer(cluster, clusters) for key in chosen[each.id]]
        chosen.append(_choose(weights, outer))
    return [tuple(map(texts.written, keys)) for keys in chosen]


def _outer(cluster: "Cluster", clusters: "Sequence[Cluster]") -> "Iterator[Cluster]":
    while cluster.parent is not None:
        yield (cluster := clusters[cluster.parent])


def _choose(weights: Mapping[str, float], said: Sequence[str]) -> list[str]:
    """Return the heaviest terms that aren't contained in each other, nor in what is said."""
    found: list[str] = []
    ranked = sorted(weights, key=lambda key: (-weights[key], -len(key), key))
    for key in ranked:
        if len(found) == MAX_WORDS or weights[key] < weights[ranked[0]] * _LEAST_OF_FIRST:
            break
        if not any(key in other or other in key for other in (*said, *found)):
            found.append(key)
    return found
