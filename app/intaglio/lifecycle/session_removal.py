"""The use case of forgetting everything that was captured or saved in one session."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.domain.reader import Reader, may_read
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import InboxItem, ItemClosed
from intaglio.lifecycle.values import token_of
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import ForgetOutcome, Memory
from intaglio.session_notes import rows as note_rows
from intaglio.sessions.continuity import rows as checkpoints
from intaglio.sessions.past_sessions import rows as past_session_rows
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.values import SessionKey
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.removal import forget_session

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})
_MOST: Final = 10_000
_REASON: Final = "everything from its session was forgotten"


@dataclass(frozen=True, slots=True)
class SessionMemory:
    """A live memory of a session; ``elsewhere`` if it doesn't come from this session alone."""

    memory: Memory
    elsewhere: bool


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
    """Each memory's id and outcome (None if it was kept), and the dropped items."""

    outcomes: tuple[tuple[str, ForgetOutcome | None], ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionRemoval:
    """Forgets the memories of a session and drops its suggestions, for the user."""

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool] = field(repr=False)

    async def preview(self, session: SessionKey, reader: Reader) -> SessionPreview:
        """List what `forget` would remove; nothing is written."""
        return await self.db.read(lambda tx: _preview(tx, session, reader))

    async def forget(
        self, session: SessionKey, audit: Audit, token: str, *, elsewhere: bool
    ) -> SessionForgotten | SessionChanged:
        """Forget the memories and drop the suggestions that the token's preview lists.

        Memories that come from elsewhere too stay unless ``elsewhere`` is set. What was only
        considered is deleted, and so are the summary, the checkpoints and what is stored of the
        transcript, for good. Statements stay on record, so that reading the transcript again
        captures nothing. Raises ForbiddenError for an actor that isn't a person, and
        UnavailableError while writes are frozen.
        """
        self._check(audit)
        preview = await self.preview(session, audit.reader)
        if token != preview.token:
            return SessionChanged(preview)
        audit = replace(audit, reason=audit.reason or _REASON)
        gone = [each.memory.id for each in preview.memories if elsewhere or not each.elsewhere]
        await merge_for(self.db, gone)
        await self.db.write(lambda tx: considered_rows.delete_of_session(tx, *session))
        await self.db.write(lambda tx: past_session_rows.forget(tx, *session))
        await self.db.write(lambda tx: note_rows.forget(tx, *session))
        await self.db.write(lambda tx: checkpoints.forget(tx, *session))
        await forget_session(self.db, *session, self.context.now)
        outcomes = dict(
            zip(gone, await in_batches(self.db, gone, self._forgetting(audit)), strict=True)
        )
        return SessionForgotten(
            tuple((each.memory.id, outcomes.get(each.memory.id)) for each in preview.memories),
            await self._drop(preview.suggestions, audit.reader),
        )

    def _check(self, audit: Audit) -> None:
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Only the user forgets a whole session",
                hint="Ask the user to open the session in the dashboard.",
            )
        if self.frozen():
            raise writes_frozen()

    def _forgetting(self, audit: Audit) -> Callable[[WriteTx, str], ForgetOutcome]:
        return lambda tx, memory_id: operations.forget(tx, memory_id, audit, self.context)

    async def _drop(self, items: Sequence[str], reader: Reader) -> tuple[str, ...]:
        def drop(tx: WriteTx, item_id: str) -> bool:
            closed = inbox.close(tx, item_id, "drop", self.context, reader=reader)
            return isinstance(closed, ItemClosed)

        dropped = await in_batches(self.db, items, drop)
        return tuple(each for each, done in zip(items, dropped, strict=True) if done)


def _preview(tx: ReadTx, session: SessionKey, reader: Reader) -> SessionPreview:
    harness, session_id = session
    said = statements.memories_said_in(tx, harness, session_id)
    stored_id = tx.as_stored(session_id)
    found = memories.select(tx, Filter(reader=reader), list(said), _MOST)
    saved = memories.page(tx, Filter(reader=reader, session_id=stored_id), _MOST, None).memories
    evidence = {each.id: statements.of_memory(tx, each.id) for each in saved}
    found += [
        each
        for each in saved
        if each.id not in said
        # It was captured from another harness's session with the same id.
        and all(one.session_id != stored_id for one in evidence[each.id])
    ]
    return SessionPreview(
        tuple(
            SessionMemory(
                each,
                said.get(each.id, bool(evidence.get(each.id))) or each.session_id != stored_id,
            )
            for each in found
        ),
        _open_suggestions(tx, session, reader),
        transcripts.size(tx, *session).messages,
    )


def _open_suggestions(tx: ReadTx, session: SessionKey, reader: Reader) -> tuple[str, ...]:
    """Return the session's open suggestions, the agent's too, that no other session made too."""
    said = statements.items_said_in(tx, *session)
    claimed = inbox_rows.claimed_in(tx, *session, _MOST)
    items = inbox_rows.by_ids(tx, said) | {each.id: each for each in claimed}
    return tuple(
        each.id
        for each in items.values()
        # Only a suggestion has a text of its own.
        if each.content
        and each.status == "open"
        and not _is_from_elsewhere(each, (session[0], tx.as_stored(session[1])), said)
        and may_read(reader, each.agent_id, each.visibility)
    )


def _is_from_elsewhere(item: InboxItem, session: SessionKey, said: Mapping[str, bool]) -> bool:
    """Whether another session made a suggestion too.

    ``said`` tells it of those that the user's statements in this session made.
    """
    others = [each for each in item.evidence if (each.harness, each.session_id) != session]
    if item.id not in said:
        return bool(others)
    return said[item.id] or any(each.by == "agent" for each in others)
