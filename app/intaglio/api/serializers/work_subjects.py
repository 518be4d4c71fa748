"""Names what background work is about, for those who may see it."""

from typing import Final

from intaglio.base.text import clip
from intaglio.domain.reader import PRIVATE, Reader, may_read
from intaglio.graph.values import Entity
from intaglio.projects import rows as projects
from intaglio.projects.names import display_name
from intaglio.sessions.overview import rows as sessions
from intaglio.sessions.overview.descriptions import describe
from intaglio.store.tx import ReadTx
from intaglio.wire.work_subjects import WorkSubject

_TITLE_CHARS: Final = 120


def title_of_text(text: str) -> str:
    """Return the start of a text in one line."""
    return clip(" ".join(text.split()), _TITLE_CHARS)


def entity_subject(entity: Entity | None, reader: Reader) -> WorkSubject | None:
    """Name an entity; None if it's gone, or the reader may not see it."""
    if entity is None or not may_read(reader, entity.agent_id, PRIVATE):
        return None
    return WorkSubject(kind="entity", id=entity.id, title=title_of_text(entity.name))


def session_subject(tx: ReadTx, subject: str, reader: Reader) -> WorkSubject | None:
    """Name a session by its title and project; None if it's gone, or the reader may not see it.

    The subject begins with its harness and that one's id.
    """
    harness, _, session_id = subject.partition(" ")
    number = sessions.number_of(tx, harness, session_id.partition(" ")[0])
    session = None if number is None else sessions.get(tx, number, reader)
    if session is None:
        return None
    title = describe(tx, (session,), reader)[session.number].title
    if session.project:
        project = projects.display_names(tx).get(session.project) or display_name(session.project)
        title = title if project in title else f"{title} ({project})"
    return WorkSubject(kind="session", id=str(session.number), title=title_of_text(title))
