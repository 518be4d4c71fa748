"""Decisions of made-up words: such as have more in common become one memory."""

import random
from typing import Final

_SYLLABLES: Final = ("bdfgklmnprstvz", "aeiou")


def distinct_decision(about: str) -> str:
    """Make a decision that has only its frame in common with those about anything else."""
    chance = random.Random(about)  # noqa: S311 - the same words every time
    words = ("".join(chance.choice(part) for part in _SYLLABLES * 3) for _ in range(6))
    return "We decided to use {} {} {} for the {} {} {}.".format(*words)
