"""How likely it is that one statement contradicts another: boosted trees over `features`; pure.

The trees are fitted by ``python3 app bench relations --fit``. They only tell what is worth asking.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from intaglio.language.frames.comparison import Comparison
from intaglio.language.frames.features import features
from intaglio.language.frames.lexicon import FOLDER
from intaglio.language.word_lists import sections

FILE: Final = FOLDER / "score.txt"
_SPLIT: Final = "<"


@dataclass(frozen=True, slots=True)
class Split:
    """A node of a tree: which way to go by a feature's value, and where it leads."""

    feature: int
    cut: float
    below: "Tree"
    above: "Tree"


Tree: TypeAlias = Split | float
"""A tree, or what one of its leaves adds to the log odds."""


def score(found: Comparison, *, asked: bool, constraint: bool) -> float:
    """Return the log odds that the two contradict.

    ``asked`` is whether the rules would ask, ``constraint`` whether the older is a constraint.
    """
    names, trees = _fitted()
    given = features(found, asked=asked, constraint=constraint)
    values = [given[name] for name in names]
    odds = 0.0
    for tree in trees:
        node = tree
        while isinstance(node, Split):
            node = node.below if values[node.feature] < node.cut else node.above
        odds += node
    return odds


@cache
def _fitted() -> tuple[tuple[str, ...], tuple[Tree, ...]]:
    found = sections(FILE)
    trees = tuple(_read(iter(line.split())) for line in found["trees"])
    return tuple(found["features"]), trees


def _read(words: Iterator[str]) -> Tree:
    """Read a tree in preorder: "4<0.5" is a split by the fifth feature, a number is a leaf."""
    word = next(words)
    feature, split, cut = word.partition(_SPLIT)
    return Split(int(feature), float(cut), _read(words), _read(words)) if split else float(word)
