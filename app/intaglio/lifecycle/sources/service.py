"""The use case of taking back all that came from one source, for the user; and of undoing that."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.errors import ConflictError, ForbiddenError, NotFoundError, writes_frozen
from intaglio.base.events import Changed
from intaglio.lifecycle.sources import contents, rows
from intaglio.lifecycle.sources.execution import RemovalLocks, RemovalUndo
from intaglio.lifecycle.sources.values import (
    TOPIC,
    MemoryOrigin,
    OriginChanged,
    OriginCount,
    OriginPreview,
    RemovalRecord,
)
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit
from intaglio.memory.values import AGENT_ACTORS, Actor
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import Ready

_AUTONOMOUS: Final = AGENT_ACTORS | {"pipeline"}
_SHOWN: Final = 200
_REASON: Final = "its source was taken back"


@dataclass(frozen=True, slots=True)
class SourceRemovals:
    """Takes sources back, one after another.

    The work is done on ``background``; ``patience_s`` is how long a caller waits for its end.
    """

    undoing: RemovalUndo
    frozen: Callable[[], bool]
    background: BackgroundTasks
    patience_s: float = 2.0

    @property
    def locks(self) -> RemovalLocks:
        """What everybody who plans or carries out removals holds."""
        return self.undoing.remover.locks

    @property
    def _db(self) -> Database:
        return self.undoing.remover.db

    async def sources(self) -> list[OriginCount]:
        """List the sources other than sessions, those with most memories first."""
        return await self._db.read(contents.all_sources)

    async def preview(self, origin: MemoryOrigin, actor: Actor) -> OriginPreview:
        """Return what taking a source back would remove; nothing is written.

        Raises NotFoundError if nothing is there that came from it, and ForbiddenError for an actor
        that isn't a person: it shows memories of all agents.
        """
        _check_person(actor)
        found = await self._db.read(lambda tx: _look_at(tx, origin))
        if found is None:
            raise NotFoundError(
                f"Nothing is here that came from this {origin.kind}",
                hint="List the sources to see which can be taken back.",
            )
        return found

    async def take_back(
        self,
        origin: MemoryOrigin,
        actor: Actor,
        token: str,
        *,
        elsewhere: bool = False,
        reason: str = "",
    ) -> RemovalRecord | OriginChanged:
        """Take back what the token's preview lists; the record says whether that is complete.

        Memories that come from elsewhere too, and those that the user confirmed, stay unless
        ``elsewhere`` is set; pinned ones always do. Raises NotFoundError, ForbiddenError for an
        actor that isn't a person, and UnavailableError while writes are frozen.
        """
        self._check(actor)
        async with self.locks.planning:
            for each in await self._db.read(rows.unfinished):
                if each.origin == origin:
                    raise ConflictError(
                        "This source is already being taken back, or restored",
                        hint="List what was taken back to see when that is done.",
                    )
            preview = await self.preview(origin, actor)
            if token != preview.token:
                return OriginChanged(preview)
            audit = Audit(actor, reason or _REASON)
            begun = await self.undoing.remover.begin(preview, audit, elsewhere=elsewhere)
        return await self._worked_on(begun)

    async def undo(self, removal_id: str, actor: Actor) -> RemovalRecord:
        """Undo a removal: what it forgot and dropped comes back, as far as that is still possible.

        Raises NotFoundError, and ConflictError if it isn't complete or is undone already.
        """
        self._check(actor)

        def begin(tx: WriteTx) -> RemovalRecord:
            found = rows.get(tx, removal_id)
            if found is None or found.state == "planned":
                raise NotFoundError(
                    "Nothing with this id was taken back",
                    hint="List what was taken back to see the ids.",
                )
            if found.state == "running":
                raise ConflictError(
                    "This source is still being taken back", hint="Undo it when that is done."
                )
            if found.state != "done":
                raise ConflictError(
                    "This was already undone", hint="There is nothing left to undo."
                )
            rows.begin_undo(tx, found.seq, self.undoing.remover.context.now)
            tx.publish(Changed(TOPIC, "updated", (found.id,)))
            return found

        return await self._worked_on(await self._db.write(begin))

    async def latest(self, limit: int) -> list[RemovalRecord]:
        """List what was taken back, newest first."""
        return await self._db.read(lambda tx: rows.latest(tx, limit))

    async def resume(self) -> None:
        """Go on with what was interrupted; does nothing while writes are impossible."""
        if not isinstance(self._db.state, Ready) or self.frozen():
            return
        async with self.locks.planning:
            await self._db.write(rows.delete_planned)
        async with self.locks.working:
            for record in await self._db.read(rows.unfinished):
                if record.state == "undoing":
                    await self.undoing.carry_out(record)
                else:
                    await self.undoing.remover.carry_out(record)

    async def _worked_on(self, begun: RemovalRecord) -> RemovalRecord:
        """Return a record once its work is done, or as it is after a while."""
        done = asyncio.Event()

        async def work() -> None:
            try:
                await self.resume()
            finally:
                done.set()

        self.background.start(work())
        try:
            async with asyncio.timeout(self.patience_s):
                await done.wait()
        except TimeoutError:
            pass

        def now(tx: ReadTx) -> RemovalRecord:
            return rows.get(tx, begun.id) or begun

        return await self._db.read(now)

    def _check(self, actor: Actor) -> None:
        _check_person(actor)
        if self.frozen():
            raise writes_frozen()


def _check_person(actor: Actor) -> None:
    if actor.type in _AUTONOMOUS:
        raise ForbiddenError(
            "Only the user takes a source back",
            hint="Ask the user to do it in the dashboard or with `intaglio take-back`.",
        )


def _look_at(tx: ReadTx, origin: MemoryOrigin) -> OriginPreview | None:
    found = contents.look_at(tx, origin)
    if found is None:
        return None
    first = [each.id for each in found.contents.memories[:_SHOWN]]
    texts = memories.by_ids(tx, first)
    return replace(found, shown=tuple(texts[each] for each in first))
