"""Changes of memories that exist: redacted and decided before the one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from intaglio.access.redact import clean
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


def _clean_change(change: Change) -> Change:
    if change.tags is not KEEP:
        change = replace(change, tags=tuple(clean(tag) for tag in change.tags))
    if change.content is KEEP:
        return change
    content = clean(scrub(change.content)).strip()
    if not content:
        raise InvalidInputError("content must not be empty")
    return replace(change, content=content)


def _clean_why(why: verbs.Why) -> verbs.Why:
    # A reason stands in the history like a content: "rotated the key …".
    return replace(why, reason=clean(scrub(why.reason))) if why.reason else why


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
        clean_change, clean_why = _clean_change(change), _clean_why(why)

        def work(tx: WriteTx) -> ModifyOutcome:
            outcome = verbs.modify(tx, memory_id, clean_change, clean_why, self.stamp)
            if isinstance(outcome, Done) and outcome.content_changed:
                jobs.enqueue(tx, "embed", memory_id, self.stamp.now)
            return outcome

        return await self.db.write(work)

    async def forget(self, memory_id: str, why: verbs.Why, *, force: bool) -> ForgetOutcome:
        """Forget a memory; it can be recovered within the retention time."""
        self._check()
        clean_why = _clean_why(why)
        return await self.db.write(
            lambda tx: verbs.forget(tx, memory_id, clean_why, self.stamp, force=force)
        )

    async def recover(self, memory_id: str, why: verbs.Why) -> RecoverOutcome:
        """Bring a forgotten memory back."""
        self._check()
        clean_why = _clean_why(why)

        def work(tx: WriteTx) -> RecoverOutcome:
            outcome = verbs.recover(tx, memory_id, clean_why, self.stamp, self.retention())
            if isinstance(outcome, Done):
                jobs.enqueue(tx, "embed", memory_id, self.stamp.now)
            return outcome

        return await self.db.write(work)
