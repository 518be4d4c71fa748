"""Marks what is about to be told with what became of the code that it names."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from intaglio.sessions.services import ContextServices
from intaglio.sessions.values import ContextCandidate, ContextEntry, SessionRef

NOTHING_LEFT: Final = "nothing is left of the code that it names"
# What holds whatever the code looks like.
_LASTS: Final = frozenset({"rule", "decision", "preference"})


async def marked(
    context: ContextServices,
    candidates: Sequence[ContextCandidate],
    session: SessionRef,
    project: str | None,
) -> tuple[tuple[ContextCandidate, ...], tuple[ContextEntry, ...]]:
    """Return the candidates with their marks, and those that are left out.

    What names several places, of which none is left, isn't told, unless it is pinned, a constraint
    or lasting.
    """
    ids = {each.memory.id for each in candidates}
    marks = await context.places.of(ids, project, session.project)
    told: list[ContextCandidate] = []
    left_out: list[ContextEntry] = []
    for each in candidates:
        candidate = replace(each, place=marks.get(each.memory.id))
        if candidate.place is None or not candidate.place.nothing_left or _lasts(candidate):
            told.append(candidate)
        else:
            left_out.append(ContextEntry(candidate, "", 0, NOTHING_LEFT))
    return tuple(told), tuple(left_out)


def _lasts(candidate: ContextCandidate) -> bool:
    memory = candidate.memory
    return candidate.constraint or memory.pinned or memory.type in _LASTS
