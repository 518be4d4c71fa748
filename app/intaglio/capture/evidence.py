"""Checks what an agent quotes as the user's words; pure, and blind to who asks.

A quote counts where it stands in the user's own words: not in what was pasted, fenced, cited or
quoted, and not where the user only repeats the agent. Together the quotes must bear out what is to
be stored: a good part of its topic, its numbers, and whether it denies. The rest of the topic must
have been talked about, as the note is to stand alone. Where the user accepts what the agent
proposed in the message right before, the proposal's words count too.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from intaglio.capture.values import Block, Clause
from intaglio.capture.wording import is_unsure
from intaglio.language.detection import language_of
from intaglio.language.negation import count_denials
from intaglio.language.relations import gives_another_value
from intaglio.language.tokens import fold
from intaglio.language.topics import topic_words

MAX_QUOTES: Final = 8
MAX_QUOTE_CHARS: Final = 1_000

_CJK: Final = "\u3005\u3041-\u30ff\u3400-\u9fff"
_TOKEN: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_OMISSION: Final = re.compile(r"\u2026|\.{3}")
_QUOTED: Final = re.compile(
    r"`[^`\n]{1,400}`|\"[^\"\n]{0,400}\"|“[^“”\n]{0,400}”|„[^„“”\n]{0,400}[“”]|«[^«»\n]{0,400}»"
    r"|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』"
)
# Of a quotation within the user's sentence, so many words may be a name.
_NAME_TOKENS: Final = 4
# A value that must not be invented: it has a digit, or is written as code writes names.
_EXACT: Final = re.compile(r"[^\s,;()\[\]{}\"'`“”„«»「」『』，。、；：]{1,200}")
_CODE_LIKE: Final = re.compile(
    r"\d|\w[./\\_@#:+=-]\w|^[/.~@#$-]{1,3}\w|[^\W\d_A-Z][A-Z]|^[A-Z]{2,}"
)
_CAPITALISED: Final = re.compile(r"[A-Z\u00c0-\u00de]\w")
_ENDS: Final = ".,:;!?…-*_"
_ASKS: Final = re.compile(r"[?？][\s\"'”)\]」』]{0,8}$")
# Asked in the form of a question: "can you always run the linter first?"
_REQUESTS: Final = re.compile(
    r"(?:ok(?:ay)?|and|also|so|then|please|bitte|und|por favor|y)?[,\s]{0,3}"
    r"(?:can|could|will|would) (?:you|we)\b|(?:kannst|könntest|würdest) du\b|"
    r"(?:puedes|podrías|peux-tu|pourrais-tu|tu peux)\b",
    re.IGNORECASE,
)
# "X, not Y" and "X rather than Y" choose X: what is rejected says nothing about the choice.
_REJECTED: Final = re.compile(
    r"(?:[,;:(–—-]\s{0,3}(?:and |und |y |et )?(?:not|never|nicht|nie|kein\w{0,2}|no|nunca|"
    r"pas|jamais)"
    r"|\b(?:instead of|rather than|and not|statt|anstatt|anstelle|en vez de|en lugar de|"
    r"plutôt que|au lieu de))\b[^.;!?\n]{0,200}|而不是[^。；]{0,80}",
    re.IGNORECASE,
)
# "Use pnpm and delete the lock files" says two things.
_PART: Final = re.compile(r"[.;:!?,](?=\s)|[。；，！？]|\s(?:and|und|y|et|but|aber|pero|mais)\s")
_CASE: Final = (
    r"(?:only )?(?:if|unless|in case|falls|sofern|es sei denn|außer wenn|si|à moins que|"
    r"a menos que)\s(?P<case>[^,;.!?\n]{1,200})"
)
_CONDITION: Final = re.compile(rf"(?:and |but |so |also |und |y |et )?{_CASE}", re.IGNORECASE)
_CONDITION_AFTER: Final = re.compile(rf",?\s{{0,2}}{_CASE}", re.IGNORECASE)
_MIN_TOKENS: Final = 2
_MIN_SHARE: Final = 0.6
_MIN_OWN_SHARE: Final = 0.4
_MIN_PROPOSAL_TOKENS: Final = 3
# Of the agent's message, so much of its end names what the user talks about.
_BEFORE_CHARS: Final = 4_000
_DOCUMENT: Final = 0.5
_MAX_CACHED: Final = 1_000


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence in the user's own words, with its place in the message."""

    text: str
    start: int
    end: int
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """A message of the user as it is checked; ``key`` tells the messages of a session apart.

    ``before`` is what the agent said right before, or its question that this answers. ``accepted``
    is what of that the message accepts or answers: all, one option, or nothing.
    """

    key: str
    sentences: tuple[OwnSentence, ...]
    before: str = ""
    accepted: str = ""


