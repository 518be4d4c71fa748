"""Selects what a session is told at its start: fewer, better lines rather than a filled budget.

The constraints, then what is about pinned entities, what changed and what is open, then what is
about the project's recent work, then the strongest decisions, preferences and rules; from the
session's project and global ones, never from another project.
What the harness tells its model anyway, or a better memory says too, is left out. What a later
session may have replaced comes after the rest.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.base.text import clip, storage_form
from intaglio.graph.settings import GraphSettings
from intaglio.graph.traversal.values import NO_WALK, GraphWalk
from intaglio.language.restatements import PhrasingIndex, phrasing
from intaglio.memory.decay import Aging
from intaglio.memory.filters import Filter
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Memory
from intaglio.sessions.project_notes import ProjectNotes
from intaglio.sessions.selection.constraints import constraint_of, group_of, ranked
from intaglio.sessions.selection.contradicted_memories import contradicted
from intaglio.sessions.selection.focal_memories import (
    NO_FOCAL_MEMORIES,
    FocalMemories,
    read_focal_memories,
)
from intaglio.sessions.selection.later_sessions import later_sessions
from intaglio.sessions.selection.memory_pool import LASTING, MemoryPool, read_pool
from intaglio.sessions.selection.recent_work import MIN_FIT
from intaglio.sessions.selection.term_cache import TermCache
from intaglio.sessions.settings import HookSettings
from intaglio.sessions.values import (
    SAME_AS,
    ContextCandidate,
    ContextEntry,
    LaterSessionMark,
    SessionRef,
)
from intaglio.store.tx import ReadTx

LESS_ABOUT_WORK: Final = "less about recent work than the lines that are sent"
NOT_ABOUT_WORK: Final = "not about recent work"
GLOBAL_NOT_ABOUT_WORK: Final = "for all projects, and not about this project's recent work"
WEAKER: Final = "not among the strongest decisions and preferences"
NOT_BINDING: Final = "this project is only told what is always told"

# The most lines besides constraints, and of those the most about recent work and the
# most global ones that aren't. Decision record 0047.
_MAX_LINES: Final = 16
_MAX_ABOUT_WORK: Final = 12
_MAX_GLOBAL: Final = 5
_MIN_GLOBAL: Final = 3
_MAX_LEFT_OUT: Final = 60
# More constraints than fit are only counted, so it doesn't matter whether they say the same.
_MAX_COMPARED: Final = 60
# The most lines about what changed and what is open.
_MAX_STATE: Final = 6
_LASTS: Final = frozenset({*LASTING, "rule"})
# What fits recent work this much less than the best memory isn't about it either.
_CUTOFF_RATIO: Final = 0.4
# The same for decisions and preferences; a few are told however weak they are.
_LASTING_CUTOFF_RATIO: Final = 0.2
_MIN_LASTING: Final = 4
# Memories other than decisions and preferences must be fresh or important to count as recent.
_MIN_EFFECTIVE: Final = 0.2
# What it adds to the fit that a memory is new, was recalled lately, is important, is lasting.
_RECENT: Final = 0.3
_RECALLED: Final = 0.2
_IMPORTANT: Final = 0.2
_LASTING: Final = 0.1

_QUOTE_CHARS: Final = 80
_NAMED_WORDS: Final = 3
_BY_USER: Final = frozenset({"user", "cli"})


@dataclass(frozen=True, slots=True)
class SelectedMemories:
    """The candidates, best first, and what was left out and why; each memory once.

    ``walk`` is that of the graph.
    """

    candidates: tuple[ContextCandidate, ...]
    left_out: tuple[ContextEntry, ...] = ()
    walk: GraphWalk = NO_WALK


def select_memories(  # noqa: PLR0913, PLR0917 - each is a part of the request
    tx: ReadTx,
    session: SessionRef,
    filters: Filter,
    settings: Settings,
    now: datetime,
    notes: ProjectNotes,
    seconds: Callable[[], float],
    terms: TermCache | None = None,
    in_play: Sequence[str] = (),
) -> SelectedMemories:
    """Choose what a session's start is told.

    ``filters`` name the reader and the project of the ``session``, ``notes`` is what its harness
    tells it anyway, ``seconds`` a monotonic clock, ``terms`` what is known of texts,
    ``in_play`` the entities that the session was about before its conversation was lost.
    """
    aging = Aging(settings.of(MemorySettings).decay_rate, now)
    # What an agent stored by itself is told only as an answer: nobody asked for it here.
    filters = replace(filters, vouched=True)
    focal = read_focal_memories(tx, filters, settings.of(GraphSettings), seconds, in_play)
    pool = read_pool(tx, filters, now, terms)
    lines = settings.of(HookSettings).start_recall_limit
    known = (*(memory for memory, _ in pool.constraints), *pool.others, *focal.memories)
    later = later_sessions(tx, known, filters, session)
    chosen = choose(pool, aging, notes, filters.project, lines, focal, later)
    hidden = contradicted(tx, filters)
    return replace(chosen, left_out=(*hidden, *chosen.left_out), walk=focal.walk)


def only_constraints(selected: SelectedMemories) -> SelectedMemories:
    """Return the selection without what isn't always told."""
    binding = tuple(each for each in selected.candidates if each.constraint)
    others = (each for each in selected.candidates if not each.constraint)
    left_out = (ContextEntry(each, "", 0, NOT_BINDING) for each in others)
    return replace(selected, candidates=binding, left_out=(*left_out, *selected.left_out))


