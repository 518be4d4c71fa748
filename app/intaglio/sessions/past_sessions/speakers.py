"""Tells whose words are told: the user's own, or those of somebody the user quotes; pure.

What agents say is left out where it tells agents what to do, or quotes a document: nobody but the
user makes rules.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from intaglio.capture.citations import cites, speaks
from intaglio.capture.clauses import clauses, sentences
from intaglio.capture.judge import is_pasted
from intaglio.capture.reply_openings import is_bare_assent
from intaglio.capture.reply_words import names_something
from intaglio.capture.values import Clause
from intaglio.language.negation import is_negated
from intaglio.language.tokens import count_cjk, fold
from intaglio.language.word_lists import word_list
from intaglio.sessions.statements.claim_words import plain_words
from intaglio.sessions.statements.instruction_words import is_standing_instruction

_LEAST_WORDS: Final = 3
_LEAST_WITH_NAME: Final = 2
# "At most five retries" settles something.
_LIMITS: Final = frozenset({"most", "least", "more", "less", "only", "first", "last"})
_QUESTION: Final = ("?", "\uff1f", "\u061f")
_WORD: Final = re.compile(r"\w+")
# "Alice from legal wrote: …", "From the CTO: …": what follows is theirs.
_HEAD: Final = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=[\u3002\uff01\uff1f]))(?P<head>[^:\uff1a.!?\n]{1,140})[:\uff1a]"
    r"\s{0,8}(?P<mark>[\"'\u201c\u201e\u00ab\u2018\u300c\u300e])?",
    re.MULTILINE,
)
_REPORTS: Final = re.compile(
    r"\b(?:wrote|writes|written|says?|said|told (?:me|us)|asks|asked|answers|answered|replies|"
    r"replied|posts|posted|comments|commented|e-?mailed|messaged|pinged|announced|announces|"
    r"demands|demanded|insists|insisted|schrieb|schreibt|sagt|sagte|meint|meinte|geschrieben|gesagt|"
    r"escribió|escribe|dijo|dice|écrit|dit|сказал|сказала|пишет|написал|написала)\b"
    r"|(?:写道|寫道|说|說|表示|書いた|言った|より)$"
)
_FROM: Final = re.compile(
    r"(?:[Ff]rom|[Vv]ia|[Qq]uoting|[Qq]uote (?:from|of|by)|[Aa]ccording to|"
    r"[Ff]orwarded (?:from|by)|[Ff]wd|FW|[Vv]on|[Ll]aut|[Gg]emäß|[Ss]egún|[Ss]elon|[Dd]'après) "
    r"(?:(?:the|our|my|an?|der|dem|el|la|le) \w|[A-Z])"
)
_OF_USER: Final = re.compile(
    r"\b(?:I|we|I've|we've|ich|wir|yo|nosotros|je|j'ai|nous|on|я|мы)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_PARAGRAPH_END: Final = re.compile(r"\n[ \t]{0,80}\n|\Z")
_CLOSING: Final = {
    '"': '"',
    "'": "'",
    "\u201c": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u00ab": "\u00bb",
    "\u2018": "\u2019",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}


@dataclass(frozen=True, slots=True)
class UserWords:
    """The sentences of a user's message that are the user's own; ``is_all`` if they all are."""

    own: tuple[str, ...]
    is_all: bool

    def has(self, sentence: str) -> bool:
        """Whether a sentence, or a part of one, is the user's own."""
        sought = _words(sentence)
        return any(sought in each for each in self.own)


def user_words(message: str) -> UserWords:
    """Read a message for what the user said, without what they paste or quote of others."""
    spans = tuple(_quoted_spans(message))
    found = sentences(message, clauses(message))
    own = tuple(each for each in found if not _is_of_others(each, spans))
    return UserWords(tuple(_words(each.text) for each in own), len(own) == len(found))


def is_noise(sentence: str) -> bool:
    """Whether it says nothing by itself: a question, a bare assent, or next to no words."""
    if sentence.rstrip(" \"')").endswith(_QUESTION):
        return True
    said = {fold(each) for each in _WORD.findall(sentence)} - _small_words()
    count = len(said) + count_cjk(sentence) // 2 + is_negated(sentence)
    if names_something(sentence):
        return count < _LEAST_WITH_NAME
    return count < _LEAST_WORDS or is_bare_assent(sentence)


def may_be_told(sentence: str) -> bool:
    """Whether a sentence of an agent may be told: it makes no rule, and quotes no document."""
    return not (cites(sentence) or is_standing_instruction(plain_words(sentence), sentence))


def _is_of_others(sentence: Clause, spans: tuple[tuple[int, int], ...]) -> bool:
    is_introduced = sentence.block.introduced >= 1 and not sentence.block.standing
    return (
        is_pasted(sentence)
        or sentence.after_citation
        or (is_introduced and not speaks(sentence.text))
        or any(start < sentence.end and sentence.start < end for start, end in spans)
    )


def _announces(head: str) -> bool:
    """Whether what stands before a colon names somebody else who speaks behind it."""
    report = _REPORTS.search(head)
    if report is not None:
        return not _OF_USER.search(head[: report.start()])
    return _FROM.match(head) is not None and not head.endswith(" on")


def _quoted_spans(message: str) -> Iterator[tuple[int, int]]:
    """Yield where others speak: an announcement with its quotation, or its whole paragraph."""
    for found in _HEAD.finditer(message):
        if not _announces(found["head"].strip()):
            continue
        closing = _CLOSING.get(found["mark"] or "", "")
        ends = [at for each in closing if (at := message.find(each, found.end())) >= 0]
        paragraph = _PARAGRAPH_END.search(message, found.end())
        yield found.start(), min(ends) + 1 if ends else paragraph.start() if paragraph else 0


@cache
def _small_words() -> frozenset[str]:
    return frozenset(map(fold, word_list("stop_words"))) - _LIMITS


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.lower()))} "
