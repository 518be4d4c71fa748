"""Drafts of mentions: what one of the rules takes for the name of an entity."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.tokens import Token
from intaglio.language.detection import Language

# Which draft wins where two of the same length overlap.
BY_FORM: Final = 6
BY_ALIAS: Final = 5
BY_LIST: Final = 4
BY_CUE: Final = 3
BY_HEAD: Final = 2
BY_CAPITALS: Final = 1


@dataclass(slots=True, kw_only=True)
class Draft:
    """A possible mention: tokens ``first`` to ``last`` (inclusive), the text ``start`` to ``end``.

    ``keys`` are the canonical names by which the entity may be known, the likeliest first.
    ``aliases`` are other names that belong to the entity if it is new.
    """

    first: int
    last: int
    start: int
    end: int
    name: str
    canonical: str
    type: EntityType
    confidence: float
    rank: int
    keys: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(slots=True)
class Scanned:
    """A text with its tokens, in its language."""

    text: str
    tokens: Sequence[Token]
    language: Language
    project: str | None = None
    heading: bool = False

    def low(self, index: int) -> str:
        """Return the lower-case form of a token, or nothing beyond the ends."""
        return self.tokens[index].low if 0 <= index < len(self.tokens) else ""

    def is_word(self, index: int) -> bool:
        """Tell whether there is a word at this place."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind == "word"

    def capital(self, index: int) -> bool:
        """Tell whether there is a word with a capital letter at this place."""
        return 0 <= index < len(self.tokens) and self.tokens[index].capital

    def adjacent(self, index: int) -> bool:
        """Tell whether only blanks stand between this token and the next."""
        if index + 1 >= len(self.tokens):
            return False
        between = self.tokens[index + 1].start - self.tokens[index].end
        return (
            between <= 1
            or self.text[self.tokens[index].end : self.tokens[index + 1].start].isspace()
        )

    def slice(self, first: int, last: int) -> str:
        """Return the text from one token to another, both inclusive."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def draft(  # noqa: PLR0913 - what a draft consists of
        self,
        first: int,
        last: int,
        type_: EntityType,
        confidence: float,
        rank: int,
        *,
        name: str | None = None,
        canonical: str | None = None,
        aliases: tuple[str, ...] = (),
    ) -> Draft:
        """Return a draft of these tokens."""
        surface = self.slice(first, last)
        name = surface if name is None else name
        canonical = canonical_name(name) if canonical is None else canonical
        own = canonical_name(surface)
        return Draft(
            first=first,
            last=last,
            start=self.tokens[first].start,
            end=self.tokens[last].end,
            name=name,
            canonical=canonical,
            type=type_,
            confidence=confidence,
            rank=rank,
            keys=(own,) if own == canonical else (own, canonical),
            aliases=aliases,
        )


def without_overlaps(drafts: Iterable[Draft]) -> list[Draft]:
    """Keep the longest and best of the drafts that overlap, in the order of the text."""
    kept: list[Draft] = []
    for draft in sorted(drafts, key=lambda each: (each.first - each.last, -each.rank, each.first)):
        place = bisect(kept, draft.start, key=_start)
        before = kept[place - 1].end if place else 0
        after = kept[place].start if place < len(kept) else draft.end
        if before <= draft.start and draft.end <= after:
            kept.insert(place, draft)
    return kept


def _start(draft: Draft) -> int:
    return draft.start