@dataclass(frozen=True, slots=True)
class QuotedSentence:
    """A sentence of the user that evidence lies in; ``message`` is that of `SpokenMessage`."""

    message: str
    sentence: OwnSentence


@dataclass(frozen=True, slots=True)
class VerifiedEvidence:
    """What bears out a text: sentences of the user, the best first.

    ``proposal`` is what the agent had proposed, if the user accepted that; ``said`` is all that
    the user said of it.
    """

    sentences: tuple[QuotedSentence, ...]
    proposal: str = ""

    @property
    def said(self) -> str:
        """The user's sentences as one text."""
        return " ".join(each.sentence.text for each in self.sentences)


@dataclass(frozen=True, slots=True)
class FoundQuote:
    """A quote in a message: the sentences that it lies in, its text, and what precedes it there."""

    message: SpokenMessage
    sentences: tuple[OwnSentence, ...]
    text: str
    with_lead: str
    tokens: int


def own_sentences(
    sentences: Sequence[Clause], is_pasted: Callable[[Clause], bool]
) -> tuple[OwnSentence, ...]:
    """Return the sentences that are surely the user's own; ``is_pasted`` knows most others."""
    return tuple(
        OwnSentence(each.text, each.start, each.end, tokens(_without_quotations(each.text)))
        for each in sentences
        if not (each.after_citation or _is_document(each.block) or is_pasted(each))
    )


def _is_document(block: Block) -> bool:
    return block.document >= _DOCUMENT and not block.in_person


def verify(
    content: str, quotes: Sequence[str], messages: Sequence[SpokenMessage]
) -> VerifiedEvidence | None:
    """Return what bears out a text, or None if the quotes don't, or not all of them are there."""
    wanted = topic_words(content)
    if not wanted or not quotes or len(quotes) > MAX_QUOTES:
        return None
    found: list[FoundQuote] = []
    of_agent: list[str] = []
    for quote in quotes:
        here = find_quote(quote, messages)
        if here:
            found += here
        else:
            of_agent.append(quote)
    if not found:
        return None
    # What is quoted of the agent must stand right before the user's words.
    near = [each.message for each in found if each.message.before]
    if not all(any(stands_in(quote, one.before) for one in near) for quote in of_agent):
        return None
    own = [each for each in found if each.tokens >= _MIN_TOKENS]
    context = _Context.of(messages, found)
    if _bears_out(content, wanted, own, context):
        return ranked_evidence(own, wanted)
    if of_agent and _is_accepted(content, wanted, found, of_agent):
        return VerifiedEvidence(ranked_evidence(found, wanted).sentences, " ".join(of_agent))
    return None


@dataclass(frozen=True, slots=True)
class _Context:
    """What a note may take from around its quotes, to stand alone.

    ``text`` is what else the user said, and what the agent said right before the quotes.
    """

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, messages: Sequence[SpokenMessage], found: Sequence[FoundQuote]) -> "_Context":
        said = (sentence.text for each in messages for sentence in each.sentences)
        before = dict.fromkeys(each.message.before[-_BEFORE_CHARS:] for each in found)
        texts = (*map(_without_quotations, said), *before)
        return cls(" ".join(texts), frozenset[str]().union(*map(topic_words, texts)))


def _bears_out(
    content: str, wanted: frozenset[str], own: Sequence[FoundQuote], context: _Context
) -> bool:
    """Whether the user's quotes say it; the context may only name what they are about."""
    if not own or not _covers(wanted, own, context.words):
        return False
    said = context.words.union(*(topic_words(each.text) for each in own))
    if any(_is_new(part, said) for part in _PART.split(content)):
        return False
    best = max(own, key=lambda each: len(wanted & topic_words(each.text)))
    quoted = " ".join(each.text for each in own)
    return (
        _has_exact_words(content, quoted, context.text)
        and not is_open(content, best.sentences[0])
        and not _turns_around(content, best, own)
        and not _drops_condition(wanted, best)
        and not any(gives_another_value(content, each.with_lead) for each in own)
    )


