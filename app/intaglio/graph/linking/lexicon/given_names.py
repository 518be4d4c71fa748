"""Given names of people, by which a capitalised word is taken for a person."""

from typing import Final

from intaglio.language.word_lists import word_list

GIVEN_NAMES: Final = frozenset(name.lower() for name in word_list("given_names", "names"))
"""Given names in lower case."""

ORDINARY_GIVEN_NAMES: Final = word_list("given_names", "ordinary")
"""Given names that are other words, too: only the context makes them people."""
