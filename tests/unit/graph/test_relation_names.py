"""Synonyms of a relation are stored under one name."""

import pytest

from intaglio.graph.linking.lexicon.word_lists import FOLDER
from intaglio.graph.linking.relation_names import RelationName, relation_name
from intaglio.language.word_lists import sections


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("prefers", RelationName("prefers", "semantic")),
        ("Preferred", RelationName("prefers", "semantic")),
        ("is used by", RelationName("uses", "semantic", is_reversed=True)),
        ("currently depends-on", RelationName("requires", "semantic")),
        ("has been replaced by", RelationName("replaces", "temporal", is_reversed=True)),
        ("caused", RelationName("causes", "causal")),
        ("belongs to", RelationName("part_of", "hierarchical")),
        ("contains", RelationName("part_of", "hierarchical", is_reversed=True)),
        ("is a", RelationName("is_a", "hierarchical")),
        ("frobnicates with", RelationName("frobnicates_with", "semantic")),
        (" writes  to ", RelationName("writes_to", "semantic")),
        ("", None),
        ("!?", None),
        ("x" * 61, None),
        ("a " * 100_000, None),
    ],
)  # fmt: skip
def test_a_relation_has_one_name(written: str, stored: RelationName | None) -> None:
    assert relation_name(written) == stored


def test_each_synonym_is_listed_once() -> None:
    listed = [
        word
        for section, lines in sections(FOLDER / "relations.txt").items()
        for word in (section, *" ".join(lines).split())
    ]
    assert sorted(set(listed)) == sorted(listed)
