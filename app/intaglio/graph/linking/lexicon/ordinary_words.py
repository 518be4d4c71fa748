"""Ordinary words, which name nothing even where they are capitalised."""

from typing import Final

from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.language.word_lists import word_list

FUNCTION_WORDS: Final = word_list("stop_words", "en", "de", "es", "fr") | words(
    "ordinary_words", "function_words", "other_languages"
)
"""Words that neither begin nor end the name of anything."""

TIMES: Final = words("ordinary_words", "times")

IMPERATIVES: Final = words("ordinary_words", "verbs")
"""Verbs in their base form, with which a rule or a note begins."""

ORDINARY_WORDS: Final = (
    FUNCTION_WORDS
    | TIMES
    | IMPERATIVES
    | words("ordinary_words", "nouns", "everyday", "adjectives")
)
"""Words that are no name by themselves."""

COMMON_ACRONYMS: Final = words("ordinary_words", "acronyms")
"""Words in capital letters that name nothing in particular, or that are merely shouted."""

_ENDINGS: Final = (
    *("ing", "tion", "tions", "ment", "ments", "ness", "ity", "ities", "ally", "able", "ible"),
    *("ized", "ised", "ated", "sion", "sions", "ance", "ence", "ful", "less", "ously", "ently"),
    *("antly", "ified"),
)
_SHORTEST_STEM: Final = 3


def is_ordinary(word: str) -> bool:
    """Tell whether a lower-case word is an ordinary one, by the list or by its ending."""
    if word in ORDINARY_WORDS:
        return True
    if word.endswith(_ENDINGS) and len(word) > 5 + _SHORTEST_STEM - 1:
        return True
    for ending in ("'s", "\u2019s", "s", "es", "ed", "d", "ly"):
        if word.endswith(ending) and word[: -len(ending)] in ORDINARY_WORDS:
            return len(word) - len(ending) >= _SHORTEST_STEM
    return False


PLACES: Final = words("ordinary_words", "places")
"""Cities and countries, which are no part of a system by themselves."""
