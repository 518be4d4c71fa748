"""Decides in which language a short text is, where stop words alone don't tell."""

from typing import Final

from intaglio.graph.linking.detection.drafts import Scanned
from intaglio.graph.linking.lexicon.word_set import word_set
from intaglio.language.detection import Language

_ENGLISH: Final = word_set(
    """
    the a an is are was were of and to for with we it this that be by our from not no as at has
    have runs uses use never always must should you your my i don't doesn't do on
    """
)
_TELLING: Final[dict[Language, frozenset[str]]] = {
    "de": word_set(
        """
        der die das den dem des ein eine und oder nicht ist sind wir ich mit auf für von zu im zum
        zur bei nach immer nie kein keine wenn wird werden haben hat soll muss kann alle über
        unter bitte verboten mach liegen liegt läuft laufen frag nutzen nutzt benutzt nimm statt
        lieber dürfen darf
        """
    ),
    "es": word_set(
        """
        el la los las una y del que en con por para son está no se lo nuestro nunca siempre usa
        usamos hay hemos al cada sin pero como usar despliegue
        """
    ),
    "fr": word_set(
        """
        le la les une des du et ou que qui dans sur pour avec est sont pas ne on nous vous il faut
        toujours jamais chaque depuis utilise utilisons au aux écrit
        """
    ),
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
