"""Checks a note that a language model worded from a whole session; pure.

An agent's own note must repeat the user's words (`evidence.py`). A model that reads a session words
it anew: "NEVER use it to make changes, only analysis" becomes "It is for analysis only". So what
bears the note is the quote: it must stand in the user's own words, most of what the note is about
must have been talked about there, and no number or name of code may be new. What the wording adds
is the model's, and memories say so. Models quote half sentences, so a quote that says too little
counts with its whole sentence, then with the sentences beside it; these are evidence, too. The
thresholds are from `bench notes`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from intaglio.capture.citations import cites
from intaglio.capture.evidence import (
    FoundQuote,
    OwnSentence,
    SpokenMessage,
    VerifiedEvidence,
    find_quote,
    is_open,
    ranked_evidence,
    stands_in,
    tokens,
)
from intaglio.capture.proposals import proposes
from intaglio.capture.reply_openings import leans_on_agent
from intaglio.language.negation import count_denials
from intaglio.language.overlap import topic_overlap
from intaglio.language.tokens import fold
from intaglio.language.topics import topic_words

_MIN_QUOTED: Final = 0.2
_MIN_SAID: Final = 0.3
_NEARLY_THE_SAME: Final = 0.6
_MIN_PROPOSAL_TOKENS: Final = 3
# So many sentences before and after a quote may say what it leaves out, if they say this much.
_BESIDE: Final = 2
_MIN_BESIDE: Final = 0.3
_MIN_BESIDE_WORDS: Final = 2
# What the user described before the agent proposed it must say more.
_MIN_DESCRIBED: Final = 0.4
_MAX_REPEATING_TOKENS: Final = 4
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
# "No matter what it might be" isn't unsure.
_CONCEDES: Final = re.compile(
    r"\b(?:no matter|regardless of|whatever|whichever|whoever|however|wherever)\b[^.,;:!?\n]{0,60}?"
    r"\bmight\b",
    re.IGNORECASE,
)
# Advice that names nothing must be for what the user described, and not for something else.
_ADVISES: Final = re.compile(
    r"\b(?:yes|yep|worth|absolutely|definitely|certainly|sure|good idea|makes sense|recommend\w*|"
    r"go for it|do it|ja|sinnvoll|lohnt|gute idee|sí|vale la pena|oui|vaut)\b|值得|是的|好主意",
    re.IGNORECASE,
)
_ADVISES_OTHERWISE: Final = re.compile(
    r"\b(?:rather|instead|against|but|however|without|keep|stay|wait|skip|avoid|later|unless|than|"
    r"lieber|stattdessen|aber|besser|pero|mejor|mais|plutôt)\b|但|而是",
    re.IGNORECASE,
)
_OR: Final = re.compile(r"\b(?:or|oder|o|ou|или|lub|czy)\b|还是|或者|[,，、/|]", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[.!?;:。！？；：]\s|\s[-–—]\s")
_WHATEVER: Final = re.compile(r"\bno matter\b", re.IGNORECASE)
# "We use Vite - is that what you are doing?" asks only after the dash.
_NEXT_CLAUSE: Final = re.compile(
    r"\s{0,3}(?:[,;:]\s{1,3}(?:but|however|aber|pero|mais)\b|;|\s[-–—]\s)"
    r"\s{0,3}\S{1,80}\s{1,3}\S{1,80}\s{1,3}\S",
    re.IGNORECASE,
)
_BEGINS_QUESTION: Final = re.compile(
    r"(?:(?:so|and|but|also|ok(?:ay)?|well|then|hm+|und|aber|y|pero|et|mais)\b[,\s]{1,3}){0,3}"
    r"(?:who|whom|whose|what|why|how|which|when|where|is|are|was|were|do|does|did|can|could|should|"
    r"would|shall|will|have|has|had|am|may|must|isn't|aren't|don't|doesn't|if|whether|wer|was|wie|"
    r"warum|wieso|wann|wo|ist|sind|soll\w*|kann\w*|qué|cómo|por qué|est-ce|pourquoi|comment)\b",
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
    accepted = _accepted(content, wanted, found, proposal, messages) if proposal else None
    if accepted is not None:
        return accepted
    spoken = [each for each in found if not _is_choice(each)]
    return _said(content, wanted, spoken, messages) if spoken else None


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
    said = _words(each.text for each in found) | _words(
        one.text for each in own for one in each.sentences
    )
    before = [each.before for each in own]
    around = (one.text for each in messages for one in each.sentences)
    if len(wanted & said) < _MIN_SAID * len(wanted) or names_new_values(
        content, (*around, *before)
    ):
        return None
    settled = _settled(content, wanted, found)
    bearing = _bearing(wanted, settled)
    if not bearing or _turns_around(content, (*found, *bearing)):
        return None
    if not _denies(content) and any(map(cuts_denial, found)):
        return None
    # Where the quote alone says too little, values must not be from all over the session either.
    near = (one.text for each in own for one in each.sentences)
    if bearing is not found and names_new_values(content, (*near, *before)):
        return None
    return ranked_evidence(bearing, wanted)


def _settled(
    content: str, wanted: frozenset[str], found: Sequence[FoundQuote]
) -> Sequence[FoundQuote]:
    """Return the quotes, unless all ask or are unsure; then sentences beside them that say it."""
    if not all(_is_open(content, each) for each in found):
        return found
    return [
        sure
        for each in found
        for one in _beside(each)
        if not cites(one.text)
        and not _is_open(content, sure := _whole(each, (one,)))
        and _says_enough(wanted, sure, _MIN_BESIDE)
    ]


def _bearing(wanted: frozenset[str], found: Sequence[FoundQuote]) -> Sequence[FoundQuote]:
    """Return what says enough of a note: the quotes, their sentences, or those beside, too."""
    if len(wanted & _words(each.text for each in found)) >= _MIN_QUOTED * len(wanted):
        return found
    whole = [_whole(each, each.sentences) for each in found]
    if len(wanted & _words(each.text for each in whole)) >= _MIN_QUOTED * len(wanted):
        return whole
    for each in whole:
        near = [one for one in _beside(each) if wanted & topic_words(one.text)]
        widened = _whole(each, sorted((*each.sentences, *near), key=lambda one: one.start))
        if wanted & topic_words(each.text) and _says_enough(wanted, widened, _MIN_BESIDE):
            return [widened]
    return ()


def _beside(quote: FoundQuote) -> Sequence[OwnSentence]:
    """Return the sentences next to a quote in its message."""
    all_own = quote.message.sentences
    first, last = all_own.index(quote.sentences[0]), all_own.index(quote.sentences[-1])
    return (*all_own[max(0, first - _BESIDE) : first], *all_own[last + 1 : last + 1 + _BESIDE])


def _whole(quote: FoundQuote, sentences: Sequence[OwnSentence]) -> FoundQuote:
    """Return a quote of whole sentences."""
    text = " ".join(each.text for each in sentences)
    return replace(quote, sentences=tuple(sentences), text=text, with_lead=text)


def _says_enough(wanted: frozenset[str], quote: FoundQuote, share: float) -> bool:
    said = len(wanted & topic_words(quote.text))
    return said >= min(_MIN_BESIDE_WORDS, len(wanted)) and said >= share * len(wanted)


def _is_open(content: str, quote: FoundQuote) -> bool:
    """Whether the quoted words ask, or aren't sure; what follows them may."""
    sentence = quote.sentences[0]
    text = _CONCEDES.sub(" ", sentence.text)
    lead = quote.with_lead.rstrip(" \t,;:-–—")
    if (
        len(lead) < len(text)
        and text.startswith(lead)
        and _NEXT_CLAUSE.match(text, len(lead))
        and not _BEGINS_QUESTION.match(text)
    ):
        text = lead
    return is_open(content, replace(sentence, text=text))


