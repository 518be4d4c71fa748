"""forget, recover and erase as use cases, for one memory and for many."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from intaglio.access.redact import clean
from intaglio.base.errors import ForbiddenError, UnavailableError
from intaglio.base.text import scrub
from intaglio.lifecycle import steps
from intaglio.lifecycle.values import Candidate, Preview, Removal, Removed, Selection, Unconfirmed
from intaglio.memory import operations, rows
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.values import EraseOutcome, ForgetOutcome, Memory, RecoverOutcome
from intaglio.recall.values import Answer, Question
from intaglio.store.database import Database
from intaglio.store.segments import merge_for
from intaglio.store.turns import in_turns
from intaglio.store.tx import ReadTx, WriteTx

_AUTONOMOUS: Final = frozenset({"agent", "pipeline"})


def _cleaned(why: Audit) -> Audit:
    # A reason stands in the history like a content: "rotated the key …".
    return replace(why, reason=clean(scrub(why.reason))) if why.reason else why


def _of_version(why: Audit, versions: Mapping[str, int], memory_id: str) -> Audit:
    return replace(why, if_version=versions.get(memory_id))


def _meant(tx: ReadTx, selection: Selection, wanted: Filter, limit: int) -> list[Memory]:
    if selection.ids:
        return rows.select(tx, wanted, selection.ids, limit)
    return list(rows.page(tx, wanted, limit, None).memories)


@dataclass(frozen=True, slots=True)
class Remove:
    """Takes memories away and brings them back.

    ``retention`` is how long a forgotten memory can come back; ``recall`` answers a
    question.
    """

    db: Database
    stamp: ChangeContext
    frozen: Callable[[], bool]
    retention: Callable[[], timedelta]
    recall: Callable[[Question], Awaitable[Answer]]

    def _check(self) -> None:
        if self.frozen():
            raise UnavailableError(
                "Mutations are frozen (kill switch active)",
                hint="Set memory.pipelineV2.mutationsFrozen to false.",
            )

    def _check_erase(self, why: Audit) -> None:
        self._check()
        if why.actor.type in _AUTONOMOUS:
            raise ForbiddenError(
                "Autonomous actors may not force",
                hint="A person erases for good; forget it without force.",
                status="autonomous_force_denied",
            )

    async def forget(self, memory_id: str, why: Audit) -> ForgetOutcome:
        """Forget a memory; it can be recovered within the retention time."""
        self._check()
        told = _cleaned(why)
        return await self.db.write(lambda tx: steps.forget(tx, memory_id, told, self.stamp))

    async def erase(self, memory_id: str, why: Audit) -> EraseOutcome:
        """Delete a memory, forgotten ones too, and all that is held of it here, for good.

        Raises ForbiddenError for an actor that is no person.
        """
        self._check_erase(why)
        told = _cleaned(why)
        return await self.db.write(lambda tx: steps.erase(tx, memory_id, told, self.stamp))

    async def recover(self, memory_id: str, why: Audit) -> RecoverOutcome:
        """Bring a forgotten memory back."""
        self._check()
        told, within = _cleaned(why), self.retention()
        return await self.db.write(
            lambda tx: operations.recover(tx, memory_id, told, self.stamp, within)
        )

    async def recover_all(
        self, ids: Sequence[str], why: Audit, versions: Mapping[str, int]
    ) -> list[RecoverOutcome]:
        """Bring forgotten memories back, each for itself; return the outcomes in order."""
        self._check()
        told, within = _cleaned(why), self.retention()

        def step(tx: WriteTx, id_: str) -> RecoverOutcome:
            meant = _of_version(told, versions, id_)
            return operations.recover(tx, id_, meant, self.stamp, within)

        return await in_turns(self.db, ids, step)

    async def preview(self, selection: Selection) -> Preview:
        """List the memories that a selection means; nothing is written."""
        if selection.query is not None:
            return Preview(await self._answers(selection, selection.query))

        def work(tx: ReadTx) -> list[Memory]:
            found = _meant(tx, selection, selection.wanted, selection.limit)
            left = selection.limit - len(found)
            if selection.tombstones and left > 0:
                found += _meant(tx, selection, replace(selection.wanted, forgotten=True), left)
            return found

        found = await self.db.read(work)
        return Preview(tuple(Candidate(memory, 1.0) for memory in found))

    async def _answers(self, selection: Selection, query: str) -> tuple[Candidate, ...]:
        # To look at what would be forgotten is no use of it.
        question = Question(
            text=query, limit=selection.limit, wanted=selection.wanted, counts_as_use=False
        )
        answer = await self.recall(question)
        return tuple(
            Candidate(found.memory, found.score)
            for found in answer.found
            if not selection.ids or found.memory.id in selection.ids
        )

    async def remove(
        self, selection: Selection, why: Audit, *, force: bool, token: str | None
    ) -> Removed | Unconfirmed:
        """Forget what a selection means, or erase it with ``force``.

        A memory of which another version was seen stays. Many need the token of their preview; a
        token that is given has to fit. Raises ForbiddenError where an actor that is no person
        forces.
        """
        if force:
            self._check_erase(why)
        self._check()
        preview = await self.preview(selection)
        if token != preview.token and (token is not None or preview.needs_confirmation):
            return Unconfirmed(preview)
        ids = [each.memory.id for each in preview.candidates]
        step: Callable[[WriteTx, str, Audit, ChangeContext], Removal]
        step = steps.erase if force else steps.forget
        told, versions = _cleaned(why), selection.versions

        def one(tx: WriteTx, id_: str) -> Removal:
            return step(tx, id_, _of_version(told, versions, id_), self.stamp)

        await merge_for(self.db, ids)
        outcomes = await in_turns(self.db, ids, one)
        return Removed(tuple(zip(ids, outcomes, strict=True)))
