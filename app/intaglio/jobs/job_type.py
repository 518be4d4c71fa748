"""What a job type is: declared once, by the module that does its work; no other one names it.

A sample, whole: the declaration, what a job carries, and what does it.

    class Summary(Struct):
        words: int

    SUMMARIZE = JobType(name="summarize", label="Summaries of sessions", payload=Summary)

    # Where there is a reason to:
    enqueue(tx, SUMMARIZE, session_id, at, Summary(words=80))

    # In the package's part: a function that ends the job in its own transaction.
    job_types=(SUMMARIZE.run_by(OneByOne(summarize)),)
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Protocol, TypeVar

from msgspec import MsgspecError, Struct, json

S = TypeVar("S", bound=Struct)


class InvalidPayloadError(ValueError):
    """A stored payload isn't what its job type declares."""


@dataclass(frozen=True, slots=True)
class Job:
    """A leased job: whoever holds ``lease`` may end it. ``attempts`` counts this one too.

    ``error`` is what an earlier attempt ended with, whoever was to blame.
    """

    id: int
    job_type: "JobType"
    subject: str
    payload: Struct | None
    attempts: int
    max_attempts: int
    lease: str
    error: str | None = None

    def payload_as(self, kind: type[S]) -> S:
        """Return the payload as the struct that the type declares."""
        if not isinstance(self.payload, kind):
            raise TypeError(f"{self.job_type.name} carries no {kind.__qualname__}")
        return self.payload


class JobRunner(Protocol):
    """Does the jobs of a type, and ends each of them in its own transaction."""

    @property
    def capacity(self) -> int:
        """How many jobs it takes in one lease now; 0 while it rests or is busy."""
        ...

    @property
    def rest_s(self) -> float:
        """In how many seconds it takes jobs again; 0 when it does now."""
        ...

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Do the jobs and return how many are done.

        Raises only what it did not foresee, and then they count as failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Runs a function on one job at a time; it ends the job itself, or raises."""

    work: Callable[[Job], Awaitable[None]]
    capacity: int = 1
    rest_s: float = 0.0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Do the jobs in their order."""
        for job in jobs:
            await self.work(job)
        return len(jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobType:
    """A kind of background work.

    ``name`` stands in each row, and ``label`` is what a person reads. A job that carries data
    names its struct as ``payload``. One that is not done after ``lease`` is taken up again, and
    one that failed ``attempts`` times is given up: None for what the settings say.
    ``concurrency`` leases are worked on at once, by types that share a runner together. A row goes
    when its job is done, unless ``retention`` says how long it stays for whoever was given its id.
    With ``of_memory`` the subject of its jobs is the id of a memory, and readers are shown that.

    ``retried`` is awaited when a person asks for given-up jobs to be tried again.
    """

    name: str
    label: str
    payload: type[Struct] | None = None
    lease: timedelta | None = None
    attempts: int | None = None
    concurrency: int = 1
    retention: timedelta | None = None
    of_memory: bool = False
    runner: JobRunner | None = field(default=None, compare=False, repr=False)
    retried: Callable[[], Awaitable[None]] | None = field(default=None, compare=False, repr=False)

    def run_by(
        self, runner: JobRunner, retried: Callable[[], Awaitable[None]] | None = None
    ) -> "JobType":
        """Return the same type with what does its jobs."""
        return replace(self, runner=runner, retried=retried)

    def encode(self, payload: Struct | None) -> str | None:
        """Write a payload as it is stored; raises TypeError for one that is not declared."""
        if not isinstance(payload, self.payload or type(None)):
            raise TypeError(f"{self.name} does not carry {type(payload).__qualname__}")
        return None if payload is None else json.encode(payload).decode()

    def decode(self, stored: str | None) -> Struct | None:
        """Read a stored payload; raises InvalidPayloadError for what is not as declared."""
        if self.payload is None:
            return None
        if stored is None:
            raise InvalidPayloadError("its payload is missing")
        try:
            return json.decode(stored, type=self.payload)
        except MsgspecError as error:
            raise InvalidPayloadError(f"its payload can't be read: {error}") from error


@dataclass(frozen=True, slots=True)
class JobTypes:
    """Every job type that this daemon can run, by name."""

    by_name: Mapping[str, JobType]

    @classmethod
    def of(cls, declared: Iterable[JobType]) -> "JobTypes":
        """Gather declarations; raises ValueError for a name that is taken, or without a runner."""
        found: dict[str, JobType] = {}
        for type_ in declared:
            if type_.name in found:
                raise ValueError(f"two job types are named {type_.name}")
            if type_.runner is None:
                raise ValueError(f"nothing runs jobs of type {type_.name}")
            found[type_.name] = type_
        return cls(found)

    def label(self, name: str) -> str:
        """Return what a person reads; of a type that is no longer declared, its name."""
        known = self.by_name.get(name)
        return known.label if known else name

    def memory_id(self, name: str, subject: str) -> str | None:
        """Return the id of the memory that a job is about; None when it's about something else."""
        known = self.by_name.get(name)
        return subject if known and known.of_memory else None

    async def retried(self, name: str | None) -> None:
        """Tell what runs this type, or all types, that a person wants jobs tried again."""
        types = [each for each in self.by_name.values() if name in (None, each.name)]
        # Types that share a runner share what is told, too.
        for tell in dict.fromkeys(each.retried for each in types):
            if tell is not None:
                await tell()

    @property
    def leases(self) -> dict[str, timedelta]:
        """How long jobs may be held, of the types that declare it."""
        return {each.name: each.lease for each in self.by_name.values() if each.lease is not None}

    @property
    def retentions(self) -> dict[str, timedelta]:
        """How long rows of done jobs stay, of the types that declare it."""
        kept = self.by_name.values()
        return {each.name: each.retention for each in kept if each.retention is not None}