def _covers(wanted: frozenset[str], own: Sequence[FoundQuote], context: frozenset[str]) -> bool:
    """Whether enough of the topic stands in the quotes, and most of that in one message.

    Words that are picked from all over a session could say anything.
    """
    by_message: dict[str, set[str]] = {}
    for each in own:
        by_message.setdefault(each.message.key, set()).update(wanted & topic_words(each.text))
    said = frozenset[str]().union(*by_message.values())
    return (
        len(said) >= _MIN_OWN_SHARE * len(wanted)
        and len(said | (wanted & context)) >= _MIN_SHARE * len(wanted)
        and 2 * max(map(len, by_message.values())) >= len(said)
    )


def _is_new(part: str, said: frozenset[str]) -> bool:
    """Whether a part of a text is about something that nobody has talked about."""
    about = topic_words(part)
    return len(about) >= _MIN_TOKENS and not about & said


def _turns_around(content: str, best: FoundQuote, own: Sequence[FoundQuote]) -> bool:
    """Whether the text denies what its evidence affirms, or the reverse; or a denial was cut."""
    denied, said = _denials(content), _denials(best.with_lead)
    if denied == 0:
        return said > 0
    was_cut = said > _denials(best.text)
    return (was_cut and denied < said) or not any(_denials(each.with_lead) for each in own)


def _drops_condition(wanted: frozenset[str], best: FoundQuote) -> bool:
    """Whether the user says it only for a case that the text doesn't name."""
    sentence = " ".join(_without_quotations(each.text) for each in best.sentences)
    for said in (_CONDITION.match(sentence), _CONDITION_AFTER.match(sentence, len(best.with_lead))):
        about = topic_words(said["case"]) if said is not None else frozenset[str]()
        if about and not about & wanted:
            return True
    return False


def _is_accepted(
    content: str, wanted: frozenset[str], found: Sequence[FoundQuote], proposal: Sequence[str]
) -> bool:
    """Whether the user accepts a proposal of the agent that says it."""
    said = " ".join(proposal)
    accepts = [
        each for each in found if all(stands_in(quote, each.message.accepted) for quote in proposal)
    ]
    if not accepts or len(tokens(said)) < _MIN_PROPOSAL_TOKENS:
        return False
    both = f"{said} {' '.join(each.text for each in found)}"
    around = f"{both} {' '.join(each.message.before for each in accepts)}"
    return (
        len(wanted & topic_words(both)) >= _MIN_OWN_SHARE * len(wanted)
        and len(wanted & topic_words(around)) >= _MIN_SHARE * len(wanted)
        and _has_exact_words(content, both, around)
        and bool(_denials(content)) == bool(_denials(said))
        and not gives_another_value(content, said)
        and not any(is_open(content, each.sentences[0]) for each in accepts)
    )


def ranked_evidence(found: Sequence[FoundQuote], wanted: frozenset[str]) -> VerifiedEvidence:
    """Return quotes as evidence, those that say most of what is wanted first."""
    ranked = sorted(found, key=lambda each: -len(wanted & topic_words(each.text)))
    places = [
        QuotedSentence(each.message.key, sentence) for each in ranked for sentence in each.sentences
    ]
    return VerifiedEvidence(tuple(dict.fromkeys(places)))


def find_quote(quote: str, messages: Sequence[SpokenMessage]) -> list[FoundQuote]:
    """Return where each part of a quote stands, the latest place first; nothing unless all do."""
    found: list[FoundQuote] = []
    for part in filter(None, _OMISSION.split(quote[:MAX_QUOTE_CHARS])):
        sought = tokens(part)
        place = next(
            (here for one in reversed(messages) if (here := _find_in(sought, one)) is not None),
            None,
        )
        if place is None:
            return []
        found.append(place)
    return found


def _find_in(sought: tuple[str, ...], message: SpokenMessage) -> FoundQuote | None:
    """Return where the words stand in a row in the user's own sentences of a message."""
    if not sought:
        return None
    row = [
        (token, number)
        for number, sentence in enumerate(message.sentences)
        for token in sentence.tokens
    ]
    plain = tuple(token for token, _ in row)
    # A single word says something only if it is all that the user said.
    if len(sought) < _MIN_TOKENS and plain != sought:
        return None
    at = _position(sought, plain)
    if at is None:
        return None
    first, last = row[at][1], row[at + len(sought) - 1][1]
    begins = next(place for place, (_, number) in enumerate(row) if number == first)
    return FoundQuote(
        message,
        message.sentences[first : last + 1],
        _wording(message.sentences[first : last + 1], sought),
        _lead(message.sentences[first : last + 1], at - begins, len(sought)),
        len(sought),
    )


