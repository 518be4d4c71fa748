"""Text as a reader takes it: letters that look like Latin ones, without what has no width."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

QUOTES: Final = "‹«〈《〈⟨⟪❬⦑"
"""Brackets that also quote single words."""

# Pairs of what looks alike and normalization keeps apart; after the confusables of UTS #39.
_PAIRS: Final = MappingProxyType(
    dict(
        (
            # Cyrillic
            *zip("абвгдезиікмнорстухѕјһԁԛԝӏѐёїҝ", "a6brge3uikmhopctyxsjhdqwleeik", strict=True),
            *zip("АВСЕНІЈКМОРԚЅТХУԜӀҺ", "ABCEHIJKMOPQSTXYWIH", strict=True),
            # Greek
            *zip("αβγεικνορτυχωϲϳ", "abyeikvoptuxwcj", strict=True),
            *zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True),
            # Armenian, small capitals, other Latin letters
            *zip("օսհցԁոռ", "ouhgdnn", strict=True),
            *zip("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprstuvwyz", strict=True),
            *zip("ıɡɑɩȷƽ", "igaijs", strict=True),
            # Brackets and slashes
            *((char, "<") for char in f"˂ᐸ≺❮❰⧼⪡⋖𝈶﹤＜◁◃⊲{QUOTES}"),
            *((char, ">") for char in "˃ᐳ≻❯❱⧽⪢⋗𝈷﹥＞▷▹⊳›»〉》〉⟩⟫❭⦒"),
            *((char, "/") for char in "⁄∕⧸╱／⟋"),
            *((char, "_") for char in "‿⁀︳＿"),
            *((char, "-") for char in "−⁃˗➖"),
            ("\u2800", " "),
            *((char, "|") for char in "｜│∣⏐ǀ"),
        )
    )
)


_FOREIGN = re.compile(r"[^\x00-\x7f]")
OPENERS: Final = "".join(char for char, seen in _PAIRS.items() if seen == "<") + "\u226e"
"""What is read as `<`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is read: each of its characters comes from the one at ``origins`` there."""

    text: str
    origins: Sequence[int]

    def span(self, start: int, end: int, length: int) -> tuple[int, int]:
        """Return which characters of the original text, of that length, a part was read from."""
        if not self.origins:
            return start, end
        return self.origins[start], self.origins[end] if end < len(self.origins) else length


def read(text: str) -> Reading:
    """Read a text; without ``origins`` it is read as it is written."""
    if text.isascii():
        return Reading(text, ())
    letters: list[str] = []
    origins: list[int] = []
    end = 0
    for found in _FOREIGN.finditer(text):
        position, seen = found.start(), _seen(found[0])
        letters += (text[end:position], seen)
        origins.extend(range(end, position))
        origins.extend([position] * len(seen))
        end = position + 1
    letters.append(text[end:])
    origins.extend(range(end, len(text)))
    return Reading("".join(letters), origins)


@lru_cache(maxsize=8_192)
def _seen(char: str) -> str:
    if char in _PAIRS:
        return _PAIRS[char]
    parts = unicodedata.normalize("NFKD", char)
    return "".join(_PAIRS.get(part, _class(part)) for part in parts)


def _class(char: str) -> str:
    """Read what stands for a blank or a hyphen as that, and what has no width as nothing."""
    match unicodedata.category(char):
        case "Mn" | "Me" | "Cf":
            return ""
        case "Pd":
            return "-"
        case "Zs":
            return " "
        case _:
            return char
