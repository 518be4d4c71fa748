"""The steps of a sweep, and its reports."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from intaglio.base.settings.schema import Settings
from intaglio.store.tx import ReadTx, Row, WriteTx

FindExpired: TypeAlias = Callable[[ReadTx, str, str, int], Sequence[Row]]
"""Lists the keys of rows older than a time, at most a limit: ``(tx, before, now, limit)``."""

PurgeExpired: TypeAlias = Callable[[WriteTx, Sequence[Row], str, str], int]
"""Deletes those rows that are still older than the time; returns how many."""

SweepTrigger: TypeAlias = Literal["schedule", "asked"]
SweepResult: TypeAlias = Literal["done", "frozen", "unavailable", "clock_jump"]


@dataclass(frozen=True, slots=True)
class SweepStep:
    """A kind of rows to purge: how they are found and deleted, and their retention period.

    ``days`` 0 keeps them forever.
    """

    name: str
    days: Callable[[Settings], int]
    find: FindExpired
    purge: PurgeExpired


@dataclass(frozen=True, slots=True)
class StepReport:
    """A step's result: the number of rows removed, and the error if it failed."""

    name: str
    removed: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """A completed sweep. ``longest_ms`` is the longest time that a batch blocked other writes."""

    cause: SweepTrigger
    started_at: str
    ended_at: str
    outcome: SweepResult
    steps: tuple[StepReport, ...]
    longest_ms: float
    given_back_bytes: int

    @property
    def removed(self) -> int:
        """The total number of rows and files removed."""
        return sum(step.removed for step in self.steps)


@dataclass(frozen=True, slots=True)
class SweepRefused:
    """The sweep didn't run: another one is running, or writes are frozen, or the clock jumped."""

    reason: str


SweepOutcome: TypeAlias = SweepReport | SweepRefused
