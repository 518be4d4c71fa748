"""Makes of a statement the text that is stored, which has to be understood without its session.

Pure. The original words stay as evidence. Languages without rules are left as they are.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from intaglio.capture.dependence import depends_on_context, points_at_start, without_expletive
from intaglio.capture.names import mend_names
from intaglio.capture.values import Clause
from intaglio.capture.wording import content_of, stands_alone
from intaglio.language.tokens import count_words

# `@src/a.ts` is a mention of a file; `@types/node` is a package.
_FILE_MENTION: Final = re.compile(
    r"(?<![\w`@])(?:@|#file:|@file:)(?P<path>(?:[\w.-]{1,80}/){0,12}[\w.-]{0,80}\w\.[A-Za-z]\w{0,9}"
    r"|\.{1,2}/[\w./-]{1,200}|(?:[\w.-]{1,80}/){2,12}[\w.-]{0,80}|[\w.-]{1,80}/)(?![\w/@])"
)
# "a.ts:42", "a.ts#L10-L20", "on line 42", "(see lines 3-5)".
_LINES: Final = (
    r"(?:lines?|ln\.?|zeilen?|líneas?|lignes?)\s?#?\d{1,6}"
    r"(?:\s?(?:-|–|to|and|bis|,)\s?\d{1,6}){0,4}"
)
_LINE_CITATION: Final = re.compile(
    rf"\s?\((?:(?:see|at|on|in|cf\.?|around)\s)?{_LINES}\)"
    rf"|,?\s(?:see|at|on|in|around|from|siehe|auf|en|à)\s{_LINES}(?![\w-])"
    r"|(?<=\.[a-z]{2}):\d{1,6}(?:[:-]\d{1,6})?|(?<=\.[a-z]{3}):\d{1,6}(?:[:-]\d{1,6})?"
    r"|(?<=\w)#L\d{1,6}(?:-L?\d{1,6})?",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\s?\[(?:image|screenshot|pasted text|file)[^\]\n]{0,60}\]", re.IGNORECASE
)
_LABEL: Final = re.compile(
    r"(?:\(?\d{1,2}[.)、]\s{0,3}(?=\D)|\(?[a-z][.)]\s{1,3}|(?:[-*•>]|-{1,3}>)\s+)(?=\S)",
    re.IGNORECASE,
)

_LEADING: Final = re.compile(
    r"(?:(?:please|pls|can you|could you|would you|will you|i(?:'d| would) like you to|"
    r"i want you to|i need you to|you need to remember(?: that| to)?|make a note(?: that| to)|"
    r"(?:ok|okay|alright|yes|yeah|yep|so|well|actually|btw|also) (?=(?:i|we|i'm|we're|let's|the|"
    r"our|please|don't|dont|never|always|for|in|it|when|if|can|make|use)\b)|"
    r"bitte|kannst du(?: bitte)?|por favor|¿?puedes|s'il te plaît|peux-tu|请)[,\s]*)+",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    r"(?:[,;]\s|\s[–—-]{1,2}\s|\.\s|,?\s(?:and|so)\s)(?:so\s|and\s|then\s|but\s)?(?P<request>(?:"
    r"please|pls|can you|could you|would you|let me know|fix|change|update|adjust|correct|check|"
    r"make sure (?:you|to)|go ahead|do (?:it|that|this)|thanks|thank you|thx|ok|okay|right|"
    r"is (?:that|this) (?:ok|possible|clear|right)|what do you think|does that make sense|"
    r"bitte|kannst du|danke|por favor|puedes|gracias|s'il te plaît|peux-tu|merci)\b[^\n]{0,120})$",
    re.IGNORECASE,
)
_POLITE_END: Final = re.compile(
    r",?\s(?:please|pls|thanks|thank you|thx|ok\?|okay\?|right\?|bitte|danke|por favor|gracias|"
    r"s'il te plaît|merci)\s*[.!]*$",
    re.IGNORECASE,
)
# Such a request is about this moment; one without these may be a rule of its own.
_OF_THE_MOMENT: Final = re.compile(
    r"\b(?:it|this|that|them|these|those|here|now|again|accordingly|me|thanks|thank you|thx|danke|"
    r"gracias|merci|das|es|esto|ça)\b|\?\s*$",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    r"\b(?:always|never|every|each|from now on|by default|must)\b", re.IGNORECASE
)
_DEPENDENT: Final = re.compile(
    r"(?:and |but |so |also )?(?:when|whenever|if|unless|before|after|while|once|since|because|"
    r"until|as soon as|every time|each time|wenn|falls|sobald|bevor|nachdem|weil|cuando|si|antes|"
    r"quand|lorsque|avant|après)\b",
    re.IGNORECASE,
)
# A heading that says nothing but that a list follows.
_EMPTY_HEADING: Final = re.compile(
    r"(?:here(?:'s| is| are)|these are|(?:the )?following|(?:a |some )?(?:few|couple of|other|more|"
    r"further|additional)\s|(?:my|our|the|some|general|important|main|key|project|please follow)"
    r"\s)?[\w\s']{0,40}?\b(?:things?|notes?|points?|rules?|requirements?|constraints?|feature|changes?|"
    r"instructions?|guidelines?|comments?|feedback|conventions?|todos?|tasks?|decisions?|provide|"
    r"following|also|important|regeln|hinweise|reglas|notas|règles)(?:\s(?:i want|to|we|you|are|is|"
    r"for you|below|now|then|please|follow)\b.{0,40})?"
    r"|.{0,20}(?:规则|要求|约束|注意|如下).{0,4}",
    re.IGNORECASE,
)
_LAST_SENTENCE: Final = re.compile(r"^.*[.!?。！？]\s+(?=\S)", re.DOTALL)
_MIN_WORDS: Final = 4
_MAX_JOINED: Final = 320
# Characters between two sentences of a paragraph.
_MAX_GAP: Final = 2


@dataclass(frozen=True, slots=True)
class StoredText:
    """What is stored of a statement; ``stands_alone`` if it can be understood by itself."""

    text: str
    stands_alone: bool


def stored_text(
    clause: Clause,
    previous: Clause | None = None,
    names: Collection[str] = (),
    heard: Collection[str] = (),
) -> StoredText:
    """Return the text to store of a whole sentence.

    ``previous`` is the sentence before it in its message. ``names`` are names of the project,
    ``heard`` those that the agent used last: a misspelt one is mended.
    """
    text = _trimmed(clause)
    if not text:
        return StoredText("", stands_alone=False)
    alone = _is_alone(clause, text)
    heading = _mentions_replaced(content_of(_LAST_SENTENCE.sub("", clause.heading.strip())))
    if heading and not _EMPTY_HEADING.fullmatch(heading):
        text = f"{heading}: {text}"
        alone = alone and not depends_on_context(heading, clause.language, is_heading=True)
    elif not alone and previous is not None and points_at_start(text, clause.language):
        joined = _joined(clause, text, previous)
        if joined:
            text, alone = joined, True
    return StoredText(mend_names(text, names, heard), alone and not clause.after_citation)


def _is_alone(clause: Clause, text: str) -> bool:
    if clause.item and not clause.heading and count_words(text) < _MIN_WORDS - 1:
        return False
    return stands_alone(clause, without_expletive(text)) and not depends_on_context(
        text, clause.language
    )


def _joined(clause: Clause, text: str, previous: Clause) -> str:
    """Return the sentence behind the one that names what it is about; empty if none does."""
    is_near = 0 <= clause.start - previous.end <= _MAX_GAP and not previous.item
    if not is_near or previous.cited or previous.text.endswith(("?", "？", ":", "：")):
        return ""
    before = _trimmed(previous)
    if count_words(before) < _MIN_WORDS or not _is_alone(previous, before):
        return ""
    end = "" if before.endswith((".", "!", "。")) else "."
    joined = f"{before}{end} {text}"
    return joined if len(joined) <= _MAX_JOINED else ""


def _trimmed(clause: Clause) -> str:
    """Return the sentence without what surrounds its statement."""
    label = _LABEL.match(clause.text)
    text = content_of(clause.text[label.end() :] if label else clause.text)
    text = _PLACEHOLDER.sub("", _LINE_CITATION.sub("", _mentions_replaced(text)))
    leading = _LEADING.match(text)
    if leading is not None and count_words(text[leading.end() :]) >= _MIN_WORDS:
        text = content_of(text[leading.end() :])
    text = _without_request(text)
    return _balanced(text).strip(" \t,;–—")


def _mentions_replaced(text: str) -> str:
    return _FILE_MENTION.sub(lambda found: found["path"], text)


def _without_request(text: str) -> str:
    """Cut what the user asks for at the end of a statement."""
    found = _TRAILING.search(text, max(0, len(text) - 160))
    if found is not None and not _DEPENDENT.match(text):
        request, left = found["request"], text[: found.start()]
        if (
            count_words(left) >= _MIN_WORDS
            and _OF_THE_MOMENT.search(request)
            and not _LASTS.search(request)
        ):
            text = left
    polite = _POLITE_END.search(text, max(0, len(text) - 24))
    if polite is None or count_words(text[: polite.start()]) < _MIN_WORDS - 1:
        return text
    return text[: polite.start()]


def _balanced(text: str) -> str:
    """Cut a bracket at an end whose partner stands in another sentence."""
    if text.endswith((")", ").")) and text.count(")") > text.count("("):
        return text.rstrip(".").removesuffix(")")
    if text.startswith("(") and text.count("(") > text.count(")"):
        return text[1:]
    return text
