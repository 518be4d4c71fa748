"""The result of all checks: issues, domains with their scores, and one sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from intaglio.domain.health import Checked, Figure, HealthCheck, HealthDomain, HealthStatus
from intaglio.domain.issues import Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """A check and its last result; None, and ``at`` too, while it isn't known.

    ``error`` says why the check itself failed; empty if it didn't, or waits for the database.
    """

    check: HealthCheck
    checked: Checked | None = None
    at: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainHealth:
    """A domain: its score between 0 and 1, and the figures and results of its checks."""

    score: float
    status: HealthStatus
    figures: tuple[Figure, ...]
    checks: tuple[CheckOutcome, ...]

    def figure(self, name: str) -> Figure | None:
        """Return the figure of this name, or None if it isn't known."""
        return next((each for each in self.figures if each.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosed:
    """How the installation is at a moment.

    ``issues`` come worst first. ``is_well`` means that everything could be checked and nothing
    needs a person; ``sentence`` says how it is.
    """

    at: str
    issues: Sequence[Issue]
    domains: Mapping[HealthDomain, DomainHealth]
    composite: float
    status: HealthStatus
    sentence: str
    is_well: bool
