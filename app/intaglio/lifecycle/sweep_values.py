"""The reports of a sweep."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

SweepTrigger: TypeAlias = Literal["schedule", "asked"]
SweepResult: TypeAlias = Literal["done", "frozen", "unavailable", "clock_jump"]


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
    """The sweep didn't run: another one is running, or writes are frozen, or the clock jumped.

    ``hint`` says what to do if waiting doesn't help.
    """

    reason: str
    hint: str = ""


SweepOutcome: TypeAlias = SweepReport | SweepRefused
