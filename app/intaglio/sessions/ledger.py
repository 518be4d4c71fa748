"""Writes the ledger of injected memories in the background, after the text is composed.

While capture is paused nothing is written; injections are then only remembered in memory.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from intaglio.base.clock import Clock, iso
from intaglio.base.errors import UnavailableError
from intaglio.pauses.service import pause_state
from intaglio.projects import settings_rows
from intaglio.sessions import rows
from intaglio.sessions.paused_injections import PausedInjections
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.values import InjectedContext, SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class InjectionCall:
    """A call: ``event`` is session_start, prompt, edit or recall, ``began`` a monotonic time in s.

    A recall is a question of the agent's tools.
    """

    event: str
    project: str | None
    began: float
    source: str | None = None
    prompt_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The ledger of what sessions were told.

    ``seconds`` is a monotonic clock. ``in_background`` runs a write in the background and logs its
    failure; ``settled`` waits briefly for those in progress. ``paused`` replaces the ledger while
    capture is paused.
    """

    db: Database
    clock: Clock
    seconds: Callable[[], float]
    in_background: Callable[[Awaitable[None]], None]
    settled: Callable[[], Awaitable[None]]
    paused: PausedInjections

    def write(self, session: SessionRef, call: InjectionCall, injected: InjectedContext) -> None:
        """Record the call and the session's activity; a failure doesn't affect the reply.

        It runs in the background: during a database check writes wait, but replies must not.
        """
        now = self.clock()
        at = iso(now)
        injection = rows.Injection(
            event=call.event,
            source=call.source or None,
            prompt_id=call.prompt_id,
            project=call.project,
            terms=json.dumps(injected.words, ensure_ascii=False) if injected.words else None,
            text=_sent(call, injected),
            entries=injected.entries,
            elapsed_ms=round((self.seconds() - call.began) * 1000, 3),
            at=at,
            sessions=injected.sessions,
            commits=injected.commits,
        )

        def work(tx: WriteTx) -> None:
            if injection.source in {"clear", "compact"}:
                self.paused.drop(session.key)
            if pause_state(tx, now).paused:
                if call.event != "recall":
                    ids = [memory.id for memory in injected.memories]
                    self.paused.note(session.key, call.event, ids, at)
                return
            owner = rows.agent_of(tx, session.harness, session.id)
            # What one agent was told must not be read by another one that names the same session.
            if owner not in (None, session.agent_id):
                return
            is_recall = call.event == "recall"
            # Only hooks of the session itself say where it runs, and that it has begun. What tools
            # do outside any session is recorded in an anonymous one.
            if is_recall and owner is None and not session.anonymous:
                return
            if is_recall and owner is not None:
                rows.note_activity(tx, session, at)
            else:
                rows.touch(tx, session, call.project, at)
                rows.mark_active(tx, session, at)
            if call.event == "prompt":
                rows.count_prompt(tx, session)
            # The words are those of a prompt: where nothing of it is kept, they aren't either.
            is_off = settings_rows.chosen(tx, call.project).capture is False
            rows.record(tx, session, replace(injection, terms=None) if is_off else injection)

        try:
            self.in_background(self.db.write(work))
        except UnavailableError:
            # Read-only or full; the daemon's state reports it, and the session has its text.
            return

    def begin_anonymous(self, session: SessionRef, project: str | None) -> None:
        """Record the anonymous session in which an agent's tools change something."""
        if not session.anonymous:
            return
        at = iso(self.clock())

        def work(tx: WriteTx) -> None:
            rows.touch(tx, session, project, at)
            rows.note_activity(tx, session, at)

        self.in_background(self.db.write(work))

    def in_context(self, tx: ReadTx, session: SessionRef) -> dict[str, str]:
        """Return the ids of the memories in the session's context, and when they were injected."""
        return rows.in_context(tx, session) | self.paused.in_context(session.key)

    def in_conversation(self, tx: ReadTx, session: SessionRef) -> dict[str, str]:
        """Return the ids of all memories that a resumed session holds, and since when.

        These are what was injected, and what was captured from what the user said there.
        """
        since = rows.conversation_since(tx, session)
        return (
            statements.captured_in(tx, session.harness, session.id, since)
            | rows.in_conversation(tx, session)
            | self.paused.in_conversation(session.key)
        )

    def held_back(self, tx: ReadTx, session: SessionRef) -> list[str]:
        """Return the ids of the constraints that its start held back and no prompt told since.

        The best first. Each is to be told with the first prompt that touches its subject. Nothing
        of a start in a pause, of which nothing is written.
        """
        return rows.held_back(tx, session)

    def is_known(self, tx: ReadTx, session: SessionRef) -> bool:
        """Whether the session has already received its start context."""
        return self.paused.is_known(session.key) or rows.is_known(tx, session)

    async def describe(self, **attributes: str) -> dict[str, str]:
        """Return the fence's attributes, including whether capture is paused."""
        now = self.clock()
        found = await self.db.read(lambda tx: pause_state(tx, now))
        return attributes | ({"capture": "paused"} if found.paused else {})


def _sent(call: InjectionCall, injected: InjectedContext) -> str:
    """Return the text as the ledger keeps it; a prompt's save reminder is recorded by itself."""
    told = [each.shown for each in injected.sessions] + [each.shown for each in injected.commits]
    text = injected.text if injected.memories or any(told) else ""
    if call.event != "session_start" or not injected.own_line:
        return text
    return "\n".join(filter(None, (injected.own_line, text)))
