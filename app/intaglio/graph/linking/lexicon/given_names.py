"""Given names of people, by which a capitalised word is taken for a person."""

from typing import Final

from intaglio.graph.linking.lexicon.word_lists import words

GIVEN_NAMES: Final = frozenset(name.lower() for name in words("given_names", "names"))
"""Given names in lower case."""

ORDINARY_GIVEN_NAMES: Final = words("given_names", "ordinary")
"""Given names that are other words, too: only the context makes them people."""
