"""Which of the texts before a memory are embedded with it; pure functions."""

from collections.abc import Sequence
from typing import Final

MAX_TURN_PIECES: Final = 128
"""A text of more word pieces is no turn of a conversation, and neither has nor is context."""

_MOST_TEXTS: Final = 2
_MAX_TOGETHER: Final = 160


def context_of(own: Sequence[int], before: Sequence[Sequence[int]]) -> list[int]:
    """Return the word pieces that go before a text's own, given those of the texts before it.

    The nearest texts are taken: at most two, without gaps, of at most 160 pieces with its own. A
    text without pieces has no context, since its vector would have nothing of its own.
    """
    if not 0 < len(own) <= MAX_TURN_PIECES:
        return []
    taken: list[int] = []
    for text in reversed(before[-_MOST_TEXTS:]):
        if len(text) > MAX_TURN_PIECES or len(text) + len(taken) + len(own) > _MAX_TOGETHER:
            break
        taken = [*text, *taken]
    return taken
