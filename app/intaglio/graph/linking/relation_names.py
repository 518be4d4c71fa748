"""The names under which relations are stored: synonyms of a relation become one; pure.

A name that isn't known keeps its own words, in one spelling: what was said isn't lost.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from intaglio.graph.linking.lexicon.word_lists import FOLDER
from intaglio.language.word_lists import sections

RelationKind: TypeAlias = Literal["causal", "temporal", "semantic", "co_occurrence", "hierarchical"]
"""What kind of relation it is (seed 004)."""

_NOT_WORDS: Final = re.compile(r"[\W_]+")
_BY: Final = "by_"
_LONGEST: Final = 60
# "is used by", "has been replaced by", "currently uses".
_AUXILIARIES: Final = frozenset(
    {
        *("is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "will", "can"),
        *("currently", "now", "also", "still", "mainly", "primarily", "usually", "directly"),
    }
)
_EDGE_TYPES: Final[Mapping[str, RelationKind]] = {
    "causes": "causal",
    "blocks": "causal",
    "replaces": "temporal",
    "part_of": "hierarchical",
    "is_a": "hierarchical",
    "same_as": "hierarchical",
}


class RelationName(NamedTuple):
    """A relation as it is stored; ``is_reversed`` says that its ends are exchanged."""

    name: str
    edge_type: RelationKind
    is_reversed: bool = False


def relation_name(written: str) -> RelationName | None:
    """Return the name under which a relation is stored; None if it says nothing, or too much."""
    spelled = _NOT_WORDS.sub("_", written[: 4 * _LONGEST].lower()).strip("_")
    if not 0 < len(spelled) <= _LONGEST:
        return None
    words = spelled.split("_")
    known = _names()
    # The auxiliaries before it don't count, unless they are a name themselves: "is a".
    for start in range(len(words)):
        found = known.get("_".join(words[start:]))
        if found is not None:
            return found
        if words[start] not in _AUXILIARIES:
            break
    return RelationName(spelled, "semantic")


@cache
def _names() -> Mapping[str, RelationName]:
    found: dict[str, RelationName] = {}
    for section, lines in sections(FOLDER / "relations.txt").items():
        name = section.removeprefix(_BY) if section.startswith(_BY) else section
        stored = RelationName(name, _EDGE_TYPES.get(name, "semantic"), name != section)
        found[name] = RelationName(name, stored.edge_type)
        for word in " ".join(lines).split():
            found.setdefault(word, stored)
    return found
