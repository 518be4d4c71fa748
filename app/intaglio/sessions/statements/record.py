"""Records the statements of a message: memories, suggestions, evidence; in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.base.text import content_hash
from intaglio.capture.settle import Repeated, Replaced
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.inbox.values import AlreadyOpen, DroppedBefore, NewSuggestion, Suggested
from intaglio.memory import history_rows as history
from intaglio.memory import operations
from intaglio.memory import rows as memories
from intaglio.memory.operations import Audit, ChangeContext
from intaglio.memory.replacement import hand_over
from intaglio.memory.retention import scoped_hash
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import (
    WORDED,
    Actor,
    Done,
    Duplicate,
    Forgotten,
    Inserted,
    NewMemory,
)
from intaglio.pipeline.ingest import in_project
from intaglio.sessions.statements import considered_rows, rows
from intaglio.sessions.statements.reversals import Reversal
from intaglio.sessions.statements.values import (
    PlannedStatement,
    RecordedStatement,
    RelatedItem,
    StatementState,
)
from intaglio.sessions.statements.wider_scopes import wider_scope
from intaglio.sessions.statements.withdrawals import take_back_named
from intaglio.sessions.values import CaptureResult
from intaglio.store.tx import WriteTx
from intaglio.transcripts.related import rows as related

_TAKEN_BACK: Final = "taken back later in the same session"
_REPLACED: Final = "replaced by what was said later in the same session"
_SAID_TWICE: Final = "said twice in the same session"
_SAID_AGAIN: Final = "said again after it was taken back"
_MAX_CONFIDENCE: Final = 0.99
_UNTOUCHED: Final = 1
MAX_OFFERED: Final = 3
"""Most suggestions of a session: on real sessions, fewer than one is worth keeping on average."""


@dataclass(frozen=True, slots=True)
class StatementRecorder:
    """Applies planned statements; each place of a transcript only once.

    Without ``asks`` nothing reaches the inbox: a suggestion is recorded as considered.
    """

    context: ChangeContext
    settings: Callable[[], Settings]
    asks: bool = True

    def record(
        self,
        tx: WriteTx,
        planned: Sequence[PlannedStatement],
        considered: Sequence[RecordedStatement] = (),
    ) -> CaptureResult:
        """Record the statements of one message, in order; then what was only considered."""
        total = CaptureResult()
        stated = [*(one.row for one in planned), *considered]
        for harness, session_id in {(row.harness, row.session_id) for row in stated}:
            related.read_again(tx, harness, session_id)
        for one in planned:
            total += self._record(tx, one)
        for row in considered:
            is_known = rows.at(tx, row.harness, row.message_id, row.start) is not None
            if not is_known and not considered_rows.is_full(tx, row.harness, row.session_id):
                considered_rows.insert(tx, row)
        return total

    def _record(self, tx: WriteTx, one: PlannedStatement) -> CaptureResult:
        row = one.row
        place = (row.harness, row.message_id, row.start)
        if rows.at(tx, *place) is not None or considered_rows.at(tx, *place) is not None:
            return CaptureResult(known=1)
        for effect in one.effects:
            if not isinstance(effect, Repeated):
                state: StatementState = "replaced" if isinstance(effect, Replaced) else "withdrawn"
                self.take_back(tx, _earlier(tx, row, effect.earlier), state)
        if self.asks:
            take_back_named(tx, one.takes_back, row.evidence, _actor(row), self.context)
        if row.outcome == "withdrawal":
            rows.insert(tx, row)
            return CaptureResult()
        return self._related(tx, one) or self._new(tx, one)

    def _related(self, tx: WriteTx, one: PlannedStatement) -> CaptureResult | None:
        """Add the statement to what says the same already; None if nothing does any more."""
        row = one.row
        for effect in one.effects:
            said = _earlier(tx, row, effect.earlier) if isinstance(effect, Repeated) else None
            if said is not None and said.memory_id and _is_live(tx, said.memory_id):
                return _as_evidence(tx, row, said.memory_id, None)
            if said is not None and said.inbox_id and _is_open(tx, said.inbox_id):
                return self._of_item(tx, one, RelatedItem(said.inbox_id, said_before=False))
        same = one.same_memory
        if same is not None and _is_live(tx, same.id):
            if same.otherwise_worded:
                operations.raise_confidence(tx, same.id, _both(tx, same.id, row.confidence))
            if row.outcome == "kept":
                self._apply_reversal(tx, one, same.id)
            return _as_evidence(tx, row, same.id, None)
        if one.same_item is not None and _is_open(tx, one.same_item.id):
            return self._of_item(tx, one, one.same_item)
        return None

    def _of_item(self, tx: WriteTx, one: PlannedStatement, item: RelatedItem) -> CaptureResult:
        """Keep what was suggested if it is sure enough now; else it stays a suggestion."""
        if one.row.outcome == "kept" or item.said_before:
            return self._keep(tx, one, item.id)
        return _as_evidence(tx, one.row, None, item.id)

    def _new(self, tx: WriteTx, one: PlannedStatement) -> CaptureResult:
        if one.row.outcome == "kept":
            return self._keep(tx, one)
        return self._suggest(tx, one)

    def _keep(
        self, tx: WriteTx, one: PlannedStatement, item_id: str | None = None
    ) -> CaptureResult:
        """Store the memory; ``item_id`` is the suggestion that it was until now."""
        row, memory = one.row, one.memory
        if memory is None:
            return CaptureResult(refused=1)
        memory = in_project(tx, memory)
        digest = content_hash(tx.as_stored(memory.content))
        if inbox_rows.are_dropped(tx, scoped_hash(memory.scope, digest)):
            return CaptureResult(forgotten=1)
        memory_id, counts = self._insert(tx, row, memory)
        if memory_id is None:
            return counts
        rows.insert(tx, replace(row, memory_id=memory_id))
        if item_id is not None:
            rows.attach_item(tx, item_id, memory_id)
            inbox.add_evidence(tx, item_id, row.evidence)
            inbox.close(tx, item_id, "said_again", self.context, memory_id=memory_id)
        self._apply_reversal(tx, one, memory_id)
        if one.may_reach_further and self.asks:
            wider_scope(tx, memory_id, row.evidence, self.context)
        return counts

    def _apply_reversal(self, tx: WriteTx, one: PlannedStatement, memory_id: str) -> None:
        """Do what a kept statement does to older memories, in the name of its memory."""
        row = one.row
        reversal = Reversal(memory_id, row.evidence, _actor(row), self.context, asks=self.asks)
        reversal.say_again(tx, row.at)
        reversal.apply(tx, one)

    def _insert(
        self, tx: WriteTx, row: RecordedStatement, memory: NewMemory
    ) -> tuple[str | None, CaptureResult]:
        audit = Audit(_actor(row))
        outcome = operations.insert(tx, memory, audit, self.context, revive=False)
        match outcome:
            case Inserted(memory_id):
                return memory_id, CaptureResult(saved=1)
            case Duplicate(known):
                return known.id, CaptureResult(known=1)
            case Forgotten(memory_id):
                if self._restore(tx, row, memory_id):
                    return memory_id, CaptureResult(saved=1)
                return None, CaptureResult(forgotten=1)

    def _restore(self, tx: WriteTx, row: RecordedStatement, memory_id: str) -> bool:
        """Restore a memory that was taken back by words, if it was said again afterwards."""
        said = rows.of_memory(tx, memory_id) if memory_id else []
        if not said or any(each.state == "live" or each.at > row.at for each in said):
            return False
        days = timedelta(days=self.settings().of(MemorySettings).tombstone_days)
        audit = Audit(_actor(row), _SAID_AGAIN)
        outcome = operations.recover(tx, memory_id, audit, self.context, days)
        return isinstance(outcome, Done)

    def _suggest(self, tx: WriteTx, one: PlannedStatement) -> CaptureResult:
        row, memory = one.row, one.memory
        if memory is None:
            return CaptureResult(refused=1)
        if not self.asks:
            considered_rows.insert(tx, row)
            return CaptureResult()
        memory = in_project(tx, memory)
        new = NewSuggestion(
            content=memory.content,
            type=memory.type,
            agent_id=row.agent_id,
            project=row.project,
            source=memory.source,
            confidence=row.confidence,
            evidence=row.evidence,
            visibility=memory.scope.visibility,
        )
        match inbox.suggest(tx, new, self.context):
            case Suggested(item_id):
                rows.insert(tx, replace(row, inbox_id=item_id))
                if one.agent_evidence is not None:
                    inbox.add_evidence(tx, item_id, one.agent_evidence)
                return CaptureResult(suggested=int(self._leave_best(tx, row) != item_id))
            case AlreadyOpen(item_id):
                return _as_evidence(tx, row, None, item_id)
            case Duplicate(known):
                return _as_evidence(tx, row, known.id, None)
            case DroppedBefore():
                return CaptureResult(forgotten=1)

    @staticmethod
    def _leave_best(tx: WriteTx, row: RecordedStatement) -> str | None:
        """Withdraw the weakest suggestion of a session that offers too many; return its id.

        What the user has decided on counts, too. What another session also said stays.
        """
        offered = rows.offered_in(tx, row.harness, row.session_id)
        if len(offered) <= MAX_OFFERED:
            return None
        # Of equals, the latest, which come first.
        for weakest in sorted(offered, key=lambda each: each.confidence):
            said = rows.of_item(tx, weakest.id) if weakest.is_open else []
            session = (row.harness, row.session_id)
            if said and all((each.harness, each.session_id) == session for each in said):
                rows.delete(tx, [each.seq for each in said])
                inbox.delete(tx, weakest.id)
                for each in said:
                    considered_rows.insert(tx, replace(each, inbox_id=None))
                return weakest.id
        return None

    def take_back(self, tx: WriteTx, said: RecordedStatement | None, state: StatementState) -> None:
        """Forget what an earlier statement of the session became, unless more than it says so.

        A memory that the user has changed or pinned since stays.
        """
        if said is None or said.state != "live":
            return
        if said.memory_id is not None:
            reason = _TAKEN_BACK if state == "withdrawn" else _REPLACED
            if not self._has_others(tx, said, state, rows.of_memory(tx, said.memory_id)):
                self._forget(tx, said, reason)
        elif said.inbox_id is not None and not self._has_others(
            tx, said, state, rows.of_item(tx, said.inbox_id)
        ):
            inbox.close(tx, said.inbox_id, "withdrawn", self.context)

    @staticmethod
    def _has_others(
        tx: WriteTx,
        said: RecordedStatement,
        state: StatementState,
        supporting: Sequence[RecordedStatement],
    ) -> bool:
        """Set the state of this session's statements; return whether others' remain live."""
        session = (said.harness, said.session_id)
        live = [each for each in supporting if each.state == "live"]
        own = [each for each in live if (each.harness, each.session_id) == session]
        for each in own:
            rows.set_state(tx, each.seq, state)
        return len(own) < len(live)

    def _forget(self, tx: WriteTx, said: RecordedStatement, reason: str) -> None:
        """Forget a statement's memory, unless the user has changed or pinned it."""
        memory = memories.get(tx, said.memory_id or "")
        if memory is None or memory.pinned:
            return
        if memory.version == _UNTOUCHED or not history.was_changed(tx, memory.id, WORDED):
            operations.forget(tx, memory.id, Audit(_actor(said), reason), self.context)

    def merge(self, tx: WriteTx, later: RecordedStatement, earlier: RecordedStatement) -> None:
        """Make two statements of a session that say the same evidence of one thing."""
        if (later.memory_id, later.inbox_id) == (earlier.memory_id, earlier.inbox_id):
            return
        kept = earlier.memory_id or later.memory_id
        item = earlier.inbox_id if kept is None else None
        rows.attach(tx, (earlier.seq, later.seq), kept, item)
        for said in (earlier, later):
            if said.memory_id is not None and said.memory_id != kept:
                self._drop_duplicate(tx, said, kept)
            if said.inbox_id is not None and said.inbox_id != item:
                self._merge_item(tx, said, kept)
        if item is not None:
            inbox.add_evidence(tx, item, later.evidence)

    def _drop_duplicate(self, tx: WriteTx, said: RecordedStatement, kept: str | None) -> None:
        """Forget the memory of a repeated statement that has no other evidence.

        What it replaced is replaced by the one that is kept.
        """
        if not any(each.state == "live" for each in rows.of_memory(tx, said.memory_id or "")):
            if kept is not None:
                hand_over(tx, said.memory_id or "", kept)
            self._forget(tx, said, _SAID_TWICE)

    def _merge_item(self, tx: WriteTx, said: RecordedStatement, kept: str | None) -> None:
        item_id = said.inbox_id or ""
        if not any(each.state == "live" for each in rows.of_item(tx, item_id)):
            inbox.close(tx, item_id, "said_again", self.context, memory_id=kept)


