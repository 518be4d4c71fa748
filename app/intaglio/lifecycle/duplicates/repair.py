"""The repair that forgets duplicates, linked to what is kept; undo restores them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.repair import Repair, RepairOptions, RepairResult
from intaglio.lifecycle.duplicates.finding import (
    DuplicateFinder,
    DuplicatePair,
    DuplicatesFound,
    ScanExtent,
    ScanPosition,
)
from intaglio.lifecycle.duplicates.settings import DuplicateSettings
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.replacement import hand_over
from intaglio.memory.values import Actor, Done
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.fts_maintenance import merge_for
from intaglio.store.tx import WriteTx

_BATCH_S: Final = 0.004
_SCAN_S: Final = 10.0
_FULL_SCAN_S: Final = 3_600.0
_ALL: Final = 1_000_000


@dataclass(slots=True, kw_only=True)
class DuplicateRepair:
    """Forgets duplicates; ``retention`` is how long these can be restored.

    A scan that runs out of time goes on where it ended the next time.
    """

    db: Database
    context: ChangeContext
    finder: DuplicateFinder
    settings: Callable[[], DuplicateSettings]
    retention: Callable[[], timedelta]
    _rest: ScanPosition | None = None

    def declare(self) -> Repair:
        """Return the declaration of the repair."""
        return Repair(
            action="deduplicate",
            title="Forget duplicates",
            text="Forgets memories that say the same as another one of the same agent and "
            "project. What you said or pinned stays, and so does the surer and older one.",
            budget="content",
            count=self._count,
            run=self._run,
            undo=self._undo,
            changes_content=True,
            is_heavy=True,
        )

    async def _find(self, options: RepairOptions, most_s: float) -> DuplicatesFound:
        settings = self.settings()
        limit = _ALL if options.everything else options.limit or settings.batch
        found = await self.finder.exact(limit)
        del found.all[limit:]
        if not options.semantic or len(found.all) >= limit:
            return found
        threshold = options.threshold or settings.threshold
        extent = ScanExtent(limit, most_s, self._rest)
        return await self.finder.in_other_words(found, threshold, extent)

    async def _count(self, options: RepairOptions) -> RepairResult:
        # Somebody waits for it.
        found = await self._find(options, _SCAN_S)
        return _result(found.all, "would be forgotten", found)

    async def _run(self, options: RepairOptions) -> RepairResult:
        found = await self._find(options, _FULL_SCAN_S if options.everything else _SCAN_S)
        await merge_for(self.db, found.all)
        # By what Intaglio forgets itself, nothing that is said again counts as unwanted.
        audit = Audit(Actor(options.actor, "daemon", options.session_id, options.request_id))

        def step(tx: WriteTx, duplicate: DuplicatePair) -> bool:
            return self._forget(tx, duplicate, audit)

        outcomes = await in_batches(self.db, found.all, step, _BATCH_S)
        self._rest = found.rest
        done = [each for each, gone in zip(found.all, outcomes, strict=True) if gone]
        return _result(done, "forgotten", found, undo=json.dumps([each.gone for each in done]))

    def _forget(self, tx: WriteTx, duplicate: DuplicatePair, audit: Audit) -> bool:
        """Forget a duplicate, unless it or what is kept has changed since they were compared."""
        kept, gone = (memories.get(tx, each) for each in (duplicate.kept, duplicate.gone))
        if kept is None or kept.is_deleted or kept.version != duplicate.kept_version:
            return False
        if gone is None or gone.is_deleted or gone.version != duplicate.gone_version or gone.pinned:
            return False
        hand_over(tx, gone.id, kept.id)
        audit = replace(audit, reason="says the same as another memory")
        outcome = operations.forget(tx, gone.id, audit, self.context, same_as=kept.id)
        return isinstance(outcome, Done)

    async def _undo(self, data: str, options: RepairOptions) -> RepairResult:
        ids: list[str] = json.loads(data)
        actor = Actor(options.actor, options.actor_type, options.session_id, options.request_id)
        audit, within = Audit(actor, options.reason), self.retention()

        def step(tx: WriteTx, memory_id: str) -> bool:
            outcome = operations.recover(tx, memory_id, audit, self.context, within)
            return isinstance(outcome, Done)

        restored = sum(await in_batches(self.db, ids, step, _BATCH_S))
        return RepairResult(
            affected=restored,
            message=f"{restored} of {count_of(len(ids), 'memory', 'memories')} restored",
        )


def _result(
    duplicates: list[DuplicatePair], what: str, found: DuplicatesFound, undo: str = ""
) -> RepairResult:
    clusters = len({each.kept for each in duplicates})
    found_ones = count_of(len(duplicates), "duplicate", "duplicates")
    message = f"{found_ones} of {count_of(clusters, 'memory', 'memories')} {what}"
    if found.rest is not None:
        message += "; there may be more"
    return RepairResult(
        affected=len(duplicates),
        message=message,
        clusters=clusters,
        undo=undo if duplicates else "",
    )
