"""Brings the block of each target to what the workspace's files say."""

import asyncio
import contextlib
import difflib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.errors import ConflictError
from intaglio.base.files.replacement import UnwritableFileError
from intaglio.connect.block_files import keep_block_files
from intaglio.connect.managed_block import ManagedBlock, digest_of, put_block, strip_block
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.workspace import rows
from intaglio.workspace.conflicts import describe
from intaglio.workspace.decisions import CannotTake, WorkspaceEdits
from intaglio.workspace.kept_texts import KeptTexts
from intaglio.workspace.outcomes import OutcomeRecorder, TargetOutcome, is_due_again
from intaglio.workspace.planning import (
    REMOVED,
    Ask,
    Leave,
    RemoveBlock,
    Situation,
    SwitchOff,
    TargetAction,
    WriteBlock,
    plan_target,
)
from intaglio.workspace.reading import SettledFiles, SettledReader
from intaglio.workspace.target_files import FoundFile, remove_block, write_block
from intaglio.workspace.targets import former_target
from intaglio.workspace.texts import body_for
from intaglio.workspace.values import (
    BlockTarget,
    EditConflict,
    OffBy,
    SyncState,
    TargetRecord,
    WorkspaceTexts,
)

_TAKES_OVER_EVERY_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, and when: the targets that were written, and all as they are now.

    ``at`` is None if none has run yet.

    ``retry``: a file was being saved, so it is to be tried again soon.
    """

    at: str | None
    written: tuple[str, ...]
    targets: tuple[tuple[BlockTarget, TargetRecord], ...]
    retry: bool = False


@dataclass(slots=True)
class _Past:
    """What the last sync did, and when blocks were taken over from others."""

    last: SyncReport | None = None
    taken_over: dict[str, float] = field(default_factory=dict[str, float])


FindTargets = Callable[[WorkspaceTexts], Awaitable[Sequence[BlockTarget]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSync:
    """The use case; one sync runs at a time."""

    workspace: Path
    db: Database
    context: ChangeContext
    kept: KeptTexts
    find_targets: FindTargets
    reader: SettledReader
    blocks_file: Path
    seconds: Callable[[], float] = monotonic_s
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _past: _Past = field(default_factory=_Past)

    @property
    def last(self) -> SyncReport | None:
        """What the last sync of this daemon did."""
        return self._past.last

    async def sync(self) -> SyncReport:
        """Sync all targets; raises UnavailableError while the database can't be written."""
        async with self._turn:
            blocked = await self._carry_out_decisions()
            reading, targets, records = await self._settled()
            conflicts = await self.db.read(rows.conflicts)
            outcomes = await asyncio.to_thread(
                self._carry_out, reading, targets, records, conflicts
            )
            outcomes = [_with_block(each, blocked) for each in outcomes]
            await asyncio.to_thread(self._list_blocks, outcomes)
            changed = await OutcomeRecorder(self.db, self.context).record(
                outcomes, records, conflicts
            )
            if changed:
                needed = await self.db.read(rows.kept_names)
                await asyncio.to_thread(self.kept.prune, needed)
            self._past.last = SyncReport(
                at=self.context.now,
                written=tuple(each.target.id for each in outcomes if each.wrote),
                targets=tuple((each.target, each.record) for each in outcomes if each.target.label),
                retry=any(is_due_again(each, conflicts) for each in outcomes),
            )
            return self._past.last

    async def switch(self, record: TargetRecord, *, enabled: bool) -> None:
        """Remember that the user has switched a target on or off; the next sync carries it out."""
        off_by: OffBy | None = None if enabled else "switch"

        def work(tx: WriteTx) -> None:
            known = rows.target(tx, record.id) or record
            # Without a digest, a missing block doesn't look like one that was taken out.
            digest = None if enabled else known.digest
            rows.put_target(tx, replace(known, off_by=off_by, digest=digest))

        # A sync that is running would write the record as it was before.
        async with self._turn:
            await self.db.write(work)

    async def known(self) -> SyncReport:
        """Return the targets with what is known of them; reads and writes none of their files."""
        texts = await asyncio.to_thread(self.reader.texts)
        records = await self.db.read(rows.targets)
        found = await self.find_targets(texts)
        return SyncReport(
            at=None,
            written=(),
            targets=tuple(
                (each, records.get(self.db.as_stored(each.id)) or self._unsynced(each))
                for each in found
            ),
        )

    def _unsynced(self, target: BlockTarget) -> TargetRecord:
        return TargetRecord(
            id=target.id,
            path=str(target.file),
            state="waiting" if target.state == "synced" else target.state,
            reason=target.reason,
            hint=target.hint,
        )

    async def preview(self, target_id: str) -> tuple[BlockTarget, str] | None:
        """Return a target and what a sync would change in its file, as a diff; None if unknown."""
        async with self._turn:
            reading, targets, records = await self._settled()
            conflicts = await self.db.read(rows.conflicts)
        for target in targets:
            if target.id == target_id:
                found = self._situation(target, reading, records, conflicts)
                return target, await asyncio.to_thread(_diff, found)
        return None

    async def _settled(self) -> tuple[SettledFiles, list[BlockTarget], dict[str, TargetRecord]]:
        texts = await asyncio.to_thread(self.reader.texts)
        records = await self.db.read(rows.targets)
        targets = self._all_targets(await self.find_targets(texts), records)
        reading = await self.reader.read(targets, records.values())
        return reading, targets, records

    def _all_targets(
        self, found: Sequence[BlockTarget], records: Mapping[str, TargetRecord]
    ) -> list[BlockTarget]:
        """Add what was a target, or a target's file, and isn't any more."""
        current = {each.id: each for each in found}
        former: list[BlockTarget] = []
        for record in records.values():
            target = current.get(record.id)
            is_other_file = target is not None and self._stored(target) != record.path
            if target is None or (is_other_file and record.digest is not None):
                former.append(replace(former_target(record), label=""))
        return [*former, *found]

    def _stored(self, target: BlockTarget) -> str:
        return self.db.as_stored(str(target.file))

    def _carry_out(
        self,
        reading: SettledFiles,
        targets: Sequence[BlockTarget],
        records: Mapping[str, TargetRecord],
        conflicts: Mapping[str, EditConflict],
    ) -> list[TargetOutcome]:
        return [self._act(self._situation(each, reading, records, conflicts)) for each in targets]

    def _list_blocks(self, outcomes: Iterable[TargetOutcome]) -> None:
        with_block = [each for each in outcomes if each.record.digest is not None]
        # Only uninstalling needs the list; what it lacks can be removed by hand.
        with contextlib.suppress(OSError):
            keep_block_files(self.blocks_file, (each.target.file for each in with_block))

    def _situation(
        self,
        target: BlockTarget,
        reading: SettledFiles,
        records: Mapping[str, TargetRecord],
        conflicts: Mapping[str, EditConflict],
    ) -> Situation:
        path = self._stored(target)
        record = records.get(self.db.as_stored(target.id)) or TargetRecord(id=target.id, path=path)
        if record.path != path:
            record = TargetRecord(id=target.id, path=path, off_by=record.off_by)
        if target.label and record.connection != target.connection:
            # Disconnecting took the block out, not the user.
            off_by = None if record.off_by == "removed" else record.off_by
            record = replace(record, digest=None, off_by=off_by, connection=target.connection)
        problems = reading.texts.unreadable
        if problems and target.state == "synced":
            target = replace(
                target, state="refused", reason=problems[0].reason, hint=problems[0].hint
            )
        conflict = conflicts.get(self.db.as_stored(target.id))
        return Situation(
            target=target,
            body=body_for(reading.texts, target.agent),
            file=reading.file_of(target),
            record=record,
            conflict=conflict,
            kept_theirs=self.kept.body(conflict.theirs) if conflict else None,
        )

    def _act(self, given: Situation) -> TargetOutcome:
        """Carry out the plan of a target; blocks."""
        action = plan_target(given)
        if isinstance(action, Leave):
            return self._left(given, action)
        if isinstance(action, SwitchOff):
            record = replace(given.record, off_by="removed")
            return self._left(replace(given, record=record), REMOVED)
        try:
            return self._change(given, action)
        except UnwritableFileError as error:
            return self._left(given, _refused(error.detail, error.hint or "", given))
        except ConflictError as error:
            left = Leave("waiting", f"{error.detail}.", error.hint or "", given.record.digest)
            return replace(self._left(given, left), retry=True)
        except OSError as error:
            why = f"{given.target.file} couldn't be written: {error}"
            return self._left(given, _refused(why, "Check the file and its folder.", given))

    def _change(self, given: Situation, action: RemoveBlock | WriteBlock | Ask) -> TargetOutcome:
        file = given.file
        if not isinstance(file, FoundFile):
            raise TypeError("only a file that was read is changed")
        match action:
            case RemoveBlock(after):
                remove_block(given.target.file, file)
                return replace(self._left(given, after), wrote=True)
            case WriteBlock(body, digest):
                if self._is_contested(given, file):
                    return self._left(given, _refused(*_CONTESTED, given))
                return self._write(given, file, body, digest)
            case Ask():
                return self._ask(given, file, action)

    def _is_contested(self, given: Situation, file: FoundFile) -> bool:
        """Whether another installation has written the block again, so soon after we did."""
        block, known = file.block, given.record.digest
        if not isinstance(block, ManagedBlock) or block.is_edited or known in {None, block.digest}:
            return False
        last = self._past.taken_over.get(given.target.id)
        now = self.seconds()
        self._past.taken_over[given.target.id] = now
        return last is not None and now - last < _TAKES_OVER_EVERY_S

    def _write(
        self, given: Situation, file: FoundFile, body: str, digest: str | None
    ) -> TargetOutcome:
        self.kept.keep_body(body)
        write_block(given.target.file, file, body, digest)
        state: SyncState = "synced" if digest is None else "conflict"
        left = Leave(state, digest=digest or digest_of(body))
        return replace(self._left(given, left), wrote=True, has_conflict=digest is not None)

    def _ask(self, given: Situation, file: FoundFile, ask: Ask) -> TargetOutcome:
        written = file.block.digest if isinstance(file.block, ManagedBlock) else ""
        base = self.kept.body(self.kept.name_of(written))
        conflict = describe(given.target, ask, base, self.kept)
        left = Leave(
            "conflict",
            "The block was edited.",
            "Decide in the inbox which text holds.",
            digest=written or None,
        )
        return replace(self._left(given, left), asks=conflict, has_conflict=True)

    def _left(self, given: Situation, left: Leave) -> TargetOutcome:
        is_synced = left.state == "synced"
        record = replace(
            given.record,
            state=left.state,
            reason=left.reason,
            hint=left.hint,
            digest=left.digest,
            off_by=None if is_synced else given.record.off_by,
            synced_at=self.context.now if is_synced else given.record.synced_at,
        )
        is_in_workspace = is_synced and given.kept_theirs == given.body
        return TargetOutcome(given.target, record, is_in_workspace=is_in_workspace)

    async def _carry_out_decisions(self) -> Mapping[str, CannotTake]:
        """Write edits to the workspace that the user took, and take back what was undone."""
        blocked: dict[str, CannotTake] = {}
        edits = WorkspaceEdits(self.workspace, self.kept)
        for each in await self.db.read(rows.unapplied):
            conflict = each
            if conflict.is_to_take_back:
                conflict = await asyncio.to_thread(edits.take_back, conflict)
            else:
                if not conflict.taken:
                    prepared = await asyncio.to_thread(edits.prepare, conflict)
                    if isinstance(prepared, CannotTake):
                        blocked[conflict.target] = prepared
                        continue
                    conflict = replace(conflict, taken=prepared)
                    await self._put(conflict)
                written = await asyncio.to_thread(edits.write, conflict)
                if isinstance(written, CannotTake):
                    blocked[conflict.target] = written
                    continue
                conflict = written
            await self._put(conflict)
        return blocked

    async def _put(self, conflict: EditConflict) -> None:
        await self.db.write(lambda tx: rows.put_carried_out(tx, conflict))


