"""Fills the inbox in a database, while no daemon has it open: what capture would have put there."""

from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

from fakes.dashboard import Dashboard
from fakes.inbox import evidence, remember, suggest
from fakes.store import change_context
from intaglio.base.settings.values import Settings
from intaglio.graph.possible_merges import PossibleMerge, possible_merge
from intaglio.graph.query_rows import page
from intaglio.graph.values import EntityQuery
from intaglio.inbox.values import NewSuggestion
from intaglio.memory.operations import ChangeContext
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx


@contextmanager
def _writing(file: Path) -> Generator[tuple[WriteTx, ChangeContext]]:
    # Each item a minute after the one before: lists are ordered by time.
    moment = datetime.now(UTC) - timedelta(hours=3)

    def clock() -> datetime:
        nonlocal moment
        moment += timedelta(seconds=20)
        return moment

    context = change_context(clock, lambda: str(uuid4()))
    with closing(open_writer(file)) as connection:
        yield WriteTx(connection), context


@contextmanager
def _stopped(dashboard: Dashboard) -> Generator[Path]:
    """Yield the database while its daemon is stopped."""
    dashboard.stop()
    yield dashboard.daemon.paths.database
    dashboard.start_again()


def add_suggestions(dashboard: Dashboard, new: Iterable[NewSuggestion]) -> list[str]:
    """Add suggestions, the newest last, and return their ids."""
    with _stopped(dashboard) as file, _writing(file) as (tx, context):
        return [suggest(tx, context, each) for each in new]


def add_considered(dashboard: Dashboard, session: str, sentences: Iterable[str]) -> None:
    """Add what capture neither kept nor offered of a session."""
    with _stopped(dashboard) as file, _writing(file) as (tx, context):
        for number, text in enumerate(sentences):
            considered_rows.insert(tx, _considered(session, number, text, context.now))


def _considered(session: str, number: int, text: str, now: str) -> RecordedStatement:
    return RecordedStatement(
        seq=0,
        harness="claude-code",
        session_id=session,
        message_id=f"considered-{number}",
        start=0,
        end=len(text),
        said_at=now,
        recorded_at=now,
        agent_id="default",
        project="/work/lantern",
        sentence=text,
        content=text,
        type="fact",
        everywhere=False,
        confidence=0.2,
        outcome="considered",
        state="live",
        memory_id=None,
        inbox_id=None,
    )


def add_contradiction(dashboard: Dashboard, older: str, newer: str) -> tuple[str, str]:
    """Add two memories of which the newer contradicts the older; return their ids."""
    with _stopped(dashboard) as file, _writing(file) as (tx, context):
        older_id, newer_id = remember(tx, context, older), remember(tx, context, newer)
        assert contradiction(tx, newer_id, older_id, evidence(newer.lower()), context)
        return older_id, newer_id


def add_possible_merge(dashboard: Dashboard, *texts: str) -> None:
    """Add two memories that each name one service, and ask whether these are the same."""
    with _stopped(dashboard) as file, _writing(file) as (tx, context):
        linked = replace(context, settings=Settings)
        for text in texts:
            remember(tx, linked, text)
        one, other = page(tx, EntityQuery(type="service"))
        question = PossibleMerge(
            entity_id=one.id,
            other_entity_id=other.id,
            entity_type=one.type,
            agent_id=one.agent_id,
            project=one.project,
            similarity=0.78,
        )
        possible_merge(tx, question, context)
