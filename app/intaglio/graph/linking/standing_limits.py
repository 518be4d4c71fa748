"""Whether a text sets a standing limit, and whether that makes a memory a constraint; pure.

A type alone makes none: a classifier's "rule" is one only if its words demand something for good.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from intaglio.domain.context_groups import StatedBasis
from intaglio.language.word_lists import DATA, sections

_BINDING: Final = re.compile(
    (
        r"\b(?:must|mustn't|must not|never|always|don't|do not|don’t|only|has to|have to|"
        r"had to be|cannot|can't|may not|no longer allowed|not allowed|forbidden|verboten|"
        r"prohibido|required to|mandatory|under no circumstances|shall not|shall|from now on|"
        r"at all times|off[- ]limits|nie|niemals|ab sofort|"
        r"immer|muss|müssen|darf|dürfen|nicht erlaubt|nunca|siempre|debe|deben|no se puede|"
        r"hay que|jamais|toujours|doit|doivent|il faut|interdit)\b|必须|不要|不能|总是|"
        r"禁止|绝不|一律|必ず|しないで|してはいけない"
    ),
    re.IGNORECASE,
)
_NOT_BINDING: Final = re.compile(
    (
        r"\b(?:can't|cannot)\s(?:reproduce|find|see|remember|believe|wait|afford|connect|"
        r"handle|keep)\b|\bdon't\s(?:know|think|care|mind|remember|have|need|like|see)\b|"
        r"\bnot only\b|\b(?:the|my|our|an?) only\b|\bonly\s(?:\d|a few|one|two|because|works|"
        r"takes|happens|fails|affects|after)\b|\bis\sonly\b|\b(?:has|have) to do\b|"
        r"\balways (?:fails|crashes|hangs|breaks)\b|\bnever (?:worked|works)\b"
    ),
    re.IGNORECASE,
)
# "No force-pushes to main", "Nothing in US regions".
_DENIES_ALL: Final = re.compile(
    r"(?:no(?! (?:idea|problem|worries|need|reason|longer|clue|rush|luck)\b)|nothing|nobody|"
    r"kein\w{0,3}|nichts|niemand|nada|ningún|aucune?|rien) \w",
    re.IGNORECASE,
)
# Told, supposed or asked, and not set for good.
_HEDGED: Final = re.compile(
    (
        r"[?？]\s*$|\b(?:maybe|perhaps|probably|possibly|might|i think|i guess|i suppose|"
        r"not sure|ideally|usually|would be nice|this time|today|tomorrow|vielleicht|"
        r"wahrscheinlich|eventuell|heute|morgen|diesmal|quizás?|tal vez|hoy|mañana|peut-être|"
        r"aujourd'hui|demain)\b|"
        r"\b(?:never|always|only) \w{1,30}(?:ed|ew)\b|\bmust have \w|"
        r"\bmust be (?:the|an?|some|because|something)\b|\b(?:can|could|would) (?:always|never)\b|"
        r"也许|可能|今天|かもしれ|たぶん|今日"
    ),
    re.IGNORECASE,
)
_DECIDED: Final = frozenset({"rule", "decision"})
_NEVER_BINDING: Final = frozenset({"issue", "session_summary", "document_chunk", "learning"})


def constraint_basis(text: str, memory_type: str, *, confirmed: bool) -> StatedBasis | None:
    """Return why a text of the user is a constraint, None if it isn't.

    ``confirmed``: they saved, kept or changed it themself.
    """
    if memory_type in _NEVER_BINDING:
        return None
    if confirmed and memory_type in _DECIDED:
        return "confirmed"
    if not _demands(text):
        return None
    if confirmed and memory_type != "preference":
        return "confirmed"
    return None if _is_hedged(text) else "outright"


def _demands(shown: str) -> bool:
    if _DENIES_ALL.match(shown):
        return True
    return bool(_BINDING.search(shown) and _BINDING.search(_NOT_BINDING.sub(" ", shown)))


def _is_hedged(shown: str) -> bool:
    if _HEDGED.search(shown):
        return True
    words = f" {' '.join(shown.lower().split())} "
    return any(phrase in words for phrase in _for_now())


@cache
def _for_now() -> Sequence[str]:
    """Return the phrases that hold for a while, between blanks if their script has them."""
    phrases = [phrase for found in sections(DATA / "for_now.txt").values() for phrase in found]
    return tuple(f" {phrase}" if phrase.isascii() else phrase for phrase in phrases)
