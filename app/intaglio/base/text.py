"""Text rules that the whole system shares: normal forms, hash, token estimate, language."""

import hashlib
import re
import unicodedata
from collections import Counter
from typing import Final, Literal, TypeAlias

_TRAILING = ".,!?;: "
_CHARS_PER_TOKEN = 4

Language: TypeAlias = Literal["en", "de", "es", "fr", "zh", "ja", "other"]

_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_OTHER_SCRIPT: Final = re.compile(r"[\u0370-\u1fff\uac00-\ud7af]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['\u2019][a-z]+)?")
_LANGUAGE_CHARS: Final = 4_000
_STOP_WORDS: Final[dict[Language, str]] = {
    "en": (
        "the a an and or of to in on for with is are was be it this that we you i my our your "
        "don't not use please can could should from as at by do does did have has let's it's "
        "i'm we're if when what how why where but so just all always never keep make them they "
        "no yes there here only into instead than then now one new still also would will"
    ),
    "de": (
        "der die das den dem des ein eine einen einem einer und oder nicht ist sind war wir ihr "
        "ich du mir mich uns bitte mit auf für von zu im am beim zum zur bei nach auch nur noch "
        "immer nie niemals kein keine keinen wie was warum wenn dass daß als aber doch mal hier "
        "jetzt schon wird werden haben hat soll sollen muss müssen kann können alle aus über unter "
        "statt lieber machen mach es sich dann denn ab"
    ),
    "es": (
        "el la los las un una unos unas y o de del que en con por para es son está están no sí se "
        "lo le nos mi tu su nuestro nuestra siempre nunca pero como cuando donde qué cómo por "
        "favor usa usamos hay más muy ya esto eso aquí todo todos todas sin al si porque también "
        "cada entre hacer vamos prefiero mejor solo sólo"
    ),
    "fr": (
        "le la les un une des du de et ou que qui dans en sur pour avec est sont pas ne ni on nous "
        "vous je tu il elle ce cette ces mon ma mes notre nos votre toujours jamais mais comme "
        "quand où quoi comment s'il plaît c'est j'ai d'abord plus très déjà ici tout tous toutes "
        "sans au aux si parce aussi chaque fait faut utilise préfère plutôt"
    ),
}
_LANGUAGES_OF: Final[dict[str, tuple[Language, ...]]] = {
    word: tuple(name for name, words in _STOP_WORDS.items() if word in words.split())
    for words in _STOP_WORDS.values()
    for word in words.split()
}
_ELIDED: Final = re.compile(r"^(?:[cdjlmnst]|qu)['\u2019]", re.IGNORECASE)
_MIN_HAN_SHARE: Final = 0.08


def scrub(text: str) -> str:
    """Remove NUL and lone surrogates, which can't be stored, and normalize to NFC."""
    clean = text.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    return unicodedata.normalize("NFC", clean)


def storage_form(text: str) -> str:
    """Trim, and collapse each run of whitespace to one space (seed 002, content normalisation)."""
    return " ".join(text.split())


def normal_form(text: str) -> str:
    """Return the lower-case storage form without any trailing ``.,!?;:`` and whitespace."""
    return storage_form(text).lower().rstrip(_TRAILING)


def content_hash(text: str) -> bytes:
    """Return the SHA-256 (32 bytes) of the normal form, or of the storage form if that is empty."""
    basis = normal_form(text) or storage_form(text).lower()
    return hashlib.sha256(basis.encode()).digest()


def estimate_tokens(text: str) -> int:
    """Estimate model tokens: UTF-8 bytes / 4, rounded up. For budgets, not billing."""
    return -(-len(text.encode()) // _CHARS_PER_TOKEN)


def clip(text: str, limit: int, mark: str = "…") -> str:
    """Shorten to at most ``limit`` characters, ``mark`` included, at a blank if one is near."""
    if len(text) <= limit:
        return text
    if limit <= len(mark):
        return text[:limit]
    cut = text[: limit - len(mark)]
    blank = cut.rfind(" ")
    if blank > len(cut) * 3 // 4:
        cut = cut[:blank]
    return cut.rstrip() + mark


def language_of(text: str, otherwise: Language = "en") -> Language:
    """Return the language of a text, or ``otherwise`` if its words don't tell."""
    text = text[:_LANGUAGE_CHARS]
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    if han + kana > _MIN_HAN_SHARE * len(text):
        return "ja" if kana * 8 > han + kana else "zh"
    if len(_OTHER_SCRIPT.findall(text)) * 3 > len(text):
        return "other"
    counts: Counter[Language] = Counter()
    for word in _LATIN.findall(text.lower()):
        if _ELIDED.match(word):
            counts["fr"] += word not in _LANGUAGES_OF
        for name in _LANGUAGES_OF.get(word.replace("\u2019", "'"), ()):
            counts[name] += 1
    if not counts:
        return otherwise
    (best, most), *rest = counts.most_common(2)
    if rest and rest[0][1] == most:
        return otherwise if counts[otherwise] == most else best
    return best
