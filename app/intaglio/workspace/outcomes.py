"""What became of the targets in a sync, and how that is recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from intaglio.base.events import Changed
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.workspace import rows
from intaglio.workspace.conflicts import ask_about, withdraw
from intaglio.workspace.values import TOPIC, BlockTarget, EditConflict, TargetRecord


@dataclass(frozen=True, slots=True)
class TargetOutcome:
    """What became of a target: its record, and what is asked about or isn't any more.

    ``is_in_workspace``: the edit of its conflict is what the workspace says, too.
    """

    target: BlockTarget
    record: TargetRecord
    wrote: bool = False
    asks: EditConflict | None = None
    has_conflict: bool = False
    retry: bool = False
    is_in_workspace: bool = False


@dataclass(frozen=True, slots=True)
class OutcomeRecorder:
    """Writes the records of targets, and changes what the inbox asks about them."""

    db: Database
    context: ChangeContext

    async def record(
        self,
        outcomes: Sequence[TargetOutcome],
        before: Mapping[str, TargetRecord],
        conflicts: Mapping[str, EditConflict],
    ) -> bool:
        """Write what became of the targets; return whether anything differs from before."""
        known = {each.id: each for each in before.values()}

        def differs(one: TargetOutcome) -> bool:
            former = known.get(self.db.as_stored(one.record.id))
            if one.target.label == "":
                return True
            same = former is not None and replace(former, synced_at=None) == replace(
                one.record,
                id=former.id,
                reason=self.db.as_stored(one.record.reason),
                hint=self.db.as_stored(one.record.hint),
                synced_at=None,
            )
            return one.wrote or not same

        changed = [
            each
            for each in outcomes
            if differs(each)
            or _is_unsettled(each, conflicts.get(self.db.as_stored(each.target.id)))
        ]
        if not changed:
            return False
        await self.db.write(lambda tx: self._write_outcomes(tx, changed, conflicts))
        return True

    def _write_outcomes(
        self, tx: WriteTx, outcomes: Sequence[TargetOutcome], conflicts: Mapping[str, EditConflict]
    ) -> None:
        current = rows.conflicts(tx)
        for each in outcomes:
            key = tx.as_stored(each.target.id)
            conflict = conflicts.get(key)
            # What the user has decided meanwhile is carried out first, by the next sync.
            if current.get(key) == conflict and not (conflict and conflict.is_to_take_back):
                self._write_conflict(tx, each, conflict)
            if each.target.label or each.record.digest is not None:
                rows.put_target(tx, each.record)
            else:
                rows.drop_target(tx, each.record.id)
        told = tuple(each.target.id for each in outcomes)
        tx.publish(Changed(TOPIC, "updated", told))

    def _write_conflict(
        self, tx: WriteTx, outcome: TargetOutcome, conflict: EditConflict | None
    ) -> None:
        if outcome.asks is not None:
            ask_about(tx, outcome.target.label, outcome.asks, conflict, self.context)
        elif conflict is None:
            return
        elif conflict.restores and outcome.has_conflict:
            rows.put_conflict(tx, replace(conflict, restores=False))
        elif _is_replaced(outcome, conflict):
            rows.put_conflict(tx, replace(conflict, is_applied=True))
        elif _is_over(outcome, conflict):
            withdraw(tx, conflict, self.context)


def is_due_again(outcome: TargetOutcome, conflicts: Mapping[str, EditConflict]) -> bool:
    """Whether the next sync shouldn't wait: a file was being saved, or an earlier edit is back."""
    conflict = conflicts.get(outcome.record.id)
    is_over = conflict is not None and _is_over(outcome, conflict)
    return outcome.retry or (is_over and bool(conflict and conflict.earlier))


def _is_unsettled(outcome: TargetOutcome, conflict: EditConflict | None) -> bool:
    """Whether what the inbox asks about a target is to change."""
    if outcome.asks is None:
        return conflict is not None and (
            (conflict.restores and outcome.has_conflict)
            or _is_over(outcome, conflict)
            or _is_replaced(outcome, conflict)
        )
    asked = outcome.asks
    return conflict is None or asked != replace(
        conflict,
        shown=asked.shown,
        path=asked.path,
        item=asked.item,
        target=asked.target,
        earlier=asked.earlier,
        kept=asked.kept,
    )


def _is_replaced(outcome: TargetOutcome, conflict: EditConflict) -> bool:
    """Whether the workspace's text stands in place of the edit, as decided; not noted yet."""
    is_decided = conflict.decision == "workspace" and not conflict.is_applied
    return is_decided and outcome.record.state == "synced"


def _is_over(outcome: TargetOutcome, conflict: EditConflict) -> bool:
    """Whether nothing is to be asked any more: an edit that couldn't be put back yet still is."""
    is_kept = outcome.has_conflict or outcome.retry or outcome.record.state == "refused"
    is_pending = conflict.restores and not outcome.is_in_workspace
    return conflict.decision is None and not is_kept and not is_pending
