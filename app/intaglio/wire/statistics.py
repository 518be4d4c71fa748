"""Replies about statistics: counts per day. Days are those of the user's clock."""

from msgspec import Struct

from intaglio.domain.statistics_ranges import StatisticsRange, StatisticsStep


class CountedFigures(Struct, kw_only=True, rename="camel"):
    """What was counted in some days.

    Memories that were `learned`, `forgotten` by you, `retired` by agents or taken back by capture,
    and `restored`; new `entities`; `sessions`; memories `told` to agents, each time that they were,
    and all tokens that agents were told; `searches` by agents' tools, and memories `found` by them;
    sentences that capture `kept`, `suggested` and `dropped`. Of the memories learned in these days,
    `usedTold` still exist and were told to an agent, `usedFound` were found by a search.
    """

    learned: int
    forgotten: int
    retired: int
    restored: int
    entities: int
    sessions: int
    told: int
    told_tokens: int
    searches: int
    found: int
    kept: int
    suggested: int
    dropped: int
    used_told: int
    used_found: int


class StatisticsPoint(CountedFigures, kw_only=True, rename="camel"):
    """A day, or the week or month that begins with it; `memories` is how many there were after."""

    day: str
    memories: int


class StatisticsGroup(CountedFigures, kw_only=True, rename="camel"):
    """A project, a type or an origin.

    `key` is its value: empty for what applies to all projects, or has no type or origin; null for
    projects that nothing is left of. `learnedPer` and `toldTokensPer` are by point.
    """

    key: str | None
    label: str
    learned_per: list[int]
    told_tokens_per: list[int]


class StatisticsEntity(Struct, kw_only=True):
    """An entity, and how many of the memories name it."""

    id: str
    name: str
    type: str
    memories: int


class Statistics(Struct, kw_only=True, rename="camel"):
    """What was learned, told and used from day `first` to `last`.

    `summary` says it in a sentence or two. `memories` and `entities` are how many there are now.
    The points are days, or weeks or months by `step`. `projectsLearned` is in how many projects
    something was learned. `pendingDays` is how many earlier days aren't counted yet.
    `topEntities` are of all memories, or of the newest 2,000 of these days.
    """

    range: StatisticsRange
    first: str
    last: str
    step: StatisticsStep
    project: str | None
    summary: str
    is_empty: bool
    pending_days: int
    memories: int
    entities: int
    projects_learned: int
    totals: CountedFigures
    points: list[StatisticsPoint]
    projects: list[StatisticsGroup]
    types: list[StatisticsGroup]
    origins: list[StatisticsGroup]
    top_entities: list[StatisticsEntity]
