"""Tells whether a note words better what capture made a memory of; pure."""

from collections.abc import Sequence
from typing import Final

from intaglio.language.negation import is_negated
from intaglio.language.overlap import topic_overlap
from intaglio.memory.values import HEARD, WORDED, Memory
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.sessions.values import SessionKey

_TAKEN_IN: Final = 0.8
_FEWEST_SHARED: Final = 4
_UNTOUCHED: Final = 1


def takes_in(content: str, said: str) -> bool:
    """Whether a note says all that a sentence of the session does, and maybe more."""
    both = topic_overlap(said, content)
    return (
        len(both.shared) >= _FEWEST_SHARED
        and both.share_of_left >= _TAKEN_IN
        and is_negated(content) == is_negated(said)
    )


def says_more(content: str, known: str) -> bool:
    """Whether a note has each word of a memory's topic, and others."""
    both = topic_overlap(known, content)
    return not both.only_left and bool(both.only_right) and is_negated(content) == is_negated(known)


def is_of_capture(
    memory: Memory, said: Sequence[RecordedStatement], session: SessionKey | None = None
) -> bool:
    """Whether a memory's words are capture's own, of one session if that is named.

    Nobody has edited or pinned it, and no other author has worded it.
    """
    if memory.version != _UNTOUCHED or memory.pinned or memory.why in WORDED:
        return False
    if session is None:
        return (memory.why or "").startswith(HEARD)
    return all((each.harness, each.session_id) == session for each in said)
