"""The texts injected through the client contract, in its format; memories are fenced."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from intaglio.base.clock import local_day
from intaglio.fence.outgoing import Fence
from intaglio.sessions.context import HEADER, marks_of, pack, units
from intaglio.sessions.values import (
    ContextBudget,
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionGap,
)

ACTIVE: Final = "[memory active | /remember | /recall]"
_MANY_TOKENS: Final = 1_000_000
_MEMORY_CHARS: Final = 2_000
# Searches by words alone are called so, too: clients of the contract know no other word.
ENGINE: Final = "hybrid"
_MAX_WORDS: Final = 12
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def date(now: datetime) -> str:
    """Return the heading with date and time, in English regardless of locale."""
    day = f"{_DAYS[now.weekday()]}, {_MONTHS[now.month - 1]} {now.day}, {now.year}"
    hour = now.hour % 12 or 12
    clock = f"{hour}:{now.minute:02} {'AM' if now.hour < 12 else 'PM'}"  # noqa: PLR2004 - noon
    return f"# Current Date & Time\n{day} at {clock} ({now.tzname() or 'UTC'})"


def heading(now: datetime, gap: SessionGap | None) -> str:
    """Return the text before the memories at a session's start."""
    parts = [ACTIVE]
    if gap is not None:
        days = (now.date() - gap.last_active.astimezone(now.tzinfo).date()).days
        ago = f"{days}d ago" if days else "today"
        parts.append(
            f"[since last session: {gap.memories} new memories, {gap.sessions} sessions captured, "
            f"last active {ago}]"
        )
    return "\n\n".join((*parts, date(now)))


def start(
    fence: Fence, head: str, candidates: Sequence[ContextCandidate], limit: int
) -> InjectedContext:
    """Return the complete text for a session's start in at most ``limit`` characters.

    Constraints are placed first, below the other memories; a line says how many don't fit. In both
    parts, lines have the order that they have below our own headings.
    """
    left = limit - units(head) - 4
    bound = [candidate for candidate in candidates if candidate.constraint]
    free = [candidate for candidate in candidates if not candidate.constraint]
    constraints = pack(
        bound,
        ContextBudget(_MANY_TOKENS, left),
        fence,
        {"source": "session-start"},
        "## Active Constraints",
        line,
        headings=False,
    )
    left -= units(constraints.text)
    relevant = pack(
        free,
        ContextBudget(_MANY_TOKENS, min(left, _MEMORY_CHARS)),
        fence,
        {"source": "session-start"},
        "## Relevant Memories",
        line,
        headings=False,
    )
    texts = [text for text in (head, relevant.text, constraints.text) if text]
    return InjectedContext("\n\n".join(texts), (*constraints.entries, *relevant.entries))


def recovered(fence: Fence, lines: Sequence[str]) -> str:
    """Return what follows a start's text on where a session stood; ``lines`` are sanitized."""
    return "\n\n" + fence.enclose((fence.sanitize(HEADER), *lines), {"source": "session-start"})


def prompt(
    fence: Fence,
    head: str,
    candidates: Sequence[ContextCandidate],
    left_out: Sequence[ContextEntry],
    words: Sequence[str],
    limit: int,
) -> InjectedContext:
    """Return the text for a prompt: the date, then the matching memories."""
    query = fence.sanitize(" ".join(words[:_MAX_WORDS]).replace('"', ""))
    title = f'[signet:recall | query="{query}" | results={len(candidates)} | engine={ENGINE}]'
    source = {"source": "prompt"}
    budget = ContextBudget(_MANY_TOKENS, limit + units(fence.wrap(title, source)))
    packed = pack(candidates, budget, fence, source, title, line)
    texts = [text for text in (head, packed.text) if text]
    return InjectedContext("\n\n".join(texts), (*packed.entries, *left_out), tuple(words))


def line(candidate: ContextCandidate, text: str) -> str:
    """Format a memory as in the contract: ``- content [tags] (Jan 31, 2026)``; not sanitized.

    The marks that our own lines have follow the date.
    """
    memory = candidate.memory
    tags = f" [{', '.join(memory.tags)}]" if memory.tags else ""
    year, month, day = local_day(memory.worded_at).split("-")
    notes = [f"{_MONTHS[int(month) - 1][:3]} {int(day)}, {year}", *marks_of(candidate)]
    return f"- {text}{tags} ({', '.join(notes)})"
