"""Finds where a user says that something was tried and failed, or isn't to be tried again; pure.

Rules only, and strict ones: most failures that users speak of are bug reports. Where the user says
only "that", what was tried is the agent's own sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.capture.agent_attempts import attempt_in
from intaglio.capture.attempt_words import (
    ASKS_FOR_HELP,
    BARRED,
    BARRED_IF_FAILED,
    BETWEEN,
    DETERMINERS,
    FAILED,
    LONG_AGO,
    NOT_MEANT,
    POINTING,
    PRONOUNS,
    SYMPTOMS,
    TRIED,
    UNDONE,
)
from intaglio.capture.reply_words import names_something
from intaglio.capture.speech_acts import speech_act
from intaglio.capture.values import Clause, Outcome, Statement, Thresholds
from intaglio.capture.wording import content_of, is_unsure

_CONFIDENCE: Final = 0.9
_MOST_SENTENCES: Final = 3
# Characters between two sentences of a paragraph.
_MAX_GAP: Final = 2
_MAX_LINES: Final = 6
_TYPED: Final = 0.5
_MAX_CHARS: Final = 480
_OWN_HISTORY: Final = frozenset({"we", "the team", "my team", "ours"})
_NOT_MEANT_ACTS: Final = frozenset({"question", "musing"})
_QUOTED: Final = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^“”\n]{1,300}”|«[^«»\n]{1,300}»|「[^「」\n]{1,300}」"
)
_WORD: Final = re.compile(r"[`@#]?\w[\w`./'@#-]*")
_BREAK: Final = re.compile(r"[,;:.!?()\n]|\s[–—-]{1,2}\s|\b(?:and|but|because|since|as|so|that)\s")
_NAMED_WITHIN: Final = 5
# "Tried to run it": used rather than tried out.
_TRIED_TO: Final = re.compile(
    r"\s*to (?!use|switch|move|migrate|replace|upgrade|cache|split|merge|share|store|parallelize|"
    r"convert|port|adopt|batch|vendor|pin)\b",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r'["“”„«»]')
_A_TRY: Final = re.compile(r"\b(?:try|shot|go|chance)\b", re.IGNORECASE)
_FIRMLY: Final = re.compile(r"(?:don't|do not|dont|let's not)\b", re.IGNORECASE)
_GROUPS: Final = ("what", "to", "brought", "used", "away", "given")


def may_say_that_it_failed(message: str) -> bool:
    """Whether a message may be about the agent's last attempt; cheap."""
    plain = _plain(message)
    return BARRED.search(plain) is not None or BARRED_IF_FAILED.search(plain) is not None


def failed_attempts(
    sentences: Sequence[Clause], clauses: Sequence[Clause], before: str, thresholds: Thresholds
) -> list[Statement]:
    """Return what the user's sentences say of failed attempts, in order.

    ``clauses`` are those of the message. ``before`` is what the agent said before.
    """
    found: list[Statement] = []
    spans: list[tuple[int, int]] = []

    def take(passage: _Passage | None) -> None:
        made = None if passage is None else _statement(passage, clauses, before, thresholds)
        if passage is not None and made is not None:
            found.append(made)
            spans.append((passage.parts[0].start, passage.parts[-1].end))

    def is_taken(one: Clause) -> bool:
        return any(start <= one.start < end for start, end in spans)

    for at, sentence in enumerate(sentences):
        if not is_taken(sentence):
            take(_barred(sentences, at))
    if not any(_wants_help(each) for each in sentences):
        for at, sentence in enumerate(sentences):
            if not is_taken(sentence):
                take(_tried(sentences, at))
    return sorted(found, key=lambda one: one.clause.start)


@dataclass(frozen=True, slots=True)
class _Passage:
    """Sentences about one attempt; ``core`` says that it isn't to be tried again, or was tried."""

    parts: tuple[Clause, ...]
    core: Clause

    @property
    def text(self) -> str:
        first, *others = self.parts
        return " ".join((content_of(first.text), *(each.text for each in others)))

    @property
    def has_failed(self) -> bool:
        return any(FAILED.search(_plain(each.text)) for each in self.parts)

    @property
    def gives_reason(self) -> bool:
        return any(_gives_reason(_plain(each.text)) for each in self.parts)

    @property
    def names_attempt(self) -> bool:
        """Whether it names what was tried: what isn't to be tried again, or what failed first."""
        if self.core.language != "en":
            return any(names_something(each.text) for each in self.parts)
        texts = [_plain(each.text) for each in self.parts]
        failures = ((text, failed) for text in texts if (failed := FAILED.search(text)))
        text, failed = next(failures, ("", None))
        return any(map(_names_object, texts)) or (
            failed is not None and _names_subject(text[: failed.start()])
        )

    @property
    def is_meant(self) -> bool:
        return not any(NOT_MEANT.search(_plain(each.text)) for each in self.parts)


def _barred(sentences: Sequence[Clause], at: int) -> _Passage | None:
    """Return what says that something isn't to be tried again, with the reason beside it."""
    core = sentences[at]
    text = _plain(core.text)
    strong = BARRED.search(text)
    if (strong is None and BARRED_IF_FAILED.search(text) is None) or not _may_mean(core):
        return None
    passage = _Passage((core,), core)
    for before in reversed(sentences[max(0, at - _MOST_SENTENCES + 1) : at]):
        if passage.gives_reason and passage.names_attempt:
            break
        if not (_follows(before, passage.parts[0]) and _gives_reason(_plain(before.text))):
            break
        passage = replace(passage, parts=(before, *passage.parts))
    if not passage.gives_reason and at + 1 < len(sentences):
        after = sentences[at + 1]
        if _follows(core, after) and FAILED.search(_plain(after.text)) and _may_mean(after):
            passage = replace(passage, parts=(core, after))
    if not passage.is_meant:
        return None
    if passage.gives_reason:
        return passage
    # Without a reason, it may be a rule about what a program does: "never try the payment again".
    if strong is None or not _FIRMLY.match(content_of(strong.group())):
        return None
    return None if _TRIED_TO.match(strong["what"] or "") else passage


