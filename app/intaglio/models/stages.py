"""Stages of the pipeline: kinds of work for a language model, each declared by its package."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from intaglio.base.settings.values import Settings
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import JobType
from intaglio.models.prompt import ModelPrompt, ModelRole
from intaglio.store.tx import ReadTx, WriteTx

CountRedo: TypeAlias = Callable[[ReadTx, str], int]
"""Counts what a stage has made since a time, all of which it would make again."""
QueueRedo: TypeAlias = Callable[[WriteTx, str, str], int]
"""Queues what a stage has made since a time once more: ``(tx, since, now)``; returns how many."""


@dataclass(frozen=True, slots=True)
class QueueSubjects:
    """Queues a job for each subject that ``find`` lists since a time: a `QueueRedo`.

    There may be thousands, which `models/redo_estimates.py` queues a few at a time.
    """

    job_type: JobType
    find: Callable[[ReadTx, str], Sequence[str]]

    def __call__(self, tx: WriteTx, since: str, now: str) -> int:
        """Queue all of them."""
        return self.queue(tx, self.find(tx, since), now)

    def queue(self, tx: WriteTx, subjects: Sequence[str], now: str) -> int:
        """Queue some of them; return how many weren't queued already."""
        return sum(jobs.enqueue(tx, self.job_type, each, now) for each in subjects)


@dataclass(frozen=True, slots=True)
class Redo:
    """How a stage's work is done again after a change of its prompt or its model."""

    count: CountRedo
    queue: QueueRedo


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A kind of work for a model, which can be paused; its jobs wait in the queue meanwhile.

    ``name`` is stored with each call and stands in addresses; ``label`` and ``help`` are shown.
    ``job_types`` are the names of the types of its jobs, the one that asks the model first.
    ``is_enabled`` tells whether the settings let it work; None where none switches it off. Stages
    are shown by ``position``, which is that of the work: reading comes before what follows from it.
    """

    name: str
    label: str
    help: str
    role: ModelRole
    job_types: tuple[str, ...]
    prompts: tuple[ModelPrompt[Any], ...]
    position: int
    redo: Redo | None = None
    is_enabled: Callable[[Settings], bool] | None = None


@dataclass(frozen=True, slots=True)
class Stages:
    """All stages of this daemon by name, in the order in which they are shown."""

    by_name: Mapping[str, Stage]

    @classmethod
    def of(cls, declared: Iterable[Stage]) -> "Stages":
        """Collect declarations; raises ValueError for duplicate names."""
        found: dict[str, Stage] = {}
        for stage in sorted(declared, key=lambda each: each.position):
            if stage.name in found:
                raise ValueError(f"two stages are named {stage.name}")
            found[stage.name] = stage
        return cls(found)
