"""Reads the messages of a session for the user's own words, as evidence is checked against them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import scrub, storage_form
from intaglio.capture.clauses import clauses, sentences
from intaglio.capture.evidence import OwnSentence, SpokenMessage, own_sentences, tokens
from intaglio.capture.judge import is_pasted, repeats
from intaglio.capture.message_parts import read_part
from intaglio.capture.proposals import accepted_text
from intaglio.fence.marks import strip_injected
from intaglio.redaction.redact import clean
from intaglio.sessions.statements.values import UserMessage

_LATEST: Final = 30
_SHORT: Final = 20


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message that may hold evidence, and its text without secrets and injected text."""

    message: UserMessage
    text: str
    spoken: SpokenMessage


def read_messages(messages: Sequence[UserMessage], quotes: Sequence[str]) -> list[ReadMessage]:
    """Read those messages that have a quote's longest word, and the latest others as context."""
    sought = [max(found, key=len) for quote in quotes if (found := tokens(quote))]
    return [
        _read(each)
        for number, each in enumerate(messages, _LATEST - len(messages))
        if not each.binds_run_only
        and (number >= 0 or not set(sought).isdisjoint(tokens(each.line.text)))
    ]


def _read(message: UserMessage) -> ReadMessage:
    line = message.line
    text = read_part(scrub(strip_injected(line.text)), clean)
    asked = clean(scrub(strip_injected(line.question or message.before)))
    said = storage_form(asked).lower()
    own = tuple(one for one in clauses(text) if not repeats(one, said))
    spoken = SpokenMessage(
        key=line.message_id,
        sentences=own_sentences(list(sentences(text, own)), is_pasted) or _short_answer(text),
        before=asked,
        accepted=asked if line.question else accepted_text(asked, text),
    )
    return ReadMessage(message, text, spoken)


def _short_answer(text: str) -> tuple[OwnSentence, ...]:
    """Return a message of a word or two as a sentence: "2", "OK"; clauses of capture need more."""
    said = text.strip()
    if not said or len(said) > _SHORT or "\n" in said:
        return ()
    start = text.index(said)
    return (OwnSentence(said, start, start + len(said), tokens(said)),)
