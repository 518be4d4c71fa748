"""Sessions that were talked in, written without going through the hooks."""

from datetime import timedelta

from fakes.api import Api
from intaglio.base.clock import iso
from intaglio.sessions import rows as sessions
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.preparation import prepare
from intaglio.transcripts.values import SaidMessage, SessionOwner

SHOP = "/work/shop"


async def talked(
    api: Api, key: str, *texts: str, project: str | None = SHOP, agent: str = "default"
) -> None:
    """Store a session in which user and agent take turns."""
    now = api.kernel.clock()
    said = [
        SaidMessage(
            message_id=f"{key}-{number}",
            role="agent" if number % 2 else "user",
            text=text,
            said_at=now - timedelta(minutes=len(texts) - number),
            project=project,
        )
        for number, text in enumerate(texts)
    ]
    database = api.kernel.database
    ready = prepare(said, now, database.as_stored)

    def work(tx: WriteTx) -> None:
        sessions.touch(
            tx,
            SessionRef(harness="claude-code", id=key, agent_id=agent, project=project),
            project,
            iso(now),
        )
        transcripts.add(tx, SessionOwner("claude-code", key, agent), ready)

    await database.write(work)
