"""The use case of forgetting everything that was captured or saved in one session."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.domain.reader import Reader
from intaglio.lifecycle.sources import rows
from intaglio.lifecycle.sources.contents import of_sessions, session_label
from intaglio.lifecycle.sources.execution import RemovalLocks, SourceRemover
from intaglio.lifecycle.sources.values import (
    ItemOutcome,
    MemoryOrigin,
    OriginContents,
    OriginPreview,
    StayReason,
)
from intaglio.lifecycle.values import token_of
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import Memory
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.values import SessionKey
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})
_REASON: Final = "everything from its session was forgotten"


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """A live memory of a session; ``stays`` says why it isn't forgotten with it by itself."""

    memory: Memory
    stays: StayReason | None

    @property
    def elsewhere(self) -> bool:
        """Whether it doesn't come from this session alone: the user's own act counts, too."""
        return self.stays in {"elsewhere", "confirmed"}


@dataclass(frozen=True, slots=True)
class SessionPreview:
    """What forgetting a session would remove: its memories, and its open suggestions by id.

    ``messages`` is how many of its transcript are stored, which changes nothing of the token.
    """

    memories: tuple[SessionMemory, ...]
    suggestions: tuple[str, ...]
    messages: int = 0

    @property
    def token(self) -> str:
        """The token that confirms exactly these."""
        return token_of((*(each.memory.id for each in self.memories), *self.suggestions))


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """The session isn't as it was previewed; nothing was done."""

    preview: SessionPreview


@dataclass(frozen=True, slots=True)
class SessionForgotten:
    """Each memory's id and what became of it, and the dropped items."""

    outcomes: tuple[tuple[str, ItemOutcome], ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """Forgets the memories of a session and drops its suggestions, for the user.

    ``locks`` are those of all removals of sources, which this is one of.
    """

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool] = field(repr=False)
    locks: RemovalLocks = field(default_factory=RemovalLocks)

    async def preview(self, session: SessionKey, reader: Reader) -> SessionPreview:
        """List what `forget` would remove; nothing is written."""
        return (await self.db.read(lambda tx: _look_at(tx, session, reader)))[1]

    async def forget(
        self, session: SessionKey, audit: Audit, token: str, *, elsewhere: bool
    ) -> SessionForgotten | SessionChanged:
        """Forget the memories and drop the suggestions that the token's preview lists.

        Memories that come from elsewhere too, and those that the user confirmed, stay unless
        ``elsewhere`` is set. What was only considered is deleted, and so are the summary, the
        checkpoints and what is stored of the transcript, for good. Statements stay on record, so
        that reading the transcript again captures nothing. Raises ForbiddenError for an actor that
        isn't a person, and UnavailableError while writes are frozen.
        """
        self._check(audit)
        remover = SourceRemover(self.db, self.context, self.locks)
        async with self.locks.planning:
            found, preview = await self.db.read(lambda tx: _look_at(tx, session, audit.reader))
            if token != preview.token:
                return SessionChanged(preview)
            audit = replace(audit, reason=audit.reason or _REASON)
            record = await remover.begin(found, audit, elsewhere=elsewhere)
        async with self.locks.working:
            # What went on with interrupted ones may have carried it out already.
            if await self.db.read(lambda tx: rows.is_running(tx, record.seq)):
                await remover.carry_out(record)
        items, dropped = await self.db.read(
            lambda tx: (
                rows.items(tx, record.seq, "memory"),
                rows.items(tx, record.seq, "suggestion", "dropped"),
            )
        )
        done: dict[str, ItemOutcome] = {each.id: each.outcome for each in items}
        return SessionForgotten(
            tuple((each.memory.id, done[each.memory.id]) for each in preview.memories),
            tuple(each.id for each in dropped),
        )

    def _check(self, audit: Audit) -> None:
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Only the user forgets a whole session",
                hint="Ask the user to open the session in the dashboard.",
            )
        if self.frozen():
            raise writes_frozen()


def _look_at(
    tx: ReadTx, session: SessionKey, reader: Reader
) -> tuple[OriginPreview, SessionPreview]:
    contents = of_sessions(tx, (session,), reader)
    origin = MemoryOrigin("session", str(past_sessions.page_number(tx, *session)))
    label = session_label(tx, session)
    return OriginPreview(origin, label, contents), _with_texts(tx, contents)


def _with_texts(tx: ReadTx, contents: OriginContents) -> SessionPreview:
    found = memories.by_ids(tx, [each.id for each in contents.memories])
    return SessionPreview(
        tuple(SessionMemory(found[each.id], each.stays) for each in contents.memories),
        contents.suggestions,
        contents.messages,
    )