def _accepted(
    content: str,
    wanted: frozenset[str],
    found: Sequence[FoundQuote],
    proposal: str,
    messages: Sequence[SpokenMessage],
) -> VerifiedEvidence | None:
    """Return the evidence of a proposal that the user accepted in the very next message."""
    accepts = [each for each in found if _accepts(each, proposal, wanted)]
    if not accepts or len(tokens(proposal)) < _MIN_PROPOSAL_TOKENS:
        return None
    if all(is_open(content, each.sentences[0]) for each in accepts):
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
    ):
        return _described(content, wanted, accepts, proposal, messages)
    return VerifiedEvidence(ranked_evidence(accepts, wanted).sentences, proposal)


def _described(
    content: str,
    wanted: frozenset[str],
    accepts: Sequence[FoundQuote],
    proposal: str,
    messages: Sequence[SpokenMessage],
) -> VerifiedEvidence | None:
    """Return the user's own description of what the agent proposed ("Worth it!") and they accept.

    That they asked for it settles nothing; that they accept it now does.
    """
    if (
        not _ADVISES.search(proposal)
        or _ADVISES_OTHERWISE.search(proposal)
        or count_denials(proposal)
    ):
        return None
    for each in accepts:
        at = messages.index(each.message)
        before = messages[at - 1] if at else None
        near = [one for one in before.sentences if wanted & topic_words(one.text)] if before else []
        if before is None or not near:
            continue
        text = " ".join(one.text for one in near)
        described = replace(each, message=before, sentences=tuple(near), text=text, with_lead=text)
        if (
            _says_enough(wanted, described, _MIN_DESCRIBED)
            and not names_new_values(
                content, (each.message.before, *(one.text for one in before.sentences))
            )
            and not _turns_around(content, [described])
        ):
            return VerifiedEvidence(ranked_evidence([described, each], wanted).sentences, proposal)
    return None