def choose(  # noqa: PLR0913, PLR0917 - each is a part of the request
    pool: MemoryPool,
    aging: Aging,
    notes: ProjectNotes,
    project: str | None,
    lines: int,
    focal: FocalMemories = NO_FOCAL_MEMORIES,
    later: Mapping[str, LaterSessionMark] | None = None,
) -> SelectedMemories:
    """Choose from the pool and from what the graph says.

    ``lines`` limits the lines besides constraints, and what is about pinned entities. ``later`` has
    the session that may have replaced a memory, by the memory's id.
    """
    choice, later = _Choice(notes), later or {}
    of_pool = (constraint_of(memory, basis) for memory, basis in pool.constraints)
    constraints = _current_first(ranked((*focal.constraints, *of_pool)), later)
    choice.fill(constraints[:_MAX_COMPARED])
    uncompared = constraints[_MAX_COMPARED:]
    choice.pass_over(uncompared)
    choice.fill(_current_first(focal.pinned, later))
    always = len(choice.kept)
    lines = min(lines, _MAX_LINES)
    about, rest = _by_fit(pool, aging, project)
    choice.fill(_current_first(_state_of_work(pool, about), later), always + _MAX_STATE)
    most_about = always + min(lines, _MAX_ABOUT_WORK)
    choice.fill(_current_first(about, later), most_about, LESS_ABOUT_WORK)
    choice.fill(_current_first(focal.dependencies, later), always + lines, LESS_ABOUT_WORK)
    own = [each for each in rest if each.memory.scope.project is not None or project is None]
    everywhere = [each for each in rest if each.memory.scope.project is None and project]
    lasting, others = _split(own)
    general, more = _split(everywhere)
    strong, weak = _strongest(lasting)
    most_strong = always + lines - min(_MIN_GLOBAL, len(general))
    choice.fill(_current_first(strong, later), most_strong, WEAKER)
    choice.leave_out(weak, WEAKER)
    strong, weak = _strongest(general)
    most_global = min(always + lines, len(choice.kept) + _MAX_GLOBAL)
    choice.fill(_current_first(strong, later), most_global, GLOBAL_NOT_ABOUT_WORK)
    choice.leave_out(weak, GLOBAL_NOT_ABOUT_WORK)
    choice.leave_out(others, NOT_ABOUT_WORK)
    choice.leave_out(more, GLOBAL_NOT_ABOUT_WORK)
    kept = _current_first(choice.kept, later)
    return SelectedMemories((*kept, *uncompared), tuple(choice.left_out())[:_MAX_LEFT_OUT])


def _current_first(
    candidates: Iterable[ContextCandidate], later: Mapping[str, LaterSessionMark]
) -> list[ContextCandidate]:
    """Return candidates in their order, those that may have been replaced last, and marked."""
    found = [
        replace(each, replaced_on=mark) if (mark := later.get(each.memory.id)) else each
        for each in candidates
    ]
    return sorted(found, key=lambda each: bool(each.replaced_on)) if later else found


def _state_of_work(
    pool: MemoryPool, about: Iterable[ContextCandidate]
) -> Iterator[ContextCandidate]:
    """Yield what changed in the last days, and the latest issues."""
    for memory in pool.changed:
        yield ContextCandidate(memory, "changed lately", group="changed")
    for each in about:
        if each.memory.type == "issue" and each.memory.id in pool.recent:
            yield replace(each, group="open")


