"""What two statements have in common: the measure by which they are told to say the same.

How much is enough, and what besides words must agree, is for the caller to say.
"""

from dataclasses import dataclass

from intaglio.language.topics import topic_words


@dataclass(frozen=True, slots=True)
class Overlap:
    """The words of two texts, and those that they share."""

    left: frozenset[str]
    right: frozenset[str]
    shared: frozenset[str]

    @property
    def only_left(self) -> frozenset[str]:
        """The words that the first has alone."""
        return self.left - self.right

    @property
    def only_right(self) -> frozenset[str]:
        """The words that the second has alone."""
        return self.right - self.left

    @property
    def differing(self) -> int:
        """How many words either has alone."""
        return len(self.left) + len(self.right) - 2 * len(self.shared)

    @property
    def share(self) -> float:
        """Which share (0 to 1) of the shorter text's words the other has."""
        return len(self.shared) / max(1, min(len(self.left), len(self.right)))

    @property
    def share_of_left(self) -> float:
        """Which share (0 to 1) of the first text's words the second has."""
        return len(self.shared) / max(1, len(self.left))

    @property
    def share_of_all(self) -> float:
        """Which share (0 to 1) of all their words they share (Jaccard)."""
        return len(self.shared) / max(1, len(self.left) + len(self.right) - len(self.shared))


def overlap(left: frozenset[str], right: frozenset[str]) -> Overlap:
    """Compare the words of two texts."""
    return Overlap(left, right, left & right)


def topic_overlap(left: str, right: str) -> Overlap:
    """Compare two texts by the words of their topics."""
    return overlap(topic_words(left), topic_words(right))
