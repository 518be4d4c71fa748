"""Which characters of a memory reach an agent: those that a reader of the text would see."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

# A terminal's colours and movements, as whole sequences: the rest of one would be litter.
_TERMINAL = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")
_BREAK = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Invisible, though Unicode calls them letters or marks: fillers of Hangul, Khmer vowels that are
# inherent, the joiner of graphemes.
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_SELECTOR: Final = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = re.compile(f"[{''.join(_FILLERS)}{_SELECTOR}]")
_SELECTED = re.compile(f"([^{_SELECTOR}]?)([{_SELECTOR}]+)")
_JOINERS = re.compile("[\u200c\u200d]+")
_DIRECTIONS = re.compile("([\u200e\u200f])[\u200e\u200f]+")
_KEPT_FORMATS: Final = frozenset("\u200c\u200d\u200e\u200f")

_Range = tuple[int, int]
# Scripts whose letters join, from the Unicode standard's chapters 9 and 12 to 17.
_JOINING: Final[tuple[_Range, ...]] = (
    *((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1700, 0x18AF), (0x1900, 0x1CFF)),
    *((0xA800, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x10AFF)),
    *((0x10D00, 0x10D3F), (0x10F30, 0x10FDF), (0x11000, 0x11FFF), (0x1E900, 0x1E95F)),
)
_IDEOGRAPHS: Final[tuple[_Range, ...]] = (
    *((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFD)),
)
_MONGOLIAN: Final[_Range] = (0x1800, 0x18AF)
# Emoji that are younger than Python's tables have no category yet.
_PICTURES: Final[_Range] = (0x1F000, 0x1FAFF)
_UNASSIGNED: Final[tuple[_Range, ...]] = (
    *((0x2065, 0x2065), (0xFFF0, 0xFFF8), (0xFDD0, 0xFDEF), (0xE0000, 0xE0FFF)),
)
_EMOJI_TEXT: Final = frozenset("0123456789#*\u203c\u2049\u3030\u303d")


def visible(text: str) -> str:
    """Remove control characters and invisible ones, and return the rest unchanged.

    Kept are newline and tab, left-to-right and right-to-left marks (one of several in a row),
    joiners next to a letter of a script that joins or between emoji, and one variation selector
    behind a character that has variants. Other line breaks become newlines.
    """
    plain = text if text.isprintable() else text.replace("\n", "").replace("\t", "")
    if plain.isprintable() and (plain.isascii() or not _HIDDEN.search(plain)):
        return text
    text = _BREAK.sub("\n", _TERMINAL.sub("", text))
    text = "".join([char for char in text if not _is_dropped(char)])
    text = _SELECTED.sub(_keep_selector, text)
    text = _JOINERS.sub(_keep_joiner, text)
    return _DIRECTIONS.sub(r"\1", text)


@lru_cache(maxsize=8_192)
def _is_dropped(char: str) -> bool:
    match unicodedata.category(char):
        case "Cc":
            return char not in "\n\t"
        case "Cf":
            return char not in _KEPT_FORMATS
        case "Cs":
            return True
        case "Cn":
            return _within(char, _UNASSIGNED) or ord(char) & 0xFFFE == 0xFFFE  # noqa: PLR2004 - noncharacters
        case _:
            return char in _FILLERS


def _within(char: str, ranges: tuple[_Range, ...]) -> bool:
    code = ord(char)
    return any(first <= code <= last for first, last in ranges)


def _keep_selector(found: re.Match[str]) -> str:
    base, selector = found[1], found[2][0]
    return base + selector if base and _has_variants(base, selector) else base


def _has_variants(base: str, selector: str) -> bool:
    kind = unicodedata.category(base)
    if selector >= "\U000e0100":
        return _within(base, _IDEOGRAPHS)
    if selector >= "\ufe0e":
        return kind[0] == "S" or base in _EMOJI_TEXT
    if selector >= "\ufe00":
        return kind in {"Sm", "Lo"}
    return _within(base, (_MONGOLIAN,))


def _keep_joiner(found: re.Match[str]) -> str:
    text, joiner, first, end = found.string, found[0], found.start(), found.end()
    before, after = text[max(0, first - 1) : first], text[end : end + 1]
    return joiner if len(joiner) == 1 and _joins(joiner, before, after) else ""


def _joins(joiner: str, before: str, after: str) -> bool:
    """Whether a joiner has an effect between these characters, empty at the text's ends."""
    if any(char.isalnum() and _within(char, _JOINING) for char in (before, after) if char):
        return True
    if before and unicodedata.category(before)[0] == "M" and _within(before, _JOINING):
        return True
    return joiner == "\u200d" and _is_emoji(before) and _is_emoji(after)


def _is_emoji(char: str) -> bool:
    if not char or char.isascii():
        return False
    if char == "\ufe0f" or _within(char, (_PICTURES,)):
        return True
    return unicodedata.category(char) in {"So", "Sk", "Sm"}