def _position(sought: tuple[str, ...], row: tuple[str, ...]) -> int | None:
    text, part = f" {' '.join(row)} ", f" {' '.join(sought)} "
    at = text.find(part)
    return None if at < 0 else text[:at].count(" ")


def _wording(sentences: Sequence[OwnSentence], sought: tuple[str, ...]) -> str:
    """Return the quoted words as they are written in the sentences."""
    text = " ".join(_without_quotations(each.text) for each in sentences)
    spans = [match.span() for match in _TOKEN.finditer(fold(text))]
    at = _position(sought, tokens(text))
    if at is None or len(fold(text)) != len(text):
        return " ".join(sought)
    return _whole_words(text, spans[at][0], spans[at + len(sought) - 1][1])


def _lead(sentences: Sequence[OwnSentence], before: int, count: int) -> str:
    """Return the sentence's words up to the end of the quote: a "never" before it counts."""
    text = " ".join(_without_quotations(each.text) for each in sentences)
    spans = [match.span() for match in _TOKEN.finditer(fold(text))]
    last = min(before + count, len(spans)) - 1
    if last < 0 or len(fold(text)) != len(text):
        return text
    return _whole_words(text, 0, spans[last][1])


def _whole_words(text: str, start: int, end: int) -> str:
    """Cut a text without cutting a path or name in two: "db/changes", "don't"."""
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[start:end]


def tokens(text: str) -> tuple[str, ...]:
    """Return a text's words as quotes are compared: case, accents, marks and blanks don't count."""
    # Whole messages aren't kept in memory.
    return _tokens(text) if len(text) <= _MAX_CACHED else _tokens.__wrapped__(text)


@lru_cache(maxsize=512)
def _tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(fold(text)))


def _without_quotations(text: str) -> str:
    """Leave out what the user quotes; a short quotation is a name."""

    def kept(match: re.Match[str]) -> str:
        return match.group() if len(_TOKEN.findall(match.group())) <= _NAME_TOKENS else " "

    return _QUOTED.sub(kept, text)


def stands_in(quote: str, said: str) -> bool:
    """Whether a text has the words of a quote in a row, part by part."""
    parts = [tokens(part) for part in _OMISSION.split(quote[:MAX_QUOTE_CHARS])]
    row = tokens(said)
    return any(parts) and all(not part or _position(part, row) is not None for part in parts)


def _has_exact_words(content: str, quoted: str, around: str) -> bool:
    """Whether each number of a text stands in the quotes, each path and name at least around.

    Where a quote has a path or an identifier of its own, another one can't stand for it.
    """
    # German writes every noun with a capital.
    names_count = language_of(content) != "de"
    said = _exact_words(quoted)
    known = said | _exact_words(around)
    has_code = any(_CODE_LIKE.search(word.strip(_ENDS)) for word in _EXACT.findall(quoted))
    first = True
    for written in _EXACT.findall(content):
        word = written.strip(_ENDS)
        is_name = names_count and not first and _CAPITALISED.match(word) is not None
        first = written.endswith((".", "!", "?", ":"))
        is_code = _CODE_LIKE.search(word) is not None
        must_be_said = any(sign.isdigit() for sign in word) or (is_code and has_code)
        if (is_code or is_name) and not _is_among(word, said if must_be_said else known):
            return False
    return True


def _exact_words(text: str) -> frozenset[str]:
    return frozenset(map(_plain, _EXACT.findall(text))) | frozenset(tokens(text))


def _is_among(word: str, known: frozenset[str]) -> bool:
    return _plain(word) in known or set(tokens(word)) <= known


def _plain(word: str) -> str:
    return fold(word).strip(_ENDS)


def is_open(content: str, sentence: OwnSentence) -> bool:
    """Whether the user asks, or isn't sure of what the text states as settled."""
    if is_unsure(sentence.text) and not is_unsure(content):
        return True
    return bool(_ASKS.search(sentence.text)) and not _REQUESTS.match(sentence.text)


def _denials(text: str) -> int:
    return count_denials(_REJECTED.sub(" ", text))