def _tried(sentences: Sequence[Clause], at: int) -> _Passage | None:
    """Return what says that something was tried earlier, and how it failed."""
    core = sentences[at]
    text = _plain(core.text)
    tried = TRIED.search(text)
    if tried is None or not _may_mean(core):
        return None
    passage = _Passage((core,), core)
    if FAILED.search(text, tried.end("who") if tried["who"] else tried.start()) is None:
        after = sentences[at + 1] if at + 1 < len(sentences) else None
        if after is None or not _follows(core, after) or not FAILED.search(_plain(after.text)):
            return None
        passage = replace(passage, parts=(core, after))
    who = (tried["who"] or tried["german"] or "").lower()
    is_history = who in _OWN_HISTORY or LONG_AGO.search(text) is not None
    what = tried["what"]
    if what is not None:
        is_attempt = not _TRIED_TO.match(what) and (
            "gave" not in tried.group().lower().split() or _A_TRY.search(what)
        )
        if not (is_attempt and _names(what)):
            return None
    elif not passage.names_attempt:
        return None
    return passage if is_history and passage.is_meant else None


def _statement(
    passage: _Passage, clauses: Sequence[Clause], before: str, thresholds: Thresholds
) -> Statement | None:
    said = passage.text
    attempt = "" if passage.names_attempt else attempt_in(before, said)
    if len(said) > _MAX_CHARS or not (passage.names_attempt or attempt):
        return None
    content = said
    if attempt:
        how = "It failed." if passage.has_failed else "It was taken back."
        content = f"The agent tried: {_quoted(attempt)} {how} The user said: {_quoted(said)}"
    first, last = passage.parts[0], passage.parts[-1]
    # What the same sentence takes back ("scratch that") has a place of its own: its first clause.
    own = [each.start for each in clauses if passage.core.start <= each.start < passage.core.end]
    clause = replace(
        passage.core,
        text=" ".join(each.text for each in passage.parts),
        start=max(own, default=passage.core.start),
        end=last.end,
        sentence_start=first.sentence_start,
        sentence_end=last.sentence_end,
    )
    return Statement(
        clause=clause,
        content=content,
        type="learning",
        reach="project",
        confidence=_CONFIDENCE,
        outcome=_outcome(thresholds),
        corrects=False,
        stands_alone=True,
        said_by_agent=attempt,
    )


def _outcome(thresholds: Thresholds) -> Outcome:
    if thresholds.keep <= _CONFIDENCE:
        return "kept"
    return "suggested" if thresholds.suggest <= _CONFIDENCE else "considered"


def _plain(text: str) -> str:
    """Return a text with plain apostrophes and without what it quotes."""
    return _QUOTED.sub(" ", text.replace("\u2019", "'"))


def _may_mean(sentence: Clause) -> bool:
    block = sentence.block
    return (
        block.lines <= _MAX_LINES
        and block.document < _TYPED
        and not sentence.cited
        and not sentence.text.endswith((":", "："))
        and not is_unsure(sentence.text)
        and speech_act(sentence) not in _NOT_MEANT_ACTS
    )


def _wants_help(sentence: Clause) -> bool:
    plain = _plain(sentence.text)
    return plain.endswith(("?", "？", ":", "：")) or ASKS_FOR_HELP.search(plain) is not None


def _follows(before: Clause, after: Clause) -> bool:
    return 0 <= after.start - before.end <= _MAX_GAP and not after.item


def _gives_reason(text: str) -> bool:
    return any(each.search(text) for each in (FAILED, UNDONE, TRIED))


def _names_object(text: str) -> bool:
    """Whether a sentence names what was tried, taken back, or isn't to be tried again."""
    for expression in (TRIED, BARRED, BARRED_IF_FAILED):
        for match in expression.finditer(text):
            objects = (found for group, found in match.groupdict().items() if group in _GROUPS)
            if any(found and _names(found) for found in objects):
                return True
    undone = UNDONE.search(text)
    return undone is not None and _names(_BREAK.split(text[undone.end() :], maxsplit=1)[0])


def _names_subject(before: str) -> bool:
    """Whether the subject at the end of a text names an attempt, not only what it broke."""
    subject = _BREAK.split(before)[-1]
    words = _WORD.findall(subject.lower())
    return bool(words) and words[-1] not in SYMPTOMS and _names(subject)


def _names(text: str) -> bool:
    """Whether an object or a subject names something: not "it", "that approach" or "your fix"."""
    words = [each.strip("'`.") for each in _WORD.findall(text.lower())]
    while words and words[0] in BETWEEN:
        del words[0]
    if not words:
        return False
    if words[0] not in DETERMINERS:
        return words[0] not in PRONOUNS
    pointed = words[1:_NAMED_WITHIN]
    named = [each for each in pointed if each not in POINTING | BETWEEN | PRONOUNS]
    return bool(named) and pointed[0] not in BETWEEN | PRONOUNS


def _quoted(text: str) -> str:
    """Return a text in quotation marks; others' inside become single ones."""
    inner = _MARKS.sub("'", text)
    return f'"{inner}"'