def _earlier(tx: WriteTx, row: RecordedStatement, place: str) -> RecordedStatement | None:
    message_id, _, start = place.rpartition("@")
    return rows.at(tx, row.harness, message_id, int(start))


def _as_evidence(
    tx: WriteTx, row: RecordedStatement, memory_id: str | None, item_id: str | None
) -> CaptureResult:
    rows.insert(tx, replace(row, memory_id=memory_id, inbox_id=item_id))
    if item_id is not None:
        inbox.add_evidence(tx, item_id, row.evidence)
    return CaptureResult(known=1)


def _is_live(tx: WriteTx, memory_id: str) -> bool:
    memory = memories.get(tx, memory_id)
    return memory is not None and not memory.is_deleted


def _is_open(tx: WriteTx, item_id: str) -> bool:
    item = inbox_rows.get(tx, item_id)
    return item is not None and item.status == "open"


def _both(tx: WriteTx, memory_id: str, confidence: float) -> float:
    """Return how sure two separate statements of the same thing make of it."""
    memory = memories.get(tx, memory_id)
    before = memory.confidence if memory is not None else 0.0
    if before >= _MAX_CONFIDENCE:
        return before
    return min(1 - (1 - before) * (1 - confidence), _MAX_CONFIDENCE)


def _actor(row: RecordedStatement) -> Actor:
    return Actor(row.harness, "harness", row.session_id)
