"""Adds to memories what was said around them, from the transcripts of their sessions.

What no longer holds is marked; what the user forgot or dropped isn't in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.text import clip
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.store.tx import ReadTx
from intaglio.transcripts.past_sessions import excerpt, session_messages
from intaglio.transcripts.removal import REMOVED, agents_around, places, without
from intaglio.transcripts.values import StoredMessage, TranscriptFilter

_REPLACED_ON: Final = "(replaced on {})"
_OUTDATED: Final = "(outdated since {})"
_REPLACED_LATER: Final = "(replaced later)"
_TAKEN_BACK: Final = "(taken back later)"
MARKS: Final = (
    _REPLACED_ON.format("\u2026"),
    _REPLACED_LATER,
    _OUTDATED.format("\u2026"),
    _TAKEN_BACK,
)
"""What may stand behind a sentence; in what was said, their first bracket is another one."""
_IMITATED: Final = re.compile(r"\((?=(?:replaced|taken back|outdated)\b)", re.IGNORECASE)
_CLOSING: Final = re.compile(r"[.!?\"')\u3002\uff01\uff1f]{0,3}")
_MARKS: Final = " \n.,;:!?*-"


@dataclass(frozen=True, slots=True)
class ExcerptSize:
    """How many memories get an excerpt, and of how many characters.

    An excerpt is whole messages. One that is longer by itself stands alone, unless ``cuts_long``:
    then what surrounds the memory's sentence is taken of it.
    """

    memories: int = 20
    chars: int = 2_000
    cuts_long: bool = False


@dataclass(frozen=True, slots=True)
class TranscriptExcerpt:
    """The messages around the one that a memory comes from, in the order they were said."""

    harness: str
    session_id: str
    source: str
    messages: tuple[StoredMessage, ...]


def transcript_filter(filters: Filter) -> TranscriptFilter:
    """Return which transcripts may be read with memories that a filter selects.

    With a project, only that project's: a memory of all projects may have been said in another one.
    """
    if filters.global_only:
        return TranscriptFilter(reader=filters.reader, projects=(None,))
    if filters.project is None:
        return TranscriptFilter(reader=filters.reader)
    projects = (filters.project, *filters.project_aliases)
    return TranscriptFilter(reader=filters.reader, projects=projects)


def excerpts(
    tx: ReadTx,
    memories: Sequence[Memory],
    wanted: TranscriptFilter,
    size: ExcerptSize = ExcerptSize(),
) -> dict[str, TranscriptExcerpt]:
    """Return an excerpt for each of the first memories whose source message is stored, by id."""
    found = ((each.id, _excerpt(tx, each, wanted, size)) for each in memories[: size.memories])
    return {memory_id: each for memory_id, each in found if each is not None}


def _excerpt(
    tx: ReadTx, memory: Memory, wanted: TranscriptFilter, size: ExcerptSize
) -> TranscriptExcerpt | None:
    # What was said last is what it says now.
    for said in reversed(statements.of_memory(tx, memory.id)):
        stored = session_messages(tx, wanted, said.harness, said.session_id)
        told = list(_as_it_stands(tx, said, stored)) if stored else []
        around = excerpt(told, said.message_id, size.chars)
        if around:
            if size.cuts_long and len(around) == 1:
                around = [_part(around[0], said.sentence, size.chars)]
            return TranscriptExcerpt(said.harness, said.session_id, said.message_id, tuple(around))
    return None


def _as_it_stands(
    tx: ReadTx, said: RecordedStatement, stored: Sequence[StoredMessage]
) -> Iterator[StoredMessage]:
    """Yield a session's messages: what doesn't hold is marked, what is gone left out.

    With what the user dropped goes what the agent answered it or proposed before it.
    """
    marks, gone = dict[str, dict[str, str]](), dict[str, set[str]]()
    for message, sentence, state, until, is_replaced, is_gone in statements.outcomes_in(
        tx, said.harness, said.session_id
    ):
        mark = {"withdrawn": _TAKEN_BACK, "replaced": _REPLACED_LATER}.get(state, "")
        if is_gone:
            gone.setdefault(message, set()).add(sentence)
        elif mark or until:
            since = _REPLACED_ON if is_replaced else _OUTDATED
            marks.setdefault(message, {})[sentence] = mark or since.format(local_day(until))
    turns = [(each.number, each.role) for each in stored]
    cut = {each.number for each in stored if each.message_id in gone}
    beside = agents_around(turns, cut) if cut else set[int]()
    for each in stored:
        if each.number in beside or (each.role == "user" and REMOVED in each.text):
            # What is left of a message that was cut may lean on what was taken out.
            continue
        text = _without_all(each.text, gone.get(each.message_id, frozenset()))
        if text:
            yield replace(each, text=_marked(text, marks.get(each.message_id, {})))


def _without_all(text: str, sentences: AbstractSet[str]) -> str:
    """Return a message without some of its sentences; "" if one of them isn't found as it was."""
    for sentence in sorted(sentences, key=len, reverse=True):
        left = without(text, sentence)
        if left == text and not any(sentence in other for other in sentences - {sentence}):
            return ""
        text = left
    return text if text.replace(REMOVED, "").strip(_MARKS) else ""


def _marked(text: str, marks: Mapping[str, str]) -> str:
    """Return a text with a mark behind each of some sentences, and behind its full stop.

    What looks like a mark and was said gets another bracket.
    """
    text, ends = _IMITATED.sub("[", text), dict[int, str]()
    for sentence, mark in marks.items():
        for _, end in places(text, sentence):
            closing = _CLOSING.match(text, end)
            ends[closing.end() if closing else end] = mark
    for at in sorted(ends, reverse=True):
        text = f"{text[:at]} {ends[at]}{text[at:]}"
    return text


def _part(message: StoredMessage, sentence: str, chars: int) -> StoredMessage:
    """Return a message with the part around a sentence, if it is longer than ``chars``."""
    if len(message.text) <= chars:
        return message
    found = places(message.text, sentence)
    begin = found[0][0] if found else 0
    start = max(0, min(begin - chars // 4, len(message.text) - chars))
    head = "\u2026" if start else ""
    return replace(message, text=clip(head + message.text[start:], chars))
