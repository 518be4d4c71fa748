"""The job that judges captured memories again, a few at a time.

A batch reads a snapshot, judges in threads outside any transaction, and writes its results with how
far it has come in one: after kill -9, the next run continues there.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from intaglio.base.events import Changed
from intaglio.capture.judge_version import judge_version
from intaglio.capture.settings import CaptureSettings
from intaglio.jobs import rows as queue
from intaglio.jobs.job_type import Job, JobType
from intaglio.review import rows
from intaglio.review.judging import doubt_of, least_doubt, readings_of
from intaglio.review.values import Doubt, JudgeProgress, ReviewCandidate, SaidText
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import ReadTx, WriteTx

if TYPE_CHECKING:
    from intaglio.capture.values import Thresholds

CAPTURE_REVIEW: Final = JobType(name="review_captured", label="Review of captured memories")
TOPIC: Final = "capture_review"
"""The topic of changes of the list."""

_SUBJECT: Final = "captured memories"
BATCH: Final = 20
# At most a third of a core: nobody waits for the review.
_REST: Final = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureReview:
    """Runs jobs of type `review_captured`; ``seconds`` is a monotonic clock."""

    services: CaptureServices
    seconds: Callable[[], float]
    rest_s: float = field(default=0.0, init=False)

    @property
    def capacity(self) -> int:
        """No job is run while changes are disabled."""
        return 0 if self.services.frozen() else 1

    async def judge(self) -> str:
        """Return the version of the present judge: what decides, and from when on it keeps."""
        keep_at = self.services.settings().of(CaptureSettings).keep_at
        version = await self.services.in_thread(judge_version)
        return f"{version}-{keep_at:g}"

    async def queue_if_due(self) -> None:
        """Queue a review if a judge has come that hasn't reviewed all memories from before."""
        judge, now = await self.judge(), self.services.context.now

        def is_due(tx: ReadTx) -> bool:
            found = rows.progress(tx, judge)
            return found is None or found.finished_at is None

        def work(tx: WriteTx) -> None:
            rows.add_judge(tx, judge, now)
            found = rows.progress(tx, judge)
            if found is not None and rows.candidates(tx, found, 1):
                queue.enqueue(tx, CAPTURE_REVIEW, _SUBJECT, now)
            else:
                rows.advance(tx, judge, 0, now)

        if not self.services.frozen() and await self.services.db.read(is_due):
            await self.services.db.write(work)

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Judge the next memories, and queue the rest."""
        for job in jobs:
            await self._run(job)
        return len(jobs)

    async def _run(self, job: Job) -> None:
        judge = await self.judge()

        def work(tx: ReadTx) -> tuple[JudgeProgress | None, list[ReviewCandidate]]:
            found = rows.progress(tx, judge)
            return found, rows.candidates(tx, found, BATCH) if found else []

        progress, found = await self.services.db.read(work)
        verdicts: dict[str, Doubt | None] = {}
        for candidate in found:
            began = self.seconds()
            doubts = [await self._doubt(said) for said in candidate.said]
            verdicts[candidate.memory_id] = least_doubt(doubts)
            await asyncio.sleep(_REST * max(0.0, self.seconds() - began))
        await self.services.db.write(lambda tx: self._write(tx, job, progress, found, verdicts))

    async def _doubt(self, said: SaidText) -> Doubt | None:
        services = self.services
        readings = await services.in_thread(lambda: readings_of(said))
        texts = tuple(dict.fromkeys(text for one in readings for text in one.turn.to_embed))
        found = await services.clause_vectors(texts) if texts else None
        vectors = None if found is None else dict(zip(texts, found, strict=True))
        return await services.in_thread(lambda: doubt_of(readings, vectors, self._thresholds()))

    def _thresholds(self) -> "Thresholds":
        from intaglio.capture.values import Thresholds  # noqa: PLC0415 - it loads word lists

        wanted = self.services.settings().of(CaptureSettings)
        return Thresholds(wanted.keep_at, wanted.suggest_at)

    def _write(
        self,
        tx: WriteTx,
        job: Job,
        progress: JudgeProgress | None,
        found: list[ReviewCandidate],
        verdicts: dict[str, Doubt | None],
    ) -> None:
        now = self.services.context.now
        queue.complete(tx, job, now)
        if progress is None:
            # Another judge has come meanwhile; `queue_if_due` finds it.
            return
        rows.record(tx, progress.judge, verdicts, now)
        is_last = len(found) < BATCH
        position = found[-1].seq if found else progress.position
        rows.advance(tx, progress.judge, position, now if is_last else None)
        if not is_last:
            queue.enqueue(tx, CAPTURE_REVIEW, _SUBJECT, now)
        tx.publish(Changed(TOPIC, "updated", ()))
