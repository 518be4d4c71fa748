"""Job types: each is declared once, by the module that runs its jobs; no other module names it.

A complete example: the payload, the declaration, queuing a job, and running it.

    class Summary(Struct):
        words: int

    SUMMARIZE = JobType(name="summarize", label="Summaries of sessions", payload=Summary)

    # To queue a job:
    enqueue(tx, SUMMARIZE, session_id, at, Summary(words=80))

    # In the package's part: a function that finishes the job in its own transaction.
    job_types=(SUMMARIZE.run_by(OneByOne(summarize)),)
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal, Protocol, TypeAlias, TypeVar

from msgspec import MsgspecError, Struct, json

S = TypeVar("S", bound=Struct)

JobAbout: TypeAlias = Literal["memory", "entity", "session"]
"""What a job's subject names: a memory by its id, an entity by its row, a session by its key."""


class InvalidPayloadError(ValueError):
    """A stored payload doesn't have the type that its job type declares."""


@dataclass(frozen=True, slots=True)
class Job:
    """A leased job, which only the holder of ``lease`` may finish. ``attempts`` includes this one.

    ``error`` is the error of an earlier attempt, whatever its cause.
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
            raise TypeError(f"{self.job_type.name} has no payload of type {kind.__qualname__}")
        return self.payload


@dataclass(frozen=True, slots=True)
class OpenJob:
    """A job that waits, or runs if ``is_leased``; ``payload`` is None if it can't be read."""

    payload: Struct | None
    is_leased: bool


class JobRunner(Protocol):
    """Runs the jobs of a type, and finishes each in its own transaction."""

    @property
    def capacity(self) -> int:
        """How many jobs it accepts in one lease now; 0 while it rests or is busy."""
        ...

    @property
    def rest_s(self) -> float:
        """In how many seconds it accepts jobs again; 0 if it does now."""
        ...

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Run the jobs and return how many succeeded.

        Raises only unexpected errors, for which the jobs count as failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Runs a function on one job at a time; the function finishes the job itself, or raises."""

    work: Callable[[Job], Awaitable[None]]
    capacity: int = 1
    rest_s: float = 0.0

    async def run(self, jobs: tuple[Job, ...]) -> int:
        """Run the jobs in order."""
        for job in jobs:
            await self.work(job)
        return len(jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobType:
    """A kind of background work.

    ``name`` is stored in each row, ``label`` is shown to people. A job with data declares its
    struct as ``payload``. A job that isn't done after ``lease`` is leased again, and one that
    failed ``attempts`` times fails permanently; None uses the settings. ``concurrency`` leases run
    at the same time, shared by the types of one runner. A row is deleted when its job is done,
    unless ``retention`` says how long it stays for callers that received its id. ``about`` says
    what the subject names, so that the API can show it. Without a job that ``embeds``, only keyword
    search finds its memory.

    ``on_retry`` is awaited when a person retries failed jobs.
    """

    name: str
    label: str
    payload: type[Struct] | None = None
    lease: timedelta | None = None
    attempts: int | None = None
    concurrency: int = 1
    retention: timedelta | None = None
    about: JobAbout | None = None
    embeds: bool = False
    runner: JobRunner | None = field(default=None, compare=False, repr=False)
    on_retry: Callable[[], Awaitable[None]] | None = field(default=None, compare=False, repr=False)

    def run_by(
        self, runner: JobRunner, on_retry: Callable[[], Awaitable[None]] | None = None
    ) -> "JobType":
        """Return the same type with its runner."""
        return replace(self, runner=runner, on_retry=on_retry)

    def encode(self, payload: Struct | None) -> str | None:
        """Encode a payload for storage; raises TypeError if its type isn't declared."""
        if not isinstance(payload, self.payload or type(None)):
            raise TypeError(f"{self.name} has no payload of type {type(payload).__qualname__}")
        return None if payload is None else json.encode(payload).decode()

    def decode(self, stored: str | None) -> Struct | None:
        """Decode a stored payload; raises InvalidPayloadError if it isn't as declared."""
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
        """Collect declarations; raises ValueError for duplicate names or types without a runner."""
        found: dict[str, JobType] = {}
        for type_ in declared:
            if type_.name in found:
                raise ValueError(f"two job types are named {type_.name}")
            if type_.runner is None:
                raise ValueError(f"job type {type_.name} has no runner")
            found[type_.name] = type_
        return cls(found)

    def label(self, name: str) -> str:
        """Return the label of a type, or its name if it is no longer declared."""
        known = self.by_name.get(name)
        return known.label if known else name

    def memory_id(self, name: str, subject: str) -> str | None:
        """Return the id of the memory that a job is about; None if it's about something else."""
        return subject if self.about(name) == "memory" else None

    def about(self, name: str) -> JobAbout | None:
        """Return what the subjects of a type name; None if that is nothing to be shown."""
        known = self.by_name.get(name)
        return known.about if known else None

    def embeds(self, name: str) -> bool:
        """Whether jobs of a type embed memories."""
        known = self.by_name.get(name)
        return known is not None and known.embeds

    async def notify_retried(self, name: str | None) -> None:
        """Notify the runner of this type, or of all types, that a person retried its jobs."""
        types = [each for each in self.by_name.values() if name in (None, each.name)]
        # Types that share a runner are notified once.
        for tell in dict.fromkeys(each.on_retry for each in types):
            if tell is not None:
                await tell()

    @property
    def leases(self) -> dict[str, timedelta]:
        """The lease durations of the types that declare one."""
        return {each.name: each.lease for each in self.by_name.values() if each.lease is not None}
