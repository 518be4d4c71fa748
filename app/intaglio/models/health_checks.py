"""Judges how often language models answered lately."""

from dataclasses import dataclass

from intaglio.domain.health import Checked, Figure


@dataclass(frozen=True, slots=True)
class RecentCalls:
    """The newest calls by their outcome."""

    answered: int
    failed: int
    timed_out: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.answered + self.failed + self.timed_out


def judge_calls(calls: RecentCalls) -> Checked:
    """Judge which share was answered; without calls, nothing is wrong."""
    rate = calls.answered / calls.total if calls.total else 1.0
    return Checked(
        figures=(
            Figure("recentTotal", "Latest calls", calls.total),
            Figure("recentSuccesses", "Answered", calls.answered),
            Figure("recentFailures", "Failed", calls.failed),
            Figure("recentTimeouts", "Timed out", calls.timed_out),
            Figure("availabilityRate", "Share answered", round(rate, 4), "share"),
        ),
        penalty=1.0 - rate,
        line=f"{calls.answered:,} of the latest {calls.total:,} answered"
        if calls.total
        else "No calls lately",
    )
