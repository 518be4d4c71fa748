"""Tells whether a later session changes what an earlier one settled, by its words; pure."""

from collections.abc import Iterable
from itertools import islice, product
from typing import Final

from intaglio.base.text import split_sentences
from intaglio.language.frames.comparison import compare
from intaglio.language.frames.frame import frame
from intaglio.language.relations import Wording, relate
from intaglio.language.topics import topic_words
from intaglio.sessions.past_sessions.values import ReadSession

_LEAST_CHARS: Final = 8
_MAX_CHARS: Final = 300
_LEAST_CONFIDENCE: Final = 0.2
# A pair takes about 0.2 ms.
_MAX_PAIRS: Final = 40


def amends(newer: ReadSession, older: ReadSession) -> bool:
    """Whether the user says something in a later session that contradicts what was settled before.

    An agent's proposal and summary state what was settled, too, so all of the earlier one counts.
    """
    said = (
        each.sentence
        for each in newer.sentences
        if each.confidence >= _LEAST_CONFIDENCE and not each.hidden
    )
    later = _sentences((*said, *filter(None, newer.accepted.values())))
    earlier = _sentences(message.text for message in older.messages)
    pairs = (
        (new, old)
        for (new, words), (old, others) in product(later, earlier)
        if not words.isdisjoint(others)
    )
    return any(_contradicts(new, old) for new, old in islice(pairs, _MAX_PAIRS))


def _contradicts(newer: str, older: str) -> bool:
    match relate(Wording(newer), Wording(older)):
        case "replaces":
            return True
        case "uncertain":
            # Values of one kind alone, such as two numbers, may be of different things.
            return bool(compare(frame(newer), frame(older)).shared)
        case "duplicate" | "refines" | "both_true" | "unrelated":
            return False


def _sentences(texts: Iterable[str]) -> list[tuple[str, frozenset[str]]]:
    found = dict.fromkeys(part for text in texts for part in split_sentences(text))
    return [
        (each, topic_words(each))
        for each in found
        if _LEAST_CHARS <= len(each) <= _MAX_CHARS and not each.endswith(("?", "\uff1f"))
    ]
