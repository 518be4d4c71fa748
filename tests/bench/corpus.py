"""Made-up memories and questions: words by Zipf's law, the same for the same seed."""

import random
from collections.abc import Iterator
from typing import Final

_SYLLABLES: Final = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
_LEADS: Final = ("We decided to use", "The user prefers", "Never touch", "The service", "TIL that")
_WORDS: Final = 20_000


class Corpus:
    """Writes sentences of about 30 words, of which a few are common and most are rare."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)  # noqa: S311 - figures have to be repeatable
        self._words = [
            "".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 4)))
            for _ in range(_WORDS)
        ]
        self._weights = [1 / (rank + 10) for rank in range(_WORDS)]

    def _some(self, count: int) -> list[str]:
        return self._random.choices(self._words, self._weights, k=count)

    def memory(self) -> str:
        """Return a memory of 20 to 40 words."""
        lead = self._random.choice(_LEADS)
        return f"{lead} {' '.join(self._some(self._random.randint(18, 36)))}."

    def question(self) -> str:
        """Return a question of 5 to 9 words among the usual small ones."""
        return f"What did we say about {' '.join(self._some(self._random.randint(2, 5)))} and why?"

    def memories(self, count: int) -> Iterator[dict[str, object]]:
        """Return bodies of remember requests, spread over five projects and no project."""
        for _ in range(count):
            project = self._random.choice(["/p/a", "/p/b", "/p/c", "/p/d", "/p/e", None])
            yield {"content": self.memory(), "project": project, "who": "bench"}
