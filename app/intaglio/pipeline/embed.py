"""The embed stage: vectors for new contents, in the background, whatever the provider does."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, TypeAlias

from intaglio.base.clock import iso
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.inference.contained import contained
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded
from intaglio.jobs import rows as jobs_rows
from intaglio.jobs import rules
from intaglio.jobs.values import Job
from intaglio.memory.embeddings import rows
from intaglio.memory.embeddings.values import Identity, Text, Waiting
from intaglio.memory.verbs import Stamp
from intaglio.store import quantise
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.vector_values import Model

LEASED: Final = 32
BATCH: Final = 8
TIMEOUT_S: Final = 60.0
_BACKFILL: Final = 500
# The provider keeps its own deadline; this much later it is taken for hanging.
_GRACE_S: Final = 5.0
# A model that cannot work before the daemon starts anew is asked again only this often.
_LASTING_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class Status:
    """How far the store is embedded, and what is wrong with the provider, if anything is."""

    model: str
    live: int
    embedded: int
    pending: int
    dead: int
    trouble: str
    rest_s: float


@dataclass(frozen=True, slots=True)
class _Task:
    job: Job
    text: Text


@dataclass(frozen=True, slots=True)
class _Failed:
    reason: str
    lasting: bool = False


_Asked: TypeAlias = "list[array[float]] | _Failed"


@dataclass(slots=True, kw_only=True)
class Embed:
    """Turns embed jobs into stored vectors.

    A call that fails rests the whole stage, with a back-off, and its jobs go back uncounted: the
    provider is to blame. A text that was in a failed call is tried alone from then on, and when
    it fails right after another succeeded, it is to blame itself; only that counts as its
    attempt. So an outage gives up no job, and one odd text holds up no other for long.
    """

    db: Database
    embedder: Embedder
    stamp: Stamp
    random: Callable[[], float]
    monotonic_s: Callable[[], float]
    on_model: Callable[[Model], None]
    timeout_s: float = TIMEOUT_S
    grace_s: float = _GRACE_S
    _model: Model | None = None
    _failures: int = 0
    _resting_until: float = 0.0
    _well: bool = False
    _trouble: str = ""

    @property
    def rest_s(self) -> float:
        """In how many seconds the provider is tried again; 0 when it is in use."""
        return max(0.0, self._resting_until - self.monotonic_s())

    @property
    def room(self) -> int:
        """How many jobs are taken at once now."""
        if self.rest_s > 0:
            return 0
        return 1 if self._failures else LEASED

    @property
    def trouble(self) -> str:
        """What the provider's last call failed with; nothing when it succeeded."""
        return self._trouble

    @property
    def _identity(self) -> Identity:
        known = self.embedder.identity
        return Identity(known.provider, known.model, known.sha256, known.dimensions)

    async def begin(self) -> int:
        """Take up the model's stored vectors and queue what has none; return how many.

        Vectors of other models are deleted once nothing misses one of this model.
        """
        identity = self._identity
        self._use(await self.db.read(lambda tx: rows.find_model(tx, identity)))
        after, found = -1, 0
        while missing := await self._missing(after):
            after, found = missing[-1].seq, found + len(missing)
            await self._enqueue([each.id for each in missing])
        if found == 0:
            await self._delete_others()
        return found

    async def _missing(self, after: int) -> list[Waiting]:
        return await self.db.read(lambda tx: rows.without(tx, self._model, after, _BACKFILL))

    async def _enqueue(self, ids: Sequence[str]) -> None:
        def work(tx: WriteTx) -> None:
            # What an earlier provider, or this one then, was to blame for may go well now.
            jobs_rows.revive(tx, "embed", self.stamp.now)
            jobs_rows.hasten(tx, "embed")
            for id_ in ids:
                jobs_rows.enqueue(tx, "embed", id_, self.stamp.now)

        await self.db.write(work)

    async def _delete_others(self) -> None:
        model = self._model
        left = _BACKFILL
        while model is not None and left == _BACKFILL:
            left = await self.db.write(lambda tx: rows.delete_others(tx, model, _BACKFILL))

    def _use(self, model: Model | None) -> None:
        self._model = model
        if model is not None:
            self.on_model(model)

    async def run(self, jobs: tuple[Job, ...]) -> None:
        """Embed what the jobs name and end each of them."""
        by_id = {job.subject: job for job in jobs}
        texts = await self.db.read(lambda tx: rows.texts(tx, list(by_id), self._model))
        tasks = [_Task(by_id[text.id], text) for text in texts]
        missing = [job for job in jobs if job.subject not in {text.id for text in texts}]
        ready = [task for task in tasks if task.text.known]
        if missing or ready:
            await self.db.write(lambda tx: self._end(tx, missing, ready))
        # Texts of about one length waste no time on padding.
        todo = sorted(
            (task for task in tasks if not task.text.known), key=lambda t: len(t.text.content)
        )
        parts = _parts(todo)
        while parts and self.rest_s == 0:
            await self._batch(parts.pop(0))
        left = [task.job for part in parts for task in part]
        if left:
            await self.db.write(lambda tx: _release(tx, left, None, None))

    def _end(self, tx: WriteTx, missing: Sequence[Job], ready: Sequence[_Task]) -> None:
        for job in missing:
            jobs_rows.complete(tx, job)
        for task in ready:
            if self._model is not None:
                rows.mark(tx, self._model, task.text.digest)
            _complete(tx, task)
        _tell(tx, ready)

    async def _batch(self, tasks: Sequence[_Task]) -> None:
        outcome = await self._ask([task.text.content for task in tasks])
        if isinstance(outcome, _Failed):
            await self._failed(tasks, outcome)
            return
        self._succeeded()
        model = await self.db.write(lambda tx: self._write(tx, tasks, outcome))
        if model != self._model:
            self._use(model)

    async def _ask(self, texts: Sequence[str]) -> _Asked:
        outcome = await contained(
            self.embedder, texts, timeout_s=self.timeout_s, grace_s=self.grace_s
        )
        match outcome:
            case NotEmbedded():
                return _Failed(outcome.detail or outcome.reason, outcome.lasting)
            case Embedded():
                return self._checked([vector.tolist() for vector in outcome.vectors], len(texts))

    def _checked(self, vectors: Sequence[Sequence[float]], wanted: int) -> _Asked:
        if len(vectors) != wanted:
            return _Failed(f"{len(vectors)} vectors for {wanted} texts")
        size = self.embedder.identity.dimensions
        faults = [fault for vector in vectors if (fault := quantise.fault(vector, size))]
        return _Failed(faults[0]) if faults else [quantise.unit(vector) for vector in vectors]

    def _write(
        self, tx: WriteTx, tasks: Sequence[_Task], vectors: Sequence[Sequence[float]]
    ) -> Model:
        identity = self._identity
        model = rows.find_model(tx, identity) or rows.add_model(
            tx, identity, quantise.scale_for(vectors), self.stamp.now
        )
        for task, vector in zip(tasks, vectors, strict=True):
            if rows.has_content(tx, task.text):
                rows.put(tx, model, task.text.digest, quantise.quantise(vector, model.scale))
                rows.mark(tx, model, task.text.digest)
            _complete(tx, task)
        _tell(tx, tasks)
        return model

    def _succeeded(self) -> None:
        if self._trouble:
            get_logger("pipeline").info("the embedding provider answers again")
        self._failures, self._trouble, self._well = 0, "", True

    async def _failed(self, tasks: Sequence[_Task], failed: _Failed) -> None:
        own_fault = len(tasks) == 1 and self._well and not failed.lasting
        self._well = False
        if not self._trouble:
            get_logger("pipeline").warning("the embedding provider failed", reason=failed.reason)
        self._trouble = failed.reason
        jobs = [task.job for task in tasks]
        if own_fault:
            await self.db.write(lambda tx: self._count(tx, jobs[0], failed.reason))
            return
        self._failures += 1
        rest = rules.delay_s(self._failures - 1, self.random())
        rest = _LASTING_S if failed.lasting else rest
        self._resting_until = self.monotonic_s() + rest
        later = iso(self.stamp.clock() + timedelta(seconds=rest))
        await self.db.write(lambda tx: _release(tx, jobs, later, failed.reason))

    def _count(self, tx: WriteTx, job: Job, reason: str) -> None:
        now = self.stamp.clock()
        outcome = rules.after_failure(job.attempts, job.max_attempts, now, self.random())
        jobs_rows.fail(tx, job, outcome, reason, now)

    async def status(self) -> Status:
        """Say how far the store is embedded; counts all rows, so not for every request."""

        def work(tx: ReadTx) -> Status:
            covered = rows.coverage(tx, self._model)
            waiting = jobs_rows.counts(tx, "embed")
            return Status(
                model=self.embedder.identity.model,
                live=covered.live,
                embedded=covered.embedded,
                pending=waiting.pending + waiting.leased,
                dead=waiting.dead,
                trouble=self._trouble,
                rest_s=self.rest_s,
            )

        return await self.db.read(work)


def _parts(tasks: Sequence[_Task]) -> list[list[_Task]]:
    """Split into calls; those that were in a failed one come alone, after the others."""
    clean = [task for task in tasks if task.job.error is None]
    batches = [clean[start : start + BATCH] for start in range(0, len(clean), BATCH)]
    return batches + [[task] for task in tasks if task.job.error is not None]


def _release(tx: WriteTx, jobs: Sequence[Job], not_before: str | None, error: str | None) -> None:
    for job in jobs:
        jobs_rows.release(tx, job, not_before, error)


def _complete(tx: WriteTx, task: _Task) -> None:
    """End the job, or put it back when the memory says something else by now."""
    current = rows.texts(tx, [task.text.id], None)
    if current and current[0].digest != task.text.digest:
        jobs_rows.release(tx, task.job, None)
    else:
        jobs_rows.complete(tx, task.job)


def _tell(tx: WriteTx, tasks: Sequence[_Task]) -> None:
    if tasks:
        tx.publish(Changed("embeddings", "updated", tuple(task.text.id for task in tasks)))
