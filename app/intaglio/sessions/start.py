"""The start of a session: what it is shown, and its place in the ledger; no model is called."""

from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.sessions import contract_text, ledger, rows
from intaglio.sessions.choose import choose
from intaglio.sessions.context import MAX_CHARS, pack
from intaglio.sessions.values import (
    NOTHING,
    Budget,
    Candidate,
    Entry,
    Gap,
    Needs,
    SessionRef,
    Shown,
)
from intaglio.store.tx import ReadTx

SEEN: Final = "shown before in this session"


@dataclass(frozen=True, slots=True)
class Starts:
    """The session-start use case."""

    needs: Needs

    async def show(self, session: SessionRef, source: str, most_chars: int = MAX_CHARS) -> Shown:
        """Return what a session is shown at its start: one fenced block, or nothing.

        ``most_chars`` is what the harness takes, in UTF-16 units.
        ``source`` is startup, resume, clear, compact or fork. A resumed session still holds what
        it was shown, so it only gets what is new or has changed since.
        """
        if session.subagent:
            return NOTHING
        # Prompts will follow; the model takes a moment to load.
        self.needs.warm()
        began = self.needs.seconds()
        project = await self.needs.project_key(session.project)
        settings = self.needs.settings()
        place = await self.needs.place(session.agent_id, project)
        candidates, seen = await self._candidates(session, place, resumed=source == "resume")
        fresh, stale = _divide(candidates, seen)
        budget = Budget(settings.harness[session.harness].start_max_tokens, most_chars)
        attributes = await ledger.describe(self.needs, source="session-start")
        packed = pack(fresh, budget, attributes)
        shown = Shown(packed.text, (*packed.entries, *stale))
        ledger.write(
            self.needs, session, ledger.Call("session_start", project, began, source=source), shown
        )
        return shown

    async def show_contract(self, session: SessionRef) -> Shown:
        """Return the start in the shape of the client contract.

        A session that was shown its start already gets the heading alone.
        """
        if session.subagent:
            return NOTHING
        # Prompts will follow; the model takes a moment to load.
        self.needs.warm()
        began = self.needs.seconds()
        project = await self.needs.project_key(session.project)
        now = self.needs.local(self.needs.clock())
        known = await self.needs.db.read(lambda tx: ledger.is_known(self.needs, tx, session))
        if known and not session.unnamed:
            return Shown(contract_text.heading(now, None))
        place = await self.needs.place(session.agent_id, project)
        candidates, _ = await self._candidates(session, place, resumed=False)
        gap = await self.needs.db.read(lambda tx: _gap(tx, session, place))
        limit = self.needs.settings().hooks.start_max_chars
        shown = contract_text.start(contract_text.heading(now, gap), candidates, limit)
        ledger.write(self.needs, session, ledger.Call("session_start", project, began), shown)
        return shown

    async def _candidates(
        self, session: SessionRef, place: Filter, *, resumed: bool
    ) -> tuple[list[Candidate], dict[str, str]]:
        settings, now = self.needs.settings(), self.needs.clock()

        def work(tx: ReadTx) -> tuple[list[Candidate], dict[str, str]]:
            chosen = choose(tx, place, settings, now)
            return chosen, ledger.in_context(self.needs, tx, session) if resumed else {}

        return await self.needs.db.read(work)


def _divide(
    candidates: list[Candidate], seen: dict[str, str]
) -> tuple[list[Candidate], list[Entry]]:
    """Part what the session has not seen, or not as it reads now, from what it has."""
    fresh: list[Candidate] = []
    stale: list[Entry] = []
    for candidate in candidates:
        at = seen.get(candidate.memory.id)
        if at is not None and candidate.memory.updated_at <= at:
            stale.append(Entry(candidate, "", 0, SEEN))
        else:
            fresh.append(candidate)
    return fresh, stale


def _gap(tx: ReadTx, session: SessionRef, place: Filter) -> Gap | None:
    """Return what happened in the project since it was last worked on."""
    since = rows.last_active(tx, session, place.project)
    moment = parse_moment(since) if since else None
    if since is None or moment is None:
        return None
    total = memories.stats(tx, replace(place, since=since)).total
    return Gap(moment, total, rows.sessions_since(tx, place.project, since))
