"""Splits texts into words, one way for each script; takes time linear in the text."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

_HAN: Final = r"\u3005\u3400-\u9fff"
_HIRAGANA: Final = r"\u3041-\u309f"
_KATAKANA: Final = r"\u30a1-\u30ff"
_CJK: Final = _HAN + _HIRAGANA + _KATAKANA
_CJK_CHARACTER: Final = re.compile(f"[{_CJK}]")
# A run of one East Asian script; or a word, or a name as code writes it: a path, a flag,
# "@types/node", "v1.2", "don't". Hangul separates its words by blanks.
_TOKEN: Final = re.compile(
    rf"[{_HAN}]+|[{_KATAKANA}]+|[{_HIRAGANA}]+"
    rf"|[@#~/$.*-]{{0,8}}[^\W{_CJK}](?:[^\W{_CJK}]|[.+#/@*'\u2019:-])*"
)
_TRAILING: Final = ".,:;'\u2019*-"
_SPACED_WORD: Final = re.compile(rf"[^\W_{_CJK}]+(?:['\u2019-][^\W_{_CJK}]+)*")


def fold(text: str) -> str:
    """Return the text in lower case, without accents, and with plain apostrophes."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFKD", text.replace("\u2019", "'").casefold())
    plain = "".join(sign for sign in lower if not unicodedata.combining(sign) or sign > "\u3000")
    # Composes what isn't an accent: the marks of Japanese syllables.
    return unicodedata.normalize("NFC", plain)


def words(text: str) -> Iterator[str]:
    """Yield the words as written, without what punctuates them.

    A name as code writes it is one word. So is a run of Chinese characters or of either kind of
    Japanese syllables, as these scripts don't separate words: see `pairs`.
    """
    for token in _TOKEN.findall(text):
        yield token.rstrip(_TRAILING)


def is_cjk(word: str) -> bool:
    """Whether a word is a run of Chinese characters or Japanese syllables."""
    return _CJK_CHARACTER.match(word) is not None


def pairs(run: str) -> list[str]:
    """Split a run of script without spaces into overlapping pairs; a single character is one."""
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def count_cjk(text: str) -> int:
    """Count the Chinese characters and Japanese syllables."""
    return 0 if text.isascii() else len(_CJK_CHARACTER.findall(text))


def is_mostly_cjk(text: str) -> bool:
    """Whether at least half of the words are Chinese or Japanese, two characters being a word."""
    wide = count_cjk(text) // 2
    return wide > 0 and wide >= count_spaced_words(text)


def count_spaced_words(text: str) -> int:
    """Count the words of scripts that separate words."""
    return len(_SPACED_WORD.findall(text))


def count_words(text: str) -> int:
    """Count words; two Chinese characters or Japanese syllables count as one."""
    return count_spaced_words(text) + count_cjk(text) // 2
