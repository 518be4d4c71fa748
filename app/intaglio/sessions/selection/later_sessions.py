"""Tells which memories may have been replaced: a later session was about what they were said in.

People often amend what they settled in other words, so that no comparison of memories finds it.
"""

from collections.abc import Iterable, Mapping

from intaglio.base.clock import local_day
from intaglio.graph.link_memory import edited_by_user, is_by_user
from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions import later_session_rows as rows
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx
from intaglio.transcripts.related.values import SAME_SUBJECT
from intaglio.transcripts.values import TranscriptFilter


def later_sessions(
    tx: ReadTx, memories: Iterable[Memory], filters: Filter, session: SessionRef
) -> Mapping[str, str]:
    """Return the day of the latest such session by the id of each memory that may be replaced.

    Only sessions that the reader of ``filters`` had itself, in the same project, other than the
    current ``session``, and in which the user settled something. What the user pinned, saved,
    confirmed or said once more since holds.
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
    found: dict[str, str] = {}
    for each in near:
        at = _last_worded(each, said.get(each.id, {}))
        days = [
            one.ended_at
            for one in later[each.session_id or ""]
            if one.ended_at > at and one.key not in said.get(each.id, {})
        ]
        if days and not (is_by_user(each) and each.seq in edited):
            found[each.id] = local_day(max(days))
    return found


def _is_settled(memory: Memory) -> bool:
    """Whether the user pinned it, or saved or kept it themself."""
    return memory.pinned or not memory.session_id or (is_by_user(memory) and not memory.is_heard)


def _last_worded(memory: Memory, said: Mapping[tuple[str, str], str]) -> str:
    """Return when it was last said, or corrected."""
    if not said or memory.worded_at > memory.created_at:
        return max(memory.worded_at, *said.values(), "")
    return max(said.values())