@dataclass(slots=True)
class _Choice:
    """What was chosen so far, and what was left out: with a reason, or the place of its equal."""

    notes: ProjectNotes
    kept: list[ContextCandidate] = field(default_factory=list[ContextCandidate])
    _known: set[str] = field(default_factory=set[str])
    _left: list[tuple[ContextCandidate, str | int]] = field(
        default_factory=list[tuple[ContextCandidate, str | int]]
    )
    _phrasings: PhrasingIndex = field(default_factory=PhrasingIndex)

    def fill(
        self, candidates: Iterable[ContextCandidate], most: int | None = None, reason: str = ""
    ) -> None:
        """Add candidates until there are ``most`` lines; the others are left out with a reason.

        A memory that was offered or left out before isn't again.
        """
        for candidate in candidates:
            if most is not None and len(self.kept) >= most:
                self.leave_out((candidate,), reason)
            elif candidate.memory.id not in self._known:
                self._offer(candidate)

    def pass_over(self, candidates: Iterable[ContextCandidate]) -> None:
        """Don't take these when they are offered again."""
        self._known.update(each.memory.id for each in candidates)

    def _offer(self, candidate: ContextCandidate) -> None:
        """Add a candidate unless it is known; of two that say the same, the better one stays."""
        memory = candidate.memory
        self._known.add(memory.id)
        told = self.notes.reason_against(memory)
        if told is not None:
            self._left.append((candidate, told))
            return
        words = phrasing(memory.content)
        number = self._phrasings.find(words)
        if number is None:
            self._phrasings.add(words)
            self.kept.append(candidate)
            return
        other = self.kept[number]
        if _quality(candidate) > _quality(other):
            self._phrasings.replace(number, words)
            self.kept[number] = candidate
            candidate = other
        self._left.append((candidate, number))

    def leave_out(self, candidates: Iterable[ContextCandidate], reason: str) -> None:
        """Note that candidates are left out, and why."""
        for each in candidates:
            if each.memory.id not in self._known:
                self._known.add(each.memory.id)
                self._left.append((each, reason))

    def left_out(self) -> Iterator[ContextEntry]:
        """Yield what was left out; what says the same as a line quotes the one that stayed."""
        for candidate, why in self._left:
            reason = why if isinstance(why, str) else _same_as(self.kept[why].memory)
            yield ContextEntry(candidate, "", 0, reason)


def _by_fit(
    pool: MemoryPool, aging: Aging, project: str | None
) -> tuple[list[ContextCandidate], list[ContextCandidate]]:
    """Split the pool into what is about recent work, and the rest; both best first."""
    fits = {each.id: pool.work.fit(each.id, pool.tokens[each.id]) for each in pool.others}
    best = max((fit.score for fit in fits.values()), default=0.0)
    least = max(MIN_FIT, best * _CUTOFF_RATIO)
    about: list[ContextCandidate] = []
    rest: list[ContextCandidate] = []
    for memory in sorted(pool.others, key=lambda each: (each.worded_at, each.seq), reverse=True):
        fit, effective = fits[memory.id], aging.effective_importance(memory)
        fits_work = fit.score >= least
        recalled = memory.id in pool.recalled
        recent = memory.id in pool.recent and (memory.type in _LASTS or effective > _MIN_EFFECTIVE)
        if not (fits_work or recalled or recent):
            rest.append(
                ContextCandidate(
                    memory, _reason(memory), round(effective, 4), group=group_of(memory)
                )
            )
            continue
        score = (
            (fit.score if fits_work else 0.0)
            + _RECENT * recent
            + _RECALLED * recalled
            + _IMPORTANT * effective
            + _LASTING * (memory.type in _LASTS)
        )
        if fits_work:
            named = [pool.spelled.get(term, term).lower() for term in fit.terms[:_NAMED_WORDS]]
            reason = f"about recent work: {', '.join(named)}"
        elif recalled:
            reason = "recalled in a recent session"
        else:
            reason = "saved recently" if memory.version == 1 else "changed recently"
        if memory.scope.project is None and project is not None:
            reason += "; for all projects"
        about.append(ContextCandidate(memory, reason, round(score, 4), group=group_of(memory)))
    # The sorts are stable: of the same score, the newer comes first.
    about.sort(key=lambda each: each.score or 0.0, reverse=True)
    rest.sort(key=lambda each: each.score or 0.0, reverse=True)
    return about, rest


def _split(
    candidates: Sequence[ContextCandidate],
) -> tuple[list[ContextCandidate], list[ContextCandidate]]:
    """Split into decisions and preferences, and the others."""
    lasting = [each for each in candidates if each.memory.type in _LASTS]
    return lasting, [each for each in candidates if each.memory.type not in _LASTS]


def _strongest(
    lasting: Sequence[ContextCandidate],
) -> tuple[Sequence[ContextCandidate], Sequence[ContextCandidate]]:
    """Split, best first, where the effective importance falls off; the first few always stay."""
    best = max((each.score or 0.0 for each in lasting), default=0.0)
    strong = [each for each in lasting if (each.score or 0.0) >= best * _LASTING_CUTOFF_RATIO]
    cut = max(len(strong), _MIN_LASTING)
    return lasting[:cut], lasting[cut:]


def _quality(candidate: ContextCandidate) -> tuple[bool, bool, bool, bool, bool, str, int]:
    """Return what decides which of two memories that say the same stays; the higher one."""
    memory = candidate.memory
    return (
        candidate.constraint,
        memory.pinned,
        not candidate.replaced_on,
        memory.type == "rule",
        memory.who in _BY_USER,
        memory.updated_at,
        memory.seq,
    )


def _reason(memory: Memory) -> str:
    where = "of this project" if memory.scope.project else "for all projects"
    return f"one of the strongest decisions and preferences {where}"


def _same_as(memory: Memory) -> str:
    return f'{SAME_AS} "{clip(storage_form(memory.content), _QUOTE_CHARS)}"'
