"""The Health page: what is wrong, the domains with their scores, agents, backups, repairs."""

from msgspec import Struct

from intaglio.domain.health import FigureUnit, HealthDomain, HealthStatus
from intaglio.wire.status import CompositeRow, IssueRow


class FigureRow(Struct, kw_only=True, frozen=True):
    """A measured value; ``unit`` says how to write it, and ``label`` what it is."""

    name: str
    label: str
    value: float | str | bool | None
    unit: FigureUnit = ""


class CheckRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """A check: what it reads, and its last result.

    ``result`` is ok, info, warn or danger like its worst issue; unknown before the first run, while
    the database can't be read, and if the check itself failed. ``checked_at`` is null then.
    """

    name: str
    title: str
    reads: str
    result: str
    checked_at: str | None


class DomainRow(Struct, kw_only=True, frozen=True):
    """What is checked together.

    ``score`` is between 0 and 1, and ``weight`` how much it counts in the composite. ``line`` says
    in a few words how it is. ``trend`` has the lowest score of each of the last 30 days, today
    last; null for days without a sample.
    """

    name: HealthDomain
    title: str
    weight: float
    score: float
    status: HealthStatus
    line: str
    figures: list[FigureRow]
    checks: list[CheckRow]
    trend: list[float | None]


class AgentHealthRow(Struct, kw_only=True, frozen=True, rename="camel"):
    """An agent on this computer: whether it is connected, and what was heard of it.

    ``state`` is connected, partly, not, removed (by another program) or refused; ``tools`` is the
    state of its MCP entry. ``failed`` counts hook events of the last 24 hours that were answered
    with an error, ``slow`` those that took longer than the hook waits. ``line`` says it in a few
    words.
    """

    harness: str
    label: str
    state: str
    is_installed: bool
    tools: str
    last_event_at: str | None
    last_kind: str | None
    failed: int
    slow: int
    line: str


class BackupHealth(Struct, kw_only=True, frozen=True, rename="camel"):
    """The backups, and the last restore test: of the newest backup, into a temporary place.

    ``test_result`` is never, passed or failed; ``test_text`` says what was found.
    """

    count: int
    newest: str | None
    newest_at: str | None
    newest_bytes: int
    tested_at: str | None
    test_result: str
    test_text: str


class HealthReport(Struct, kw_only=True, frozen=True, rename="camel"):
    """How the installation is.

    ``sentence`` says it in one sentence; ``is_well`` means that nothing needs a person. ``issues``
    come worst first; of level "info" are those that need nobody.
    """

    at: str
    sentence: str
    is_well: bool
    composite: CompositeRow
    issues: list[IssueRow]
    domains: list[DomainRow]
    agents: list[AgentHealthRow]
    backups: BackupHealth
