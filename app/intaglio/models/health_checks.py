"""Judges how often language models answered lately, and whether their replies could be read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.models.overview import SETTINGS_PAGE

_FEWEST_UNREADABLE: Final = 3
_UNREADABLE_SHARE: Final = 0.2


@dataclass(frozen=True, slots=True)
class RecentCalls:
    """The newest calls by their outcome; ``answered`` are those with any reply.

    ``unreadable`` of the newest ``replies`` couldn't be read.
    """

    answered: int
    failed: int
    timed_out: int
    replies: int = 0
    unreadable: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.answered + self.failed + self.timed_out

    @property
    def unreadable_share(self) -> float:
        """The share of the newest replies that couldn't be read, 0 without replies."""
        return self.unreadable / self.replies if self.replies else 0.0


def judge_calls(calls: RecentCalls) -> Checked:
    """Judge which share was answered, and readably; without calls, nothing is wrong."""
    rate = calls.answered / calls.total if calls.total else 1.0
    return Checked(
        issues=tuple(_issues(calls)),
        figures=(
            Figure("recentTotal", "Latest calls", calls.total),
            Figure("recentSuccesses", "Answered", calls.answered),
            Figure("recentFailures", "Failed", calls.failed),
            Figure("recentTimeouts", "Timed out", calls.timed_out),
            Figure("availabilityRate", "Share answered", round(rate, 4), "share"),
            Figure("recentReplies", "Latest replies", calls.replies),
            Figure("recentUnreadable", "Unreadable replies", calls.unreadable),
        ),
        penalty=max(1.0 - rate, calls.unreadable_share),
        line=_line(calls),
    )


def _line(calls: RecentCalls) -> str:
    if not calls.total:
        return "No calls lately"
    answered = f"{calls.answered:,} of the latest {calls.total:,} answered"
    if not calls.unreadable:
        return answered
    return f"{answered}; {calls.unreadable:,} of {calls.replies:,} replies unreadable"


def _issues(calls: RecentCalls) -> Iterator[Issue]:
    if calls.unreadable >= _FEWEST_UNREADABLE and calls.unreadable_share > _UNREADABLE_SHARE:
        yield Issue(
            "language_model_unreadable",
            "warn",
            "The language model's replies can't be read",
            f"{calls.unreadable:,} of the latest {calls.replies:,} replies couldn't be read, so "
            "their work wasn't done. Choose another model in Settings; a larger one follows "
            "instructions better. Then retry the failed jobs in Pipeline.",
            page=SETTINGS_PAGE,
        )
