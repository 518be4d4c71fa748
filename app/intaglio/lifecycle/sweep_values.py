"""What a sweep does, and what is told of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from intaglio.base.settings.schema import Settings
from intaglio.store.tx import ReadTx, Row, WriteTx

FindExpired: TypeAlias = Callable[[ReadTx, str, str, int], Sequence[Row]]
"""Lists at most so many keys of rows older than a moment; it is also told what time it is."""

PurgeExpired: TypeAlias = Callable[[WriteTx, Sequence[Row], str, str], int]
"""Deletes the rows of a few keys that are still older than the moment; returns how many went."""

SweepTrigger: TypeAlias = Literal["schedule", "asked"]
SweepResult: TypeAlias = Literal["done", "frozen", "unavailable"]


@dataclass(frozen=True, slots=True)
class SweepStep:
    """One kind of rows that are purged: how they are found and deleted, and their window.

    ``days`` 0 keeps them for ever.
    """

    name: str
    days: Callable[[Settings], int]
    find: FindExpired
    purge: PurgeExpired


@dataclass(frozen=True, slots=True)
class StepReport:
    """What became of a step: how many rows went, and why it ended early, if it did."""

    name: str
    removed: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """A sweep that ended. ``longest_ms`` is the longest time that one batch held up others."""

    cause: SweepTrigger
    started_at: str
    ended_at: str
    outcome: SweepResult
    steps: tuple[StepReport, ...]
    longest_ms: float
    given_back_bytes: int

    @property
    def removed(self) -> int:
        """How many rows and files went in all."""
        return sum(step.removed for step in self.steps)


@dataclass(frozen=True, slots=True)
class SweepRefused:
    """No sweep was made: one is under way, or writes are frozen."""

    reason: str


SweepOutcome: TypeAlias = SweepReport | SweepRefused
