"""Writes the ledger of what sessions were shown, after the text is decided and unawaited.

While capture is paused nothing is written; what was shown is then only kept in mind.
"""

import json
from dataclasses import dataclass

from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.sessions import rows
from intaglio.sessions.pauses.pause import standing
from intaglio.sessions.values import Needs, SessionRef, Shown
from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class Call:
    """A hook call: ``event`` is session_start or prompt, ``began`` a reading of ``seconds``."""

    event: str
    project: str | None
    began: float
    source: str | None = None
    prompt_id: str | None = None


def write(needs: Needs, session: SessionRef, call: Call, shown: Shown) -> None:
    """Record the call and that the session lives; whatever fails, the reply does not.

    Nobody waits for it: while a database is checked, writes wait and replies must not.
    """
    now = needs.clock()
    at = iso(now)
    injection = rows.Injection(
        event=call.event,
        source=call.source or None,
        prompt_id=call.prompt_id,
        project=call.project,
        terms=json.dumps(shown.terms, ensure_ascii=False) if shown.terms else None,
        entries=shown.entries,
        elapsed_ms=round((needs.seconds() - call.began) * 1000, 3),
        at=at,
    )

    def work(tx: WriteTx) -> None:
        if injection.source in {"clear", "compact"}:
            needs.unwritten.drop(session.key)
        if standing(tx, now).paused:
            ids = [memory.id for memory in shown.memories]
            needs.unwritten.note(session.key, call.event, ids, at)
            return
        rows.touch(tx, session, call.project, at)
        rows.revive(tx, session, at)
        if call.event == "prompt":
            rows.count_prompt(tx, session)
        rows.record(tx, session, injection)

    try:
        needs.later(needs.db.write(work))
    except UnavailableError:
        # Read-only or overfull: the state says so elsewhere, and the session has its text.
        return


def in_context(needs: Needs, tx: ReadTx, session: SessionRef) -> dict[str, str]:
    """Return the memories that the session still holds, and when it was shown them."""
    return rows.in_context(tx, session) | needs.unwritten.in_context(session.key)


def is_known(needs: Needs, tx: ReadTx, session: SessionRef) -> bool:
    """Whether the session was shown its start before."""
    return needs.unwritten.is_known(session.key) or rows.is_known(tx, session)


async def describe(needs: Needs, **attributes: str) -> dict[str, str]:
    """Return what stands at the fence: these attributes, and that capture is paused."""
    now = needs.clock()
    found = await needs.db.read(lambda tx: standing(tx, now))
    return attributes | ({"capture": "paused"} if found.paused else {})
