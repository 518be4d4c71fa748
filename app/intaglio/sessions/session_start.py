"""Composes the context for a session's start and records it; no model is called."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.base.clock import iso, local_day, parse_moment
from intaglio.base.metrics.measured import SessionStarted
from intaglio.capture.settings import CaptureSettings
from intaglio.fence.outgoing import Fence
from intaglio.graph.traversal.values import NO_WALK, GraphWalk, WalkPhase
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.projects.values import ProjectNotice
from intaglio.sessions import contract_text, rows
from intaglio.sessions.context import HEADER, MAX_CHARS, pack, units
from intaglio.sessions.continuity.recovery import (
    LOST,
    Recovered,
    Recoveries,
    RecoveryBlock,
    recovery_block,
)
from intaglio.sessions.continuity.settings import ContinuitySettings
from intaglio.sessions.ledger import InjectionCall
from intaglio.sessions.place_marks import marked
from intaglio.sessions.reminders.wording import WELCOME
from intaglio.sessions.selection.open_ends import left_open
from intaglio.sessions.selection.select import (
    SelectedMemories,
    only_constraints,
    select_memories,
)
from intaglio.sessions.selection.term_cache import TermCache
from intaglio.sessions.services import ContextServices
from intaglio.sessions.settings import HarnessSettings, HookSettings
from intaglio.sessions.values import (
    HELD_BACK,
    NOTHING,
    ContextBudget,
    ContextCandidate,
    ContextEntry,
    InjectedContext,
    SessionCandidate,
    SessionGap,
    SessionLine,
    SessionRef,
)
from intaglio.store.tx import ReadTx

ALREADY_SHOWN: Final = "already shown in this session"
# Of the budget, for what is no constraint.
_RESERVE: Final = 0.3


@dataclass(frozen=True, slots=True)
class SessionStarts:
    """The session-start use case.

    ``arrive`` takes the memories of a project whose folder has moved along; ``warm`` preloads the
    model for the questions that will follow; ``note_walk`` records a walk of the graph, in which
    phase, and when; ``recoveries`` find where a session stood that goes on, or broke off.
    """

    context: ContextServices
    arrive: Callable[[str | None], Awaitable[ProjectNotice | None]]
    warm: Callable[[], None]
    note_walk: Callable[[GraphWalk, WalkPhase, str], None]
    recoveries: Recoveries
    terms: TermCache = field(default_factory=TermCache)
    measure: Callable[[SessionStarted], None] = lambda _: None

    async def show(
        self,
        session: SessionRef,
        source: str,
        max_chars: int = MAX_CHARS,
        *,
        has_tools: bool = False,
    ) -> InjectedContext:
        """Return the context for a session's start: one fenced block, or nothing.

        An agent that has our tools is told that its notes are welcome. In a project that is to be
        told nothing, nothing is, not even that.

        ``max_chars`` is the harness's limit in UTF-16 units. ``source`` is startup, resume, clear,
        compact, fork, or lost: a session is resumed whose conversation is gone. A resumed session
        still holds its conversation, so it only gets what is new or has changed since; after a
        compaction everything is sent again, because the summary may have dropped it.
        """
        if session.subagent:
            return NOTHING
        # Prompts will follow; the model takes a moment to load.
        self.warm()
        self.measure(SessionStarted(harness=session.harness, source=source))
        began = self.context.ledger.seconds()
        project = await self.context.visibility.project_key(session.project)
        arrival = await self.arrive(project)
        # What is gone was cleared, as far as the session holds it.
        recorded = "clear" if source == LOST else source
        call = InjectionCall("session_start", project, began, source=recorded)
        own = await self.context.chosen_for(project)
        if own.told == "nothing":
            self.context.ledger.write(session, call, NOTHING)
            return replace(NOTHING, arrival=arrival)
        filters = await self.context.visibility.filters(session.agent_id, project)
        may_note = has_tools and own.capture is not False
        line = (
            WELCOME
            if may_note and self.context.settings().of(CaptureSettings).reminders != "off"
            else ""
        )
        left = max_chars - units(line) - 1 if line else max_chars
        if source == "compact":
            # The checkpoint from before it may still be written.
            await self.context.ledger.settled()
        shown = await self.compose(session, source, filters, left)
        shown = replace(shown, arrival=arrival, own_line=line)
        self.context.ledger.write(session, call, shown)
        self._note(shown)
        return shown

    async def compose(
        self, session: SessionRef, source: str, filters: Filter, max_chars: int = MAX_CHARS
    ) -> InjectedContext:
        """Compose what `show` returns; writes nothing.

        ``filters`` select what the session's agent may be shown in its project.
        """
        found = await self._choose(session, filters, source)
        chosen, last = found.chosen, found.last
        fresh, stale = _divide(chosen.candidates, found.seen)
        budget = self.budget(session.harness, max_chars)
        attributes = await self.context.ledger.describe(source="session-start")
        fence = self.context.fence
        texts = {_open_line(fence, last, line): line for line in last.lines} if last else {}
        packed = pack(fresh, budget, fence, attributes, reserve=_RESERVE, left_open=tuple(texts))
        entries = (*packed.entries, *stale, *chosen.left_out)
        told = tuple(texts[line] for line in packed.left_open)
        sessions = (replace(last, lines=told),) if last and told else ()
        shown = {entry.candidate.memory.id for entry in packed.entries if entry.shown}
        # It has the room that all else leaves.
        used = units(packed.text or fence.wrap(HEADER, attributes)) + 1
        block = self._recovery(found, shown, budget.chars - used)
        if block is None:
            return InjectedContext(packed.text, entries, walk=chosen.walk, sessions=sessions)
        lines = (fence.sanitize(HEADER), *packed.lines, *block.lines)
        known = {each.candidate.memory.id for each in block.entries}
        rest = (each for each in entries if each.candidate.memory.id not in known)
        return InjectedContext(
            fence.enclose(lines, attributes),
            (*block.entries, *rest),
            walk=chosen.walk,
            sessions=(block.session, *sessions),
        )

    def _recovery(self, found: "_Found", told: Collection[str], chars: int) -> RecoveryBlock | None:
        """Return what is told of where a session stood in so many characters, if anything is.

        ``told`` are the memories that are told anyway.
        """
        if found.recovered is None:
            return None
        most = self.context.settings().of(ContinuitySettings).recovery_chars
        return recovery_block(found.recovered, told, min(most, chars), self.context.fence)

    def _note(self, shown: InjectedContext) -> None:
        if shown.walk is not NO_WALK:
            self.note_walk(shown.walk, "session_start", iso(self.context.clock()))

    def budget(self, harness: str, max_chars: int = MAX_CHARS) -> ContextBudget:
        """Return how long the context of a harness's session start may be."""
        return ContextBudget(
            self.context.settings().harness(HarnessSettings, harness).start_max_tokens, max_chars
        )

    async def show_contract(self, session: SessionRef) -> InjectedContext:
        """Return the context in the client contract's format.

        A session that has already received its start context only gets the heading.
        """
        if session.subagent:
            return NOTHING
        # Prompts will follow; the model takes a moment to load.
        self.warm()
        began = self.context.ledger.seconds()
        project = await self.context.visibility.project_key(session.project)
        now = self.context.local(self.context.clock())
        # The first start of this session may still be written.
        await self.context.ledger.settled()
        known = await self.context.db.read(lambda tx: self.context.ledger.is_known(tx, session))
        if known and not session.anonymous:
            return InjectedContext(contract_text.heading(now, None))
        self.measure(SessionStarted(harness=session.harness, source="startup"))
        await self.arrive(project)
        filters = await self.context.visibility.filters(session.agent_id, project)
        found = await self._choose(session, filters, "startup")
        gap = await self.context.db.read(lambda tx: _gap(tx, session, filters))
        limit = self.context.settings().of(HookSettings).start_max_chars
        heading = contract_text.heading(now, gap)
        fence, candidates = self.context.fence, found.chosen.candidates
        # It stands last, and never takes more than a part of what is there for constraints.
        block = self._recovery(found, {each.memory.id for each in candidates}, limit // 4)
        recovered = contract_text.recovered(fence, block.lines) if block else ""
        shown = contract_text.start(fence, heading, candidates, limit - units(recovered))
        shown = replace(
            shown,
            text=f"{shown.text}{recovered}",
            entries=(*(block.entries if block else ()), *shown.entries, *found.chosen.left_out),
            walk=found.chosen.walk,
            sessions=(block.session,) if block else (),
        )
        self.context.ledger.write(session, InjectionCall("session_start", project, began), shown)
        self._note(shown)
        return shown

    async def compacted(self, session: SessionRef) -> None:
        """Record that a session lost its conversation, where no start tells it anything again.

        What it was told may be told again, and each constraint with the prompt that touches its
        subject. Does nothing to a session that wasn't told anything.
        """
        known = await self.context.db.read(lambda tx: self.context.ledger.is_known(tx, session))
        if not known or session.subagent or session.anonymous:
            return
        began = self.context.ledger.seconds()
        project = await self.context.visibility.project_key(session.project)
        filters = await self.context.visibility.filters(session.agent_id, project)
        chosen = (await self._choose(session, filters, "clear")).chosen
        bound = [each for each in chosen.candidates if each.constraint]
        held_back = tuple(ContextEntry(each, "", 0, HELD_BACK) for each in bound)
        call = InjectionCall("session_start", project, began, source="compact")
        self.context.ledger.write(session, call, InjectedContext("", held_back))

    async def _choose(self, session: SessionRef, filters: Filter, source: str) -> "_Found":
        settings, now = self.context.settings(), self.context.clock()
        notes = await self.context.notes(session.harness, filters.project, session.project)

        def work(tx: ReadTx) -> _Found:
            told = self.context.chosen(tx, filters.project).told
            if told == "nothing":
                return _Found(SelectedMemories(()))
            recovered = self.recoveries.find(tx, session, filters, source, now)
            chosen = select_memories(
                tx,
                session,
                filters,
                settings,
                now,
                notes,
                self.context.ledger.seconds,
                self.terms,
                recovered.in_play if recovered else (),
            )
            if told == "constraints":
                chosen = only_constraints(chosen)
            if source == "resume":
                return _Found(chosen, self.context.ledger.in_conversation(tx, session))
            if told == "constraints":
                return _Found(chosen)
            last = left_open(tx, session, filters, now)
            if recovered and last and recovered.session.transcript == last.transcript:
                last = None
            return _Found(chosen, {}, last, recovered)

        found = await self.context.db.read(work)
        chosen = found.chosen
        told, gone = await marked(self.context, chosen.candidates, session, filters.project)
        return replace(
            found,
            chosen=replace(chosen, candidates=told, left_out=(*gone, *chosen.left_out)),
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """What a start chooses from: memories, those that the session holds, and the last session.

    ``seen`` maps ids to since when the session holds them; ``last`` is set if it left points open,
    ``recovered`` if it is told where a session stood.
    """

    chosen: SelectedMemories
    seen: dict[str, str] = field(default_factory=dict[str, str])
    last: SessionCandidate | None = None
    recovered: Recovered | None = None


def _open_line(fence: Fence, last: SessionCandidate, line: SessionLine) -> str:
    return fence.sanitize(f"- {line.text} (noted by an agent, {local_day(last.at)})")


def _divide(
    candidates: Sequence[ContextCandidate], seen: dict[str, str]
) -> tuple[list[ContextCandidate], list[ContextEntry]]:
    """Split the candidates into new or changed ones and those the session already has."""
    fresh: list[ContextCandidate] = []
    stale: list[ContextEntry] = []
    for candidate in candidates:
        at = seen.get(candidate.memory.id)
        if at is not None and candidate.memory.updated_at <= at:
            stale.append(ContextEntry(candidate, "", 0, ALREADY_SHOWN))
        else:
            fresh.append(candidate)
    return fresh, stale


def _gap(tx: ReadTx, session: SessionRef, filters: Filter) -> SessionGap | None:
    """Return what happened in the project since its last session."""
    since = rows.last_active(tx, session, filters.project)
    moment = parse_moment(since) if since else None
    if since is None or moment is None:
        return None
    total = memories.stats(tx, replace(filters, since=since)).total
    return SessionGap(moment, total, rows.sessions_since(tx, filters.project, since))
