"""Literal phrases of a question: quoted text and identifiers."""

import re
from dataclasses import dataclass, field
from typing import Final

from intaglio.base.text import storage_form

_QUOTED: Final = re.compile(r"[\"“”„«]([^\"“”„«»]{3,200})[\"“”»]|`([^`]{3,200})`")
# Paths, dotted and underscored names, flags, tickets: what is typed as one word but is none.
_IDENTIFIER: Final = re.compile(
    r"(?<![\w./~-])[\w./~-]{0,60}\w[./_-][\w./_-]{0,60}\w|\b\w*[a-z][A-Z]\w*\b"
)
_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one question."""

    question: str
    _phrases: list[str] = field(init=False, default_factory=list[str])

    def __post_init__(self) -> None:
        quoted = [
            storage_form(one or other).casefold() for one, other in _QUOTED.findall(self.question)
        ]
        found = [each.casefold() for each in _IDENTIFIER.findall(self.question)]
        self._phrases.extend(dict.fromkeys([*quoted, *found][:_MOST]))

    @property
    def any(self) -> bool:
        """Whether the question contains any."""
        return bool(self._phrases)

    def share(self, content: str) -> float:
        """Return the share (0 to 1) of the question's phrases that a text contains."""
        if not self._phrases:
            return 0.0
        text = content.casefold()
        # Folding the spaces of a long text takes milliseconds; most texts lack a phrase's words.
        spaced = (each.split() for each in self._phrases if " " in each)
        if any(all(word in text for word in each) for each in spaced):
            text = storage_form(content).casefold()
        return sum(each in text for each in self._phrases) / len(self._phrases)