_CONTESTED: Final = (
    "Another installation of Intaglio keeps writing this block",
    "Disconnect the agent in one of the two.",
)


def _refused(reason: str, hint: str, given: Situation) -> Leave:
    return Leave("refused", f"{reason.rstrip('.')}.", hint, digest=given.record.digest)


def _with_block(outcome: TargetOutcome, blocked: Mapping[str, CannotTake]) -> TargetOutcome:
    """Say that an edit which the user took couldn't be written to the workspace."""
    why = blocked.get(outcome.target.id)
    if why is None:
        return outcome
    record = replace(outcome.record, state="refused", reason=why.reason, hint=why.hint)
    return replace(outcome, record=record, asks=None, has_conflict=True)


def _diff(given: Situation) -> str:
    file = given.file
    if not isinstance(file, FoundFile):
        return ""
    before = file.content or b""
    after = _planned(plan_target(given), before, file.content)
    name = str(given.target.file)
    lines = difflib.unified_diff(
        before.decode().splitlines(), after.decode().splitlines(), name, name, lineterm=""
    )
    return "\n".join(lines)


def _planned(action: TargetAction, before: bytes, content: bytes | None) -> bytes:
    match action:
        case WriteBlock(body) | Ask(ours=body):
            return put_block(content, body) if body else strip_block(before)
        case RemoveBlock():
            return strip_block(before)
        case Leave() | SwitchOff():
            return before
