"""Tells what of the graph a session is about now, for its page."""

from intaglio.sessions.continuity import in_play_rows as rows
from intaglio.sessions.continuity.in_play_values import InPlay
from intaglio.sessions.continuity.service import snapshot_of
from intaglio.sessions.services import ContextServices
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx


async def in_play(context: ContextServices, session: SessionRef) -> InPlay:
    """Return the entities and aspects that a session is about.

    As far as its agent may be shown them in its project. The caller must have checked that its
    reader may read the session.
    """
    project = await context.visibility.project_key(session.project)
    filters = await context.visibility.filters(session.agent_id, project, is_active=False)

    def work(tx: ReadTx) -> InPlay:
        snapshot = snapshot_of(tx, session.key, filters)
        return InPlay(
            rows.entities(tx, snapshot.focal_entities), rows.aspects(tx, snapshot.active_aspects)
        )

    return await context.db.read(work)
