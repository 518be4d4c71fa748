"""Which memories match a prompt well enough to be told with it; pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Literal
from unicodedata import east_asian_width

from intaglio.recall.values import Answer, Hit, QueryPlan
from intaglio.sessions.asked.words import contains_name
from intaglio.sessions.project_notes import NO_NOTES, ProjectNotes
from intaglio.sessions.session_start import ALREADY_SHOWN
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.values import ContextCandidate, ContextEntry

BELOW_THRESHOLD: Final = "matches too few of the prompt's rare words"
WEAK_MATCH: Final = "matches the prompt too weakly"
NO_ANSWER: Final = "doesn't answer the prompt"
NO_WORD: Final = "the prompt has no searchable word"
ONE_WORD: Final = "the prompt has only one searchable word"
OVER_LIMIT: Final = "over the limit of memories per prompt"
_MIN_TERMS: Final = 2
_MIN_WIDE: Final = 4
_MANY_MATCHES: Final = 3


@dataclass(frozen=True, slots=True)
class MatchFloor:
    """How much better (or worse) than the setting a memory has to match.

    ``held_back`` is for constraints that the session's start held back: what the prompt is going to
    do may break them.
    """

    others: float
    held_back: float


FIRST: Final = MatchFloor(others=0.0, held_back=-0.06)
LATER: Final = MatchFloor(others=0.1, held_back=-0.06)


@dataclass(frozen=True, slots=True)
class SelectedForPrompt:
    """What is told, what is left out and why, and the words that were searched for."""

    fresh: tuple[ContextCandidate, ...]
    left: tuple[ContextEntry, ...]
    words: tuple[str, ...]


def select_for_prompt(  # noqa: PLR0913, PLR0917 - each is a part of the request
    answer: Answer,
    seen: Mapping[str, str],
    hooks: HookSettings,
    told: Collection[str] = (),
    floor: MatchFloor = FIRST,
    held_back: Collection[str] = (),
    names: tuple[str, ...] = (),
    notes: ProjectNotes = NO_NOTES,
) -> SelectedForPrompt:
    """Choose what of an answer is told.

    ``seen`` are the memories in the session's context, and since when; those in ``told`` are told
    with their session, and the session's start held those in ``held_back`` back. ``names`` stand in
    what was pasted: a memory with one of them matches. ``notes`` is what the harness tells anyway.
    """
    fresh: list[ContextCandidate] = []
    left: list[ContextEntry] = []
    for found in (*answer.hits, *answer.near_misses):
        if found.memory.id in told:
            continue
        name = contains_name(found.memory.content, names)
        reason = f"names {name}" if name else match_reason(found, answer.plan, "prompt")
        candidate = ContextCandidate(found.memory, reason, found.score)
        at = seen.get(found.memory.id)
        more = floor.held_back if found.memory.id in held_back else floor.others
        weakness = "" if name else _weakness(found, answer.plan, hooks, more)
        if weakness:
            if _is_near(found, hooks):
                left.append(ContextEntry(candidate, "", 0, weakness))
        elif at is not None and found.memory.updated_at <= at:
            left.append(ContextEntry(candidate, "", 0, ALREADY_SHOWN))
        elif told_anyway := notes.reason_against(found.memory):
            left.append(ContextEntry(candidate, "", 0, told_anyway))
        elif len(fresh) >= hooks.prompt_limit:
            left.append(ContextEntry(candidate, "", 0, OVER_LIMIT))
        else:
            fresh.append(candidate)
    return SelectedForPrompt(tuple(fresh), tuple(left), answer.plan.words)


def match_reason(hit: Hit, plan: QueryPlan, asked: Literal["prompt", "question"]) -> str:
    """Say how a memory matches what was asked, in the words that were used there."""
    words = dict(zip(plan.terms, plan.words, strict=True))
    matched = ", ".join(words.get(term, term) for term in hit.signals.matched)
    parts = [f"covers {hit.signals.coverage:.0%} of the {asked}: {matched}"] if matched else []
    parts += hit.signals.reasons
    if hit.signals.meaning is None and hit.signals.cosine is not None:
        parts.append(f"similarity in meaning {hit.signals.cosine:.2f}")
    return "; ".join(parts)


def _is_near(hit: Hit, hooks: HookSettings) -> bool:
    """Return whether the ledger lists a memory that is left out as too weak a match."""
    return max(hit.signals.coverage, hit.signals.cosine or 0.0) >= hooks.prompt_min_coverage / 2


def _weakness(hit: Hit, plan: QueryPlan, hooks: HookSettings, more: float) -> str:
    """Say why a memory doesn't match a prompt well enough to be injected; nothing if it does.

    A one-word prompt ("continue") says too little. Most prompts are orders that no memory answers,
    so the floor is higher than for a question. Its default was measured on questions with and
    without answer, and on prompts of coding sessions.
    """
    if not says_enough(plan):
        return ONE_WORD if plan.terms else NO_WORD
    match = hit.signals.own_match
    if match is None:
        return _weakness_by_blend(hit, hooks, more)
    if not hit.answers:
        return NO_ANSWER
    least = hooks.prompt_min_match + more
    return "" if match >= least else f"{WEAK_MATCH} ({match:.2f})"


def says_enough(plan: QueryPlan) -> bool:
    """Return whether a prompt has several words; scripts without spaces count by characters."""
    wide = sum(east_asian_width(char) in "WF" for word in plan.words for char in word)
    return len(plan.terms) >= _MIN_TERMS or wide >= _MIN_WIDE


def _weakness_by_blend(hit: Hit, hooks: HookSettings, more: float) -> str:
    """Say why a memory without token states doesn't match; it can by keywords or semantically.

    A long prompt is never covered far, so half the coverage suffices if several words match.
    """
    coverage, matches = hit.signals.coverage, len(hit.signals.matched)
    min_coverage = hooks.prompt_min_coverage + more
    if (hit.signals.cosine or 0.0) >= hooks.prompt_min_cosine + more:
        return ""
    if coverage >= min_coverage or (coverage >= min_coverage / 2 and matches >= _MANY_MATCHES):
        return ""
    return f"{BELOW_THRESHOLD} ({coverage:.0%})"
