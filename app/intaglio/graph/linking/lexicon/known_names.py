"""Finds what a word or some words name, in the list of known tools, languages and formats."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.domain.entity_kinds import EntityType
from intaglio.graph.linking.canonical import canonical_name
from intaglio.graph.linking.lexicon.word_lists import FOLDER
from intaglio.language.word_lists import sections

Certainty: TypeAlias = Literal["always", "capitalised", "in_context"]
"""When a spelling is a name: always, if it is capitalised, or if the words around it tell."""

_CERTAINTIES: Final[dict[str, Certainty]] = {"^": "capitalised", "~": "in_context"}
_TYPES: Final[tuple[EntityType, ...]] = (
    "tool",
    "language",
    "format",
    "concept",
    "organization",
)


@dataclass(frozen=True, slots=True)
class KnownThing:
    """A tool, language, format or organization of the list, under its usual name."""

    name: str
    canonical: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to write a known thing."""

    thing: KnownThing
    written: str
    certainty: Certainty


def _spellings() -> dict[str, Spelling]:
    found: dict[str, Spelling] = {}
    lists = sections(FOLDER / "known_things.txt")
    for type_ in _TYPES:
        for line in " ".join(lists[type_]).split(";"):
            first, *others = [part.strip() for part in line.split(",")]
            name = first.lstrip("^~")
            thing = KnownThing(name, canonical_name(name), type_)
            for written in (first, *others):
                certainty = _CERTAINTIES.get(written[0], "always")
                bare = written.lstrip("^~")
                found.setdefault(canonical_name(bare), Spelling(thing, bare, certainty))
    return found


SPELLINGS: Final = _spellings()
"""All spellings, by canonical name."""

MOST_WORDS: Final = max(len(canonical.split()) for canonical in SPELLINGS)
FIRST_WORDS: Final = frozenset(canonical.split()[0] for canonical in SPELLINGS if " " in canonical)
"""The first words of spellings of several words."""
