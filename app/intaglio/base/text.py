"""Text rules that the whole system shares: normal forms, hash, token estimate."""

import hashlib
import re
import unicodedata
from typing import Final

_TRAILING = ".,!?;: "
_CHARS_PER_TOKEN = 4
_SENTENCE_END: Final = re.compile(
    r"[.!?\u2026][\"')\]\u201d\u2019\u00bb]{0,2}(?=\s(?![a-z]))|[\u3002\uff01\uff1f]|(?=\n)"
)
_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_ABBREVIATIONS: Final = ("e.g.", "i.e.", "vs.", "etc.", "z.b.", "d.h.", "bzw.", "p.ej.", "cf.")


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


def count_of(number: int, one: str, many: str) -> str:
    """Write a number with its noun: ``1 memory``, ``1,200 memories``."""
    return f"1 {one}" if number == 1 else f"{number:,} {many}"


def split_sentences(text: str) -> list[str]:
    """Return a text's sentences and lines, trimmed; an abbreviation ends one, too."""
    return [each.strip() for each in _BETWEEN_SENTENCES.split(text) if each.strip()]


def first_sentences(text: str, limit: int, longest: int = 0) -> str:
    """Return a text's first whole sentences, at most ``limit`` characters; empty if there are none.

    The first one may be as long as ``longest``. A line ends a sentence, too.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    ends = [
        found.end()
        for found in _SENTENCE_END.finditer(text, 0, max(limit, longest) + 1)
        if not text[max(0, found.end() - 8) : found.end()].lower().endswith(_ABBREVIATIONS)
    ]
    within = [end for end in ends if end <= limit]
    if within:
        return text[: within[-1]].rstrip()
    if len(text) <= longest:
        ends.append(len(text))
    return text[: ends[0]].rstrip() if ends and ends[0] <= longest else ""