def _accepts(quote: FoundQuote, proposal: str, wanted: frozenset[str]) -> bool:
    """Whether the quoted words accept a proposal that the agent made right before.

    Where rules know what they accept, it is that; else the model says so, and the words must agree.
    """
    message = quote.message
    if message.accepted:
        return stands_in(proposal, message.accepted)
    return (
        stands_in(proposal, message.before)
        and (
            _AGREES.search(quote.text) is not None
            or leans_on_agent(quote.text)
            or _repeats(quote, proposal, wanted)
        )
        and not count_denials(quote.text)
        and not is_open("", quote.sentences[0])
    )


def _repeats(quote: FoundQuote, proposal: str, wanted: frozenset[str]) -> bool:
    """Whether all that the user says are a few words of a proposal: "update".

    Of "Postgres or MySQL?", they choose what they repeat: a note of the other isn't theirs.
    """
    about = _words(each.text for each in quote.message.sentences)
    offered = (topic_words(each) for each in _OR.split(proposal))
    return (
        _is_choice(quote)
        and {token for each in quote.message.sentences for token in each.tokens}
        <= set(tokens(proposal))
        and bool(about & wanted)
        and not any(wanted & each for each in offered if not each & about)
    )


def _is_choice(quote: FoundQuote) -> bool:
    """Whether all that the user says are a few words of what the agent proposed or asked."""
    said = [token for each in quote.message.sentences for token in each.tokens]
    return (
        0 < len(said) <= _MAX_REPEATING_TOKENS
        and set(said) <= set(tokens(quote.message.before))
        and proposes(quote.message.before)
    )


def _turns_around(content: str, found: Sequence[FoundQuote]) -> bool:
    """Whether the note says nearly the same as a quote, but for a denial."""
    return any(
        topic_overlap(content, each.with_lead).share_of_all >= _NEARLY_THE_SAME
        and _denies(content) != _denies(each.with_lead)
        for each in found
    )


def cuts_denial(quote: FoundQuote) -> bool:
    """Whether the user denies the quoted words right before them: "don't" before "use tabs"."""
    before = _CLAUSE_END.split(quote.with_lead.removesuffix(quote.text))[-1]
    return _denies(before) and not _denies(quote.text)


def _denies(text: str) -> bool:
    return count_denials(_WHATEVER.sub(" ", text)) > 0


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(topic_words, texts))
