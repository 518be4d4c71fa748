"""What binds a session: the constraints of its entities, pinned memories, rules; in their order."""

from collections.abc import Iterable
from typing import Final

from intaglio.domain.context_groups import ConstraintBasis, ContextGroup
from intaglio.memory.values import Memory
from intaglio.sessions.values import HELD_BACK, ContextCandidate

_WORDS: Final[dict[ConstraintBasis, str]] = {
    "pinned": "pinned",
    "confirmed": "you saved or confirmed it",
    "outright": "you said so outright, for good",
}
_RANK: Final[dict[ConstraintBasis | None, int]] = {
    "pinned": 3, "confirmed": 2, "outright": 1, None: 0
}  # fmt: skip


def constraint_of(
    memory: Memory, basis: ConstraintBasis, about: str = "", subject: int | None = None
) -> ContextCandidate:
    """Return a memory as a constraint; ``about`` names its subject where that isn't the project."""
    reason = _WORDS[basis]
    if memory.scope.project is None:
        reason += ", for all projects"
    if about:
        reason += f"; about {about}"
    return ContextCandidate(
        memory,
        reason,
        round(memory.importance, 4),
        basis,
        group_of(memory, basis),
        subject,
    )


def is_constraint(reason: str) -> bool:
    """Tell whether a recorded reason is one for which a constraint is told or held back."""
    return reason == HELD_BACK or any(
        f"{reason},".startswith((f"{words},", f"{words};")) for words in _WORDS.values()
    )


def group_of(memory: Memory, basis: ConstraintBasis | None = None) -> ContextGroup:
    """Return below which heading a memory is told."""
    in_project = memory.scope.project is not None
    match memory.type:
        case "decision":
            return "decided"
        case "preference":
            return "preferences"
        case "rule":
            return "rules" if in_project else "everywhere"
        case _:
            if basis == "pinned":
                return "pinned"
            if basis is not None:
                return "rules" if in_project else "everywhere"
            return _unbound_group(memory)


def _unbound_group(memory: Memory) -> ContextGroup:
    if memory.type == "learning":
        return "learned"
    return "about" if memory.scope.project is not None else "general"


def ranked(constraints: Iterable[ContextCandidate]) -> list[ContextCandidate]:
    """Order constraints, each memory once: pinned, confirmed, said outright.

    Then the project's own come first, the important ones, and what was said later.
    """
    first: dict[str, ContextCandidate] = {}
    for each in constraints:
        first.setdefault(each.memory.id, each)
    return sorted(first.values(), key=_rank, reverse=True)


def _rank(each: ContextCandidate) -> tuple[int, bool, float, str, int]:
    memory = each.memory
    is_own = memory.scope.project is not None
    return _RANK[each.basis], is_own, memory.importance, memory.worded_at, memory.seq
