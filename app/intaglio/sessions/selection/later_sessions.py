"""Tells which memories may have been replaced: a later session was about what they were said in.

People often amend what they settled in other words, so that no comparison of memories finds it.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from operator import attrgetter
from typing import Final

from intaglio.base.clock import local_day
from intaglio.base.text import split_sentences
from intaglio.graph.link_memory import edited_by_user, is_by_user
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import Relation, Wording, relate
from intaglio.language.topics import topic_words
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions import later_session_rows as rows
from intaglio.sessions.later_session_rows import AmendingSession
from intaglio.sessions.past_sessions.rows import page_number
from intaglio.sessions.values import LaterSessionMark, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.related.values import SAME_SUBJECT
from intaglio.transcripts.values import TranscriptFilter

# Sentences that share less than this of a memory's words aren't compared with it.
_RESTATES: Final = 0.6
# A transcript takes about a millisecond; what more of them restate is marked.
_MOST_READ: Final = 8
_MAX_SENTENCES: Final = 60
_MAX_SENTENCE: Final = 400
_MAX_CHARS: Final = 2_000
# A session that settled more than this had several subjects.
_ONE_SUBJECT: Final = 2
_SAME: Final[frozenset[Relation]] = frozenset({"duplicate", "refines"})


def later_sessions(
    tx: ReadTx, memories: Iterable[Memory], filters: Filter, session: SessionRef
) -> Mapping[str, LaterSessionMark]:
    """Return the latest such session by the id of each memory that may be replaced.

    Only sessions that the reader of ``filters`` had itself, in the same project, other than the
    current ``session``, and in which the user settled something. What the user pinned, saved,
    confirmed or said once more since holds, and so does what the later session says, too. If a
    session settled much, and some of it shares a word with what the later one says, only that
    counts.
    """
    heard = {each.id: each for each in memories if not _is_settled(each)}
    wanted = TranscriptFilter(
        reader=filters.reader,
        projects=(filters.project, *filters.project_aliases),
        without=session.key,
    )
    later = rows.later(tx, {each.session_id or "" for each in heard.values()}, wanted, SAME_SUBJECT)
    if not later:
        return {}
    near = [each for each in heard.values() if each.session_id in later]
    edited = edited_by_user(tx, near)
    said = rows.said(tx, [each.id for each in near])
    settled = rows.count_settled(tx, {each.session_id or "" for each in near})
    after: dict[str, list[AmendingSession]] = {}
    for each in near:
        at = _last_worded(each, said.get(each.id, {}))
        days = [
            one
            for one in later[each.session_id or ""]
            if one.lasting >= rows.SETTLES
            and one.ended_at > at
            and one.key not in said.get(each.id, {})
        ]
        if days and not (is_by_user(each) and each.seq in edited):
            after[each.id] = days
    numbers = {one.transcript for days in after.values() for one in days}
    spoken = {number: _sentences(tx, number) for number in nlargest(_MOST_READ, numbers)}
    found: dict[str, LaterSessionMark] = {}
    named = {
        (each.session_id, one.transcript)
        for each in near
        for one in after.get(each.id, ())
        if settled.get(each.session_id or "", 0) > _ONE_SUBJECT
        and _shares_word(spoken.get(one.transcript, ()), each)
    }
    for each in near:
        changed = [
            one
            for one in after.get(each.id, ())
            if _may_change(
                spoken.get(one.transcript, ()),
                each,
                is_mixed=(each.session_id, one.transcript) in named,
            )
        ]
        if changed:
            last = max(changed, key=attrgetter("ended_at"))
            found[each.id] = LaterSessionMark(local_day(last.ended_at), page_number(tx, *last.key))
    return found


def _sentences(tx: ReadTx, transcript: int) -> list[str]:
    """Return what the user said in a session, as far as it may be compared."""
    said = (each.text for each in transcripts.messages(tx, transcript) if each.role == "user")
    parts = (part for text in said for part in split_sentences(text[:_MAX_CHARS]))
    return list(islice((part for part in parts if len(part) <= _MAX_SENTENCE), _MAX_SENTENCES))


def _may_change(said: Sequence[str], memory: Memory, *, is_mixed: bool) -> bool:
    """Whether a session in which this was said may have replaced a memory.

    ``is_mixed`` is set if the memory's session had several subjects, and words tell which is meant.
    """
    if is_mixed and not _shares_word(said, memory):
        return False
    return not any(_restates(sentence, memory) for sentence in said)


def _shares_word(said: Iterable[str], memory: Memory) -> bool:
    words = topic_words(memory.content)
    return any(not words.isdisjoint(topic_words(sentence)) for sentence in said)


def _restates(sentence: str, memory: Memory) -> bool:
    """Whether a sentence says a memory once more: whoever applies a rule says it holds."""
    near = topic_overlap(memory.content, sentence).share_of_left >= _RESTATES
    return near and relate(Wording(sentence), Wording(memory.content)) in _SAME


def _is_settled(memory: Memory) -> bool:
    """Whether the user pinned it, or saved or kept it themself."""
    return memory.pinned or not memory.session_id or (is_by_user(memory) and not memory.is_heard)


def _last_worded(memory: Memory, said: Mapping[tuple[str, str], str]) -> str:
    """Return when it was last said, or corrected."""
    if not said or memory.worded_at > memory.created_at:
        return max(memory.worded_at, *said.values(), "")
    return max(said.values())
