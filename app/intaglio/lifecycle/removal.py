"""The use cases forget, restore and erase, for one memory and for many, and reinstate."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from intaglio.base.errors import ForbiddenError, writes_frozen
from intaglio.base.text import scrub
from intaglio.lifecycle.values import (
    Preview,
    RemovalCandidate,
    RemovalOutcome,
    RemovalResult,
    Selection,
    Unconfirmed,
)
from intaglio.memory import operations, replacement, rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import (
    EraseOutcome,
    ForgetOutcome,
    Memory,
    RecoverOutcome,
    ReinstateOutcome,
    RetireOutcome,
)
from intaglio.recall.values import Answer, Question
from intaglio.redaction.redact import clean
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import ReadTx, WriteTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})


def _cleaned(audit: Audit) -> Audit:
    # A reason is stored in the history and may contain a secret: "rotated the key …".
    return replace(audit, reason=clean(scrub(audit.reason))) if audit.reason else audit


def _of_version(audit: Audit, versions: Mapping[str, int], memory_id: str) -> Audit:
    return replace(audit, if_version=versions.get(memory_id))


def _select(tx: ReadTx, selection: Selection, filters: Filter, limit: int) -> list[Memory]:
    if selection.ids:
        return rows.select(tx, filters, selection.ids, limit)
    return list(rows.page(tx, filters, limit, None).memories)


@dataclass(frozen=True, slots=True)
class RemovalService:
    """Forgets, erases, restores and reinstates memories.

    ``retention`` is how long a forgotten memory can be restored; ``recall`` answers a question.
    """

    db: Database
    context: ChangeContext
    frozen: Callable[[], bool]
    retention: Callable[[], timedelta]
    recall: Callable[[Question], Awaitable[Answer]]

    def _check(self) -> None:
        if self.frozen():
            raise writes_frozen()

    def _check_erase(self, audit: Audit) -> None:
        self._check()
        if audit.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Autonomous actors may not force",
                hint="Only a person can erase permanently. Forget it without force.",
                status="autonomous_force_denied",
            )

    async def forget(self, memory_id: str, audit: Audit) -> ForgetOutcome:
        """Forget a memory; it can be restored until its retention period expires."""
        self._check()
        cleaned = _cleaned(audit)
        return await self.db.write(
            lambda tx: operations.forget(tx, memory_id, cleaned, self.context)
        )

    async def erase(self, memory_id: str, audit: Audit) -> EraseOutcome:
        """Erase a live or forgotten memory permanently, with everything stored about it.

        Raises ForbiddenError for an actor that isn't a person.
        """
        self._check_erase(audit)
        cleaned = _cleaned(audit)
        return await self.db.write(
            lambda tx: operations.erase(tx, memory_id, cleaned, self.context)
        )

    async def recover(self, memory_id: str, audit: Audit) -> RecoverOutcome:
        """Restore a forgotten memory."""
        self._check()
        cleaned, within = _cleaned(audit), self.retention()
        return await self.db.write(
            lambda tx: operations.recover(tx, memory_id, cleaned, self.context, within)
        )

    async def retire(self, memory_id: str, audit: Audit) -> RetireOutcome:
        """Mark a memory as outdated: it is kept, and no longer told."""
        self._check()
        cleaned = _cleaned(audit)
        return await self.db.write(
            lambda tx: replacement.retire(tx, memory_id, cleaned, self.context)
        )

    async def reinstate(self, memory_id: str, audit: Audit) -> ReinstateOutcome:
        """Make a replaced or outdated memory current again."""
        self._check()
        cleaned = _cleaned(audit)
        return await self.db.write(
            lambda tx: replacement.reinstate(tx, memory_id, cleaned, self.context)
        )

    async def recover_all(
        self, ids: Sequence[str], audit: Audit, versions: Mapping[str, int]
    ) -> list[RecoverOutcome]:
        """Restore forgotten memories independently; return the outcomes in order."""
        self._check()
        cleaned, within = _cleaned(audit), self.retention()

        def step(tx: WriteTx, id_: str) -> RecoverOutcome:
            versioned = _of_version(cleaned, versions, id_)
            return operations.recover(tx, id_, versioned, self.context, within)

        return await in_batches(self.db, ids, step)

    async def preview(self, selection: Selection) -> Preview:
        """List the memories that a selection matches; nothing is written."""
        if selection.query is not None:
            return Preview(await self._answers(selection, selection.query))

        def work(tx: ReadTx) -> list[Memory]:
            found = _select(tx, selection, selection.filters, selection.limit)
            left = selection.limit - len(found)
            if selection.tombstones and left > 0:
                found += _select(tx, selection, replace(selection.filters, forgotten=True), left)
            return found

        found = await self.db.read(work)
        return Preview(tuple(RemovalCandidate(memory, 1.0) for memory in found))

    async def _answers(self, selection: Selection, query: str) -> tuple[RemovalCandidate, ...]:
        # A preview doesn't count as use of the memories.
        question = Question(
            text=query, limit=selection.limit, filters=selection.filters, counts_as_use=False
        )
        answer = await self.recall(question)
        return tuple(
            RemovalCandidate(found.memory, found.score)
            for found in answer.hits
            if not selection.ids or found.memory.id in selection.ids
        )

    async def remove(
        self, selection: Selection, audit: Audit, *, force: bool, token: str | None
    ) -> RemovalResult | Unconfirmed:
        """Forget the selected memories or, with ``force``, erase them.

        A memory with a different version than expected is kept. Many memories need the token of
        their preview; a given token must always match. Raises ForbiddenError if an actor that
        isn't a person uses force.
        """
        if force:
            self._check_erase(audit)
        self._check()
        preview = await self.preview(selection)
        if token != preview.token and (token is not None or preview.needs_confirmation):
            return Unconfirmed(preview)
        ids = [each.memory.id for each in preview.candidates]
        step: Callable[[WriteTx, str, Audit, ChangeContext], RemovalOutcome]
        step = operations.erase if force else operations.forget
        cleaned, versions = _cleaned(audit), selection.versions

        def one(tx: WriteTx, id_: str) -> RemovalOutcome:
            return step(tx, id_, _of_version(cleaned, versions, id_), self.context)

        await merge_for(self.db, ids)
        outcomes = await in_batches(self.db, ids, one)
        return RemovalResult(tuple(zip(ids, outcomes, strict=True)))
