"""What a health check finds: issues, figures, and how far its domain is from well."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.domain.issues import Issue

HealthDomain: TypeAlias = Literal[
    "queue",
    "storage",
    "index",
    "provider",
    "mutation",
    "connector",
    "duplicate",
    "update",
    "predictor",
    "agents",
    "capture",
    "context",
    "disk",
    "process",
    "clock",
    "backups",
    "models",
    "workspace",
]
"""What is checked together. The first nine are those that Signet's clients know."""

HealthStatus: TypeAlias = Literal["healthy", "degraded", "unhealthy"]

WEIGHTS: Final[dict[HealthDomain, float]] = {
    "queue": 0.28,
    "storage": 0.14,
    "index": 0.19,
    "provider": 0.24,
    "mutation": 0.10,
    "connector": 0.05,
}
"""How much a domain counts in the composite score, from the table of seed 001; others 0."""

_HEALTHY: Final = 0.8
_DEGRADED: Final = 0.5


def status_of_score(score: float) -> HealthStatus:
    """Return the word for a score between 0 and 1."""
    if score >= _HEALTHY:
        return "healthy"
    return "degraded" if score >= _DEGRADED else "unhealthy"


FigureUnit: TypeAlias = Literal["", "bytes", "s", "ms", "hours", "share", "moment"]
"""The unit of a figure; ``share`` is between 0 and 1, ``moment`` an ISO time."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value: ``name`` is for programs (camelCase), ``label`` for people."""

    name: str
    label: str
    value: float | str | bool | None
    unit: FigureUnit = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check; ``penalty`` (0 to 1) is subtracted from the score of its domain.

    ``line`` says in a few words how it is, for people; it may be empty.
    """

    issues: tuple[Issue, ...] = ()
    figures: tuple[Figure, ...] = ()
    penalty: float = 0.0
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A check of a package: a pure function of what is read, or a probe with a deadline.

    ``name`` is stable and unique, ``title`` names what is checked, and ``reads`` says in a sentence
    what is read and from when on something is wrong; both are shown. ``run`` raises
    UnavailableError while the database can't be read. A result is used for ``fresh_s``; a check
    that takes longer than ``deadline_s`` has failed.
    """

    name: str
    domain: HealthDomain
    title: str
    reads: str
    run: Callable[[], Awaitable[Checked]]
    fresh_s: float = 2.0
    deadline_s: float = 5.0
