"""Counts of days: what is counted, by project, type and origin."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from intaglio.base.clock import epoch_ms, iso

Measure: TypeAlias = Literal[
    "learned",
    "forgotten",
    "retired",
    "restored",
    "entities",
    "sessions",
    "told",
    "told_tokens",
    "searches",
    "found",
    "kept",
    "suggested",
    "dropped",
    "used_told",
    "used_found",
]
"""What is counted per day.

Memories that were learned, forgotten by the user, retired (by agents, or taken back by capture) and
restored; new entities; sessions; memories told to agents, and all tokens that agents were told;
searches by agents' tools, and memories found by them; sentences that capture kept, suggested and
dropped. ``used_told`` and ``used_found`` belong to the day on which a memory was learned: how many
of that day's memories still exist, and were told to an agent or found by a search since.
"""

MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
USES: Final[frozenset[Measure]] = frozenset({"used_told", "used_found"})

NO_PROJECT: Final = ""
"""The project of what applies to all projects; None is a project that nothing is left of."""

OTHER_ORIGIN: Final = "other"
OWN_ORIGINS: Final = frozenset({"manual", "cli", "agent", "file", "commit", "pipeline", "hook"})
"""Kinds of sources that aren't harnesses; any other name is `OTHER_ORIGIN`, whoever gave it."""


class Count(NamedTuple):
    """How much of a measure there was on a day; the day may stand for those after it.

    ``type`` is a memory's or an entity's, ``origin`` a kind of source or a harness; empty for none.
    """

    day: str
    measure: Measure
    project: str | None
    type: str
    origin: str
    number: int


@dataclass(frozen=True, slots=True)
class TopEntity:
    """An entity, and how many memories name it."""

    id: str
    name: str
    type: str
    memories: int


@dataclass(frozen=True, slots=True)
class DaySpan:
    """A day of the user's clock, with its beginning and its end in UTC."""

    day: date
    first: datetime
    end: datetime

    @property
    def iso(self) -> tuple[str, str]:
        """Beginning and end as stored timestamps."""
        return iso(self.first), iso(self.end)

    @property
    def ms(self) -> tuple[int, int]:
        """Beginning and end in milliseconds since 1970."""
        first, end = self.iso
        return epoch_ms(first), epoch_ms(end)


@dataclass(frozen=True, slots=True)
class Origins:
    """The origins that are told apart: harnesses and exports by name, and kinds of sources.

    A program may name any source for what it stores; such a name isn't kept.
    """

    names: frozenset[str]

    @classmethod
    def of(cls, harnesses: Iterable[str]) -> "Origins":
        """Return the origins with those of harnesses."""
        return cls(frozenset(harnesses) | OWN_ORIGINS)

    def known(self, name: str) -> str:
        """Return the name of an origin, or `OTHER_ORIGIN`."""
        return name if not name or name in self.names else OTHER_ORIGIN
