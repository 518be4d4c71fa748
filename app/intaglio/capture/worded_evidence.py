"""Checks a note that a language model worded from a whole session; pure.

An agent's own note must repeat the user's words (`evidence.py`). A model that reads a session words
it anew: "NEVER use it to make changes, only analysis" becomes "It is for analysis only". So what
bears the note is the quote: it must stand in the user's own words, most of what the note is about
must have been talked about there, and no number or name of code may be new. What the wording adds
is the model's, and memories say so. The thresholds are from `bench notes`: of 250 true notes whose
quote is found, 89 % pass; with the quote of another note of the same session, 3 %.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from intaglio.capture.evidence import (
    FoundQuote,
    SpokenMessage,
    VerifiedEvidence,
    find_quote,
    is_open,
    ranked_evidence,
    stands_in,
    tokens,
)
from intaglio.capture.proposals import leans_on_agent
from intaglio.language.negation import count_denials
from intaglio.language.overlap import topic_overlap
from intaglio.language.tokens import fold
from intaglio.language.topics import topic_words

_MIN_QUOTED: Final = 0.2
_MIN_SAID: Final = 0.3
_NEARLY_THE_SAME: Final = 0.6
_MIN_PROPOSAL_TOKENS: Final = 3
# What must not be invented: what has a digit, or is written as paths and identifiers are.
_VALUE: Final = re.compile(r"[^\s,;()\[\]{}\"'`“”„«»「」『』，。、；：]{1,200}")
_IS_VALUE: Final = re.compile(r"\d|\w[./\\_@#:]\w|^[/~@$]\w")
# Words of assent besides those that rules take for it without a model that says what is accepted.
_AGREES: Final = re.compile(
    r"\b(?:let'?s|let us) (?:do|try|go|take|use|start|proceed|implement|keep)\b"
    r"|\b(?:sounds|looks|works) (?:good|great|fine|right)\b|\b(?:go|move) (?:ahead|forward)\b"
    r"|\b(?:proceed|approved?|agreed?|execute|exactly|perfect|deal)\b"
    r"|\b(?:do|try) (?:it|that|this)\b"
    r"|\b(?:fine|happy|ok|okay) (?:with|by)\b|\btrust you\b|\byour (?:recommend|suggest|propos)\w*"
    r"|\b(?:einverstanden|machen wir|mach das|passt|klingt gut|d'accord|vas-y|allons-y|adelante|"
    r"hazlo|de acuerdo|vale|bueno)\b|同意|可以|没问题|好的|就这样|按你",
    re.IGNORECASE,
)
_ABBREVIATION: Final = re.compile(r"(?:[^\W\d_]\.){1,4}[^\W\d_]?")
_ENDS: Final = ".,:;!?…-*_"


def verify_worded(
    content: str, quotes: Sequence[str], proposal: str, messages: Sequence[SpokenMessage]
) -> VerifiedEvidence | None:
    """Return what bears out a model's note, or None if the user's own words don't.

    A quote that isn't the user's counts for nothing. ``proposal`` is what the agent proposed right
    before the quoted words, if these accept it.
    """
    wanted = topic_words(content)
    found = [place for quote in quotes for place in find_quote(quote, messages)]
    if not wanted or not found:
        return None
    accepted = _accepted(content, wanted, found, proposal) if proposal else None
    return accepted or _said(content, wanted, found, messages)


def names_new_values(content: str, texts: Iterable[str]) -> bool:
    """Whether a text has numbers, paths or identifiers that none of the others has."""
    written = {each.strip(_ENDS) for each in _VALUE.findall(content)}
    values = [
        each for each in written if _IS_VALUE.search(each) and not _ABBREVIATION.fullmatch(each)
    ]
    if not values:
        return False
    known = " ".join(fold(each) for each in texts)
    words = frozenset(tokens(known))
    return any(fold(each) not in known and not set(tokens(each)) <= words for each in values)


def _said(
    content: str,
    wanted: frozenset[str],
    found: Sequence[FoundQuote],
    messages: Sequence[SpokenMessage],
) -> VerifiedEvidence | None:
    own = {each.message.key: each.message for each in found}.values()
    quoted = _words(each.text for each in found)
    said = quoted | _words(one.text for each in own for one in each.sentences)
    around = (sentence.text for each in messages for sentence in each.sentences)
    if (
        len(wanted & quoted) < _MIN_QUOTED * len(wanted)
        or len(wanted & said) < _MIN_SAID * len(wanted)
        or names_new_values(content, (*around, *(each.before for each in own)))
        or all(is_open(content, each.sentences[0]) for each in found)
        or _turns_around(content, found)
    ):
        return None
    return ranked_evidence(found, wanted)


def _accepted(
    content: str, wanted: frozenset[str], found: Sequence[FoundQuote], proposal: str
) -> VerifiedEvidence | None:
    """Return the evidence of a proposal that the user accepted in the very next message."""
    accepts = [each for each in found if _accepts(each, proposal)]
    if not accepts or len(tokens(proposal)) < _MIN_PROPOSAL_TOKENS:
        return None
    both = topic_words(proposal) | _words(each.text for each in accepts)
    around = both | _words(each.message.before for each in accepts)
    texts = [
        text
        for each in accepts
        for text in (each.message.before, *(one.text for one in each.message.sentences))
    ]
    if (
        len(wanted & both) < _MIN_QUOTED * len(wanted)
        or len(wanted & around) < _MIN_SAID * len(wanted)
        or names_new_values(content, texts)
        or all(is_open(content, each.sentences[0]) for each in accepts)
    ):
        return None
    return VerifiedEvidence(ranked_evidence(accepts, wanted).sentences, proposal)


def _accepts(quote: FoundQuote, proposal: str) -> bool:
    """Whether the quoted words accept a proposal that the agent made right before.

    Where rules know what they accept, it is that; else the model says so, and the words must agree.
    """
    message = quote.message
    if message.accepted:
        return stands_in(proposal, message.accepted)
    return (
        stands_in(proposal, message.before)
        and (_AGREES.search(quote.text) is not None or leans_on_agent(quote.text))
        and not count_denials(quote.text)
        and not is_open("", quote.sentences[0])
    )


def _turns_around(content: str, found: Sequence[FoundQuote]) -> bool:
    """Whether the note says nearly the same as a quote, but for a denial."""
    return any(
        topic_overlap(content, each.with_lead).share_of_all >= _NEARLY_THE_SAME
        and bool(count_denials(content)) != bool(count_denials(each.with_lead))
        for each in found
    )


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(topic_words, texts))
