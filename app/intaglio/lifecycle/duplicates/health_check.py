"""Judges how many memories say what another one says, by the thresholds of Signet's diagnostics."""

from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.lifecycle.duplicates.rows import ExactDuplicates

# Penalty by the share of duplicates that it begins above.
_PENALTIES: Final = ((0.10, 0.5), (0.05, 0.3))


def judge_duplicates(found: ExactDuplicates) -> Checked:
    """Judge which share of the live memories says what another one says in the same words."""
    share = found.excess / max(1, found.active)
    return Checked(
        figures=(
            Figure("exactDuplicates", "Memories of the same words as another", found.excess),
            Figure("exactClusters", "Groups of memories with the same words", found.clusters),
            Figure("totalActive", "Memories", found.active),
            Figure("duplicateRatio", "Share of duplicates", round(share, 4), "share"),
        ),
        penalty=next((each for above, each in _PENALTIES if share > above), 0.0),
        line=f"{count_of(found.excess, 'memory repeats', 'memories repeat')} another",
    )
