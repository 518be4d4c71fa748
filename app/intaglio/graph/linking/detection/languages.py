"""Decides in which language a short text is, where stop words alone don't tell."""

from typing import Final

from intaglio.graph.linking.detection.drafts import Scanned
from intaglio.graph.linking.lexicon.word_lists import words
from intaglio.language.detection import Language

_ENGLISH: Final = words("languages", "english")
_TELLING: Final[dict[Language, frozenset[str]]] = {
    "de": words("languages", "telling_de"),
    "es": words("languages", "telling_es"),
    "fr": words("languages", "telling_fr"),
}
_LETTERS: Final[dict[Language, frozenset[str]]] = {
    "de": frozenset("äöüß"),
    "es": frozenset("ñ¿¡áíóú"),
    "fr": frozenset("çêèàùœîï"),
}


def language_by_words(scanned: Scanned) -> Language:
    """Return the text's language, which stop words alone may have taken for English."""
    if scanned.language != "en":
        return scanned.language
    words = [token.low for token in scanned.tokens if token.kind == "word"]
    english = sum(1 for word in words if word in _ENGLISH)
    best: Language = "en"
    most = english
    for language, telling in _TELLING.items():
        count = sum(1 for word in words if word in telling)
        if count and not _LETTERS[language].isdisjoint(scanned.text):
            count += 1
        if count > most:
            best, most = language, count
    return best
