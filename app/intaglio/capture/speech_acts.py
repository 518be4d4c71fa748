"""Tells what a sentence does that states no rule, however sure the classifier is.

The phrase lists of all languages decide (see `capture.phrases`); a language without one is read
with the English list.
"""

import re
from functools import cache
from typing import Final, Literal, TypeAlias

from intaglio.capture.phrases import phrase_table, section_names
from intaglio.capture.values import Clause
from intaglio.language.word_lists import DATA, sections

_FOR_NOW: Final = DATA / "for_now.txt"

SpeechAct: TypeAlias = Literal["question", "musing", "hedge", "bug report", "order"]

_ASKS: Final = re.compile(
    r"[?？؟][\s\"'”’»」』)\]）]{0,4}$|[吗呢][。！]?$|(?:です|ます|でしょう)か[。]?$"
)
# With such words, an order or a report says what holds from now on.
_STANDING: Final = (
    *("always", "from_now_on", "everywhere", "prohibit", "universal", "must", "habit"),
    *("prefer", "remember", "decided", "we_do"),
)


def speech_act(sentence: Clause) -> SpeechAct | None:
    """Return what the sentence does instead of stating something that lasts; None if it may."""
    if _ASKS.search(sentence.text):
        return "question"
    bare = sentence.bare.replace("\u2019", "'")
    hedges = _holds(sentence, bare, "tentative")
    if hedges and _begins(sentence, bare, "question_word"):
        return "musing"
    # What holds for now only is as open as what may be otherwise.
    if hedges or _for_now().search(bare):
        return "hedge"
    if any(_holds(sentence, bare, name) for name in _STANDING):
        return None
    if _holds(sentence, bare, "failure") or _holds(sentence, bare, "observe"):
        return "bug report"
    return "order" if _begins(sentence, bare, "task") else None


@cache
def _for_now() -> re.Pattern[str]:
    """Return what finds a phrase of any language: they don't collide."""
    phrases = [re.escape(line) for lines in sections(_FOR_NOW).values() for line in lines]
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(phrases)})", re.IGNORECASE)


@cache
def _column(section: str) -> int:
    return section_names().index(section)


def _holds(sentence: Clause, bare: str, section: str) -> bool:
    return bool(phrase_table(sentence.language).expressions[_column(section)].search(bare))


def _begins(sentence: Clause, bare: str, section: str) -> bool:
    match = phrase_table(sentence.language).expressions[_column(section)].search(bare)
    return match is not None and match.start() <= 1
