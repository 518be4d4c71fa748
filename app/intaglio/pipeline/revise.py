"""Changes of memories that exist: redacted and decided before the one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from intaglio.access.redact import redact
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.base.text import scrub
from intaglio.jobs import rows as jobs
from intaglio.memory import verbs
from intaglio.memory.values import (
    KEEP,
    Change,
    Done,
    ForgetOutcome,
    ModifyOutcome,
    RecoverOutcome,
)
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class Revise:
    """Modify, forget and recover; ``retention`` is how long a forgotten memory can come back."""

    db: Database
    stamp: verbs.Stamp
    frozen: Callable[[], bool]
    retention: Callable[[], timedelta]

    def _check(self) -> None:
        if self.frozen():
            raise UnavailableError(
                "Mutations are frozen (kill switch active)",
                hint="Set memory.pipelineV2.mutationsFrozen to false.",
            )

    async def modify(self, memory_id: str, change: Change, why: verbs.Why) -> ModifyOutcome:
        """Change fields of a memory; new content is redacted and its vector is queued.

        Raises InvalidInputError for empty content, UnavailableError while writes are off.
        """
        self._check()
        if change.content is not KEEP:
            clean = redact(scrub(change.content)).text.strip()
            if not clean:
                raise InvalidInputError("content must not be empty")
            change = replace(change, content=clean)

        def work(tx: WriteTx) -> ModifyOutcome:
            outcome = verbs.modify(tx, memory_id, change, why, self.stamp)
            if isinstance(outcome, Done) and outcome.content_changed:
                jobs.enqueue(tx, "embed", memory_id, self.stamp.now)
            return outcome

        return await self.db.write(work)

    async def forget(self, memory_id: str, why: verbs.Why, *, force: bool) -> ForgetOutcome:
        """Forget a memory; it can be recovered within the retention time."""
        self._check()
        return await self.db.write(
            lambda tx: verbs.forget(tx, memory_id, why, self.stamp, force=force)
        )

    async def recover(self, memory_id: str, why: verbs.Why) -> RecoverOutcome:
        """Bring a forgotten memory back."""
        self._check()

        def work(tx: WriteTx) -> RecoverOutcome:
            outcome = verbs.recover(tx, memory_id, why, self.stamp, self.retention())
            if isinstance(outcome, Done):
                jobs.enqueue(tx, "embed", memory_id, self.stamp.now)
            return outcome

        return await self.db.write(work)
