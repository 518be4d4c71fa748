"""Runs embedding jobs in the background and handles failures of the provider."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from intaglio.base.clock import iso
from intaglio.base.events import Changed
from intaglio.base.log import get_logger
from intaglio.base.metrics.errors import ErrorCode
from intaglio.base.metrics.measured import EmbeddingCall, MeasuredFailure
from intaglio.embedding import rows
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.made_vectors import (
    EmbedResult,
    MadeVector,
    NotMade,
    embed_texts,
    uses_context,
)
from intaglio.embedding.values import EmbeddableText, VectorSetIdentity
from intaglio.inference.ports import Embedder
from intaglio.jobs import rows as jobs_rows
from intaglio.jobs import scheduling
from intaglio.jobs.job_type import Job
from intaglio.jobs.values import Exhausted
from intaglio.memory.embedding_model_rows import note_embedded
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.values import Model

LEASED: Final = 32
BATCH: Final = 8
TIMEOUT_S: Final = 60.0
# The provider has its own deadline; after this much more time it counts as hanging.
_GRACE_S: Final = 5.0
# A model that can't work until the daemon restarts is retried only this often.
_LASTING_S: Final = 3_600.0
# A text that any model can embed: if it fails too, the model is at fault, not the earlier text.
_KNOWN_GOOD: Final = "The sky is blue."
_PROBE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """How many memories are embedded, and the provider's error, if any.

    ``pending`` memories lack a vector that will be made, whether queued or not.
    """

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
    text: EmbeddableText


@dataclass(slots=True, kw_only=True)
class EmbeddingRunner:
    """Runs the jobs of both embedding types with the configured model.

    A failed call makes the whole runner rest with a back-off, and its jobs return to the queue
    uncounted, because the provider is at fault. A text from a failed call is retried alone; if it
    fails while the provider can embed a known good text, the text is at fault, and only that counts
    as an attempt. So an outage fails no job, and one bad text doesn't block others for long and
    fails in the end.
    """

    db: Database
    embedder: Embedder
    context: ChangeContext
    random: Callable[[], float]
    monotonic_s: Callable[[], float]
    on_model: Callable[[Model], None] = lambda _: None
    measure: Callable[[EmbeddingCall], None] = lambda _: None
    batch: Callable[[], int] = lambda: BATCH
    timeout_s: float = TIMEOUT_S
    grace_s: float = _GRACE_S
    made: int = 0
    given_up: int = 0
    _model: Model | None = None
    _failures: int = 0
    _resting_until: float = 0.0
    _trouble: str = ""

    @property
    def is_on(self) -> bool:
        """Whether a model is configured."""
        return self.embedder.identity.provider != "none"

    @property
    def model(self) -> Model | None:
        """The row of the configured model; None until it has made its first vector."""
        return self._model

    @property
    def rest_s(self) -> float:
        """In how many seconds the provider is tried again; 0 if it is in use."""
        return max(0.0, self._resting_until - self.monotonic_s())

    @property
    def capacity(self) -> int:
        """How many jobs are accepted in one lease now."""
        if self.rest_s > 0:
            return 0
        return 1 if self._failures else LEASED

    @property
    def trouble(self) -> str:
        """The error of the provider's last call; empty if it succeeded."""
        return self._trouble

    async def begin(self) -> None:
        """Load the model's stored state, and retry jobs that failed with an earlier provider."""
        identity = identity_of(self.embedder)
        self._use(await self.db.read(lambda tx: rows.find_model(tx, identity)))
        for name in EMBEDDING_TYPE_NAMES:
            await self._revive(name)

    async def _revive(self, type_: str) -> None:
        revived = await self.db.write(lambda tx: jobs_rows.retry_all(tx, type_, self.context.now))
        while revived:
            revived = await self.db.write(
                lambda tx: jobs_rows.retry_all(tx, type_, self.context.now)
            )
        await self.db.write(lambda tx: jobs_rows.make_ready(tx, type_))

    def replace_embedder(self, embedder: Embedder) -> None:
        """Use this model from now on; ``begin`` has to follow."""
        self.embedder, self._model = embedder, None
        self._failures, self._resting_until, self._trouble = 0, 0.0, ""

    def _use(self, model: Model | None) -> None:
        self._model = model
        if model is not None:
            self.on_model(model)

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Embed the jobs' memories and finish each job; return how many succeeded."""
        by_id = {job.subject: job for job in jobs}
        in_context = uses_context(self.embedder)
        texts = await self.db.read(
            lambda tx: rows.texts(tx, list(by_id), self._model, in_context=in_context)
        )
        tasks = [_Task(by_id[text.id], text) for text in texts] if self.is_on else []
        # If the memory is forgotten or no model is configured, there is nothing to do.
        missing = [job for job in jobs if job.subject not in {task.text.id for task in tasks}]
        ready = [task for task in tasks if task.text.known]
        done = len(missing) + len(ready)
        if done:
            await self.db.write(lambda tx: self._end(tx, missing, ready))
        # Texts of similar length waste no time on padding.
        todo = sorted(
            (task for task in tasks if not task.text.known), key=lambda t: len(t.text.content)
        )
        parts = _parts(todo, self.batch())
        while parts and self.rest_s == 0:
            done += await self._batch(parts.pop(0))
        left = [task.job for part in parts for task in part]
        if left:
            await self.db.write(lambda tx: _release(tx, left, None, None))
        return done

    def _end(self, tx: WriteTx, missing: Sequence[Job], ready: Sequence[_Task]) -> None:
        for job in missing:
            jobs_rows.complete(tx, job, self.context.now)
        for task in ready:
            if self._model is not None:
                note_embedded(tx, self._model.id, task.text.seq)
        self._finish(tx, ready, in_context=False)
        _publish(tx, ready)

    def _finish(
        self, tx: WriteTx, tasks: Sequence[_Task], *, in_context: bool
    ) -> frozenset[EmbeddableText]:
        """Finish the jobs of unchanged and of forgotten memories, and return the former's texts.

        The other jobs return to the queue, also those of memories in another context now.
        """
        ids = [task.text.id for task in tasks]
        now = {text.id: text for text in rows.texts(tx, ids, None, in_context=in_context)}
        for task in tasks:
            if now.get(task.text.id, task.text) == task.text:
                jobs_rows.complete(tx, task.job, self.context.now)
            else:
                jobs_rows.release(tx, task.job, None)
        return frozenset(now.values()).intersection(task.text for task in tasks)

    async def _batch(self, tasks: Sequence[_Task]) -> int:
        embedder = self.embedder
        outcome = await self._ask(embedder, [task.text for task in tasks], self.timeout_s)
        if embedder is not self.embedder:
            await self.db.write(lambda tx: _release(tx, [task.job for task in tasks], None, None))
            return 0
        if isinstance(outcome, NotMade):
            await self._failed(embedder, tasks, outcome)
            return 0
        self._succeeded()
        identity = identity_of(embedder)
        in_context = uses_context(embedder)
        model = await self.db.write(
            lambda tx: self._write(tx, identity, tasks, outcome, in_context=in_context)
        )
        self.made += len(tasks)
        if model != self._model and embedder is self.embedder:
            self._use(model)
        return len(tasks)

    async def _ask(
        self, embedder: Embedder, texts: Sequence[EmbeddableText], timeout_s: float
    ) -> EmbedResult:
        return await self.embed(embedder, texts, timeout_s=timeout_s, grace_s=self.grace_s)

    async def embed(
        self,
        embedder: Embedder,
        texts: Sequence[EmbeddableText],
        *,
        timeout_s: float,
        grace_s: float,
    ) -> EmbedResult:
        """Embed all texts, or none, and measure how long it takes."""
        began = self.monotonic_s()
        outcome = await embed_texts(embedder, texts, timeout_s=timeout_s, grace_s=grace_s)
        known, failure = embedder.identity, None
        if isinstance(outcome, NotMade):
            timed_out = outcome.is_timeout
            code: ErrorCode = "EMBEDDING_TIMEOUT" if timed_out else "EMBEDDING_PROVIDER_DOWN"
            # What the provider says may have words of the texts.
            message = f"{known.provider}: {'no answer in time' if timed_out else 'it failed'}"
            failure = MeasuredFailure(stage="embedding", code=code, message=message)
        self.measure(
            EmbeddingCall(
                provider=known.provider,
                model=known.model,
                texts=len(texts),
                ms=(self.monotonic_s() - began) * 1_000,
                failure=failure,
            )
        )
        return outcome

    async def check(self) -> str:
        """Embed one text as a test; return the error, or nothing. Doesn't make the runner rest."""
        embedder = self.embedder
        known_good = EmbeddableText("", 0, _KNOWN_GOOD, known=False)
        outcome = await self._ask(embedder, [known_good], min(self.timeout_s, _PROBE_S))
        return outcome.reason if isinstance(outcome, NotMade) else ""

    def _write(
        self,
        tx: WriteTx,
        identity: VectorSetIdentity,
        tasks: Sequence[_Task],
        made: Sequence[MadeVector],
        *,
        in_context: bool,
    ) -> Model:
        model = rows.find_model(tx, identity) or rows.add_model(
            tx,
            identity,
            quantization.scale_for([each.vector for each in made]),
            self.context.now,
        )
        unchanged = self._finish(tx, tasks, in_context=in_context)
        for each in made:
            if each.text in unchanged:
                rows.put(tx, model, each.quantised(model))
        _publish(tx, tasks)
        return model

    def _succeeded(self) -> None:
        if self._trouble:
            get_logger("embedding").info("embedding provider recovered")
        self._failures, self._trouble = 0, ""

    async def _failed(self, embedder: Embedder, tasks: Sequence[_Task], failed: NotMade) -> None:
        jobs = [task.job for task in tasks]
        own_fault = len(tasks) == 1 and not failed.lasting and not await self.check()
        if embedder is not self.embedder:
            await self.db.write(lambda tx: _release(tx, jobs, None, None))
            return
        if own_fault:
            self._succeeded()
            await self.db.write(lambda tx: self._count(tx, jobs[0], failed.reason))
            return
        if not self._trouble:
            # What a server says may have words of the texts.
            get_logger("embedding").warning(
                "embedding provider failed",
                provider=embedder.identity.provider,
                model=embedder.identity.model,
                timed_out=failed.is_timeout,
                lasting=failed.lasting,
            )
        self._trouble = failed.reason
        self._failures += 1
        rest = scheduling.delay_s(self._failures - 1, self.random())
        rest = _LASTING_S if failed.lasting else rest
        self._resting_until = self.monotonic_s() + rest
        later = iso(self.context.clock() + timedelta(seconds=rest))
        await self.db.write(lambda tx: _release(tx, jobs, later, failed.reason))

    def _count(self, tx: WriteTx, job: Job, reason: str) -> None:
        now = self.context.clock()
        outcome = scheduling.after_failure(job.attempts, job.max_attempts, now, self.random())
        if jobs_rows.fail(tx, job, outcome, reason, now) and isinstance(outcome, Exhausted):
            self.given_up += 1

    async def progress(self) -> EmbeddingProgress:
        """Return how many memories are embedded; scans all rows, so don't call it often."""

        def work(tx: ReadTx) -> EmbeddingProgress:
            covered = rows.coverage(tx, self._model)
            waiting = jobs_rows.counts(tx, EMBEDDING_TYPE_NAMES)
            lacking = covered.live - covered.embedded - waiting.dead
            return EmbeddingProgress(
                model=self.embedder.identity.model,
                live=covered.live,
                embedded=covered.embedded,
                pending=max(waiting.pending + waiting.leased, lacking),
                dead=waiting.dead,
                trouble=self._trouble,
                rest_s=self.rest_s,
            )

        return await self.db.read(work)


def identity_of(embedder: Embedder) -> VectorSetIdentity:
    """Return the embedder's identity in the form stored with vectors."""
    known = embedder.identity
    return VectorSetIdentity(known.provider, known.model, known.sha256, known.dimensions)


def _parts(tasks: Sequence[_Task], size: int) -> list[list[_Task]]:
    """Split into calls; tasks from a failed call come alone, after the others."""
    clean = [task for task in tasks if task.job.error is None]
    batches = [clean[start : start + size] for start in range(0, len(clean), size)]
    return batches + [[task] for task in tasks if task.job.error is not None]


def _release(tx: WriteTx, jobs: Sequence[Job], not_before: str | None, error: str | None) -> None:
    for job in jobs:
        jobs_rows.release(tx, job, not_before, error)


def _publish(tx: WriteTx, tasks: Sequence[_Task]) -> None:
    if tasks:
        tx.publish(Changed("embeddings", "updated", tuple(task.text.id for task in tasks)))
