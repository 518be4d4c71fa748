"""Adds to memories what was said around them, from the transcripts of their sessions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.memory.filters import Filter
from intaglio.memory.values import Memory
from intaglio.sessions.statements import rows as statements
from intaglio.store.tx import ReadTx
from intaglio.transcripts.past_sessions import excerpt, session_messages
from intaglio.transcripts.values import StoredMessage, TranscriptFilter

MAX_EXCERPT_CHARS: Final = 2_000
"""Of each memory, so much is returned: whole messages, and a longer one alone."""
MAX_EXPANDED: Final = 20


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
    tx: ReadTx, memories: Sequence[Memory], wanted: TranscriptFilter
) -> dict[str, TranscriptExcerpt]:
    """Return an excerpt for each of the first memories whose source message is stored, by id."""
    found = ((each.id, _excerpt(tx, each, wanted)) for each in memories[:MAX_EXPANDED])
    return {memory_id: each for memory_id, each in found if each is not None}


def _excerpt(tx: ReadTx, memory: Memory, wanted: TranscriptFilter) -> TranscriptExcerpt | None:
    # What was said last is what it says now.
    for said in reversed(statements.of_memory(tx, memory.id)):
        told = session_messages(tx, wanted, said.harness, said.session_id)
        around = excerpt(told, said.message_id, MAX_EXCERPT_CHARS)
        if around:
            return TranscriptExcerpt(said.harness, said.session_id, said.message_id, tuple(around))
    return None
