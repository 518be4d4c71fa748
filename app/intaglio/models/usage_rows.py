"""SQL on the calls of language models. Nothing of a call's text is stored."""

from dataclasses import astuple, dataclass
from typing import Final

from intaglio.models.day_usage import DayUsage
from intaglio.store.tx import ReadTx, Row, WriteTx

_COLUMNS: Final = (
    "at, day, provider, model, stage, prompt, prompt_version, tokens_read, tokens_written, "
    "is_estimated, usd, ms, attempts, outcome, detail, project, subject"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """A call that was made.

    ``day`` is that of the user's clock, such as 2026-01-31. ``usd`` is None where no price is
    known. ``outcome`` is ``answered``, ``unreadable``, or why there was no reply, with ``detail``.
    """

    at: str
    day: str
    provider: str
    model: str
    stage: str
    prompt: str
    prompt_version: int
    tokens_read: int
    tokens_written: int
    is_estimated: bool
    usd: float | None
    ms: int
    attempts: int
    outcome: str
    detail: str
    project: str | None
    subject: str


def insert(tx: WriteTx, call: CallRow) -> None:
    """Write a call."""
    tx.execute(
        f"INSERT INTO model_calls({_COLUMNS}) "  # noqa: S608 - constants only
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        astuple(call),
    )


def used_on(tx: ReadTx, day: str) -> DayUsage:
    """Return what was used on a day."""
    used = DayUsage(day)
    for project, tokens, usd in tx.rows(
        tuple[str | None, int, float],
        "SELECT project, sum(tokens_read + tokens_written), total(usd) FROM model_calls "
        "WHERE day = ? GROUP BY project",
        (day,),
    ):
        used.add(project, tokens, usd)
    return used


@dataclass(frozen=True, slots=True)
class CallCounts:
    """How many calls were made, failed, and had no known price."""

    calls: int
    failed: int
    unpriced: int


def counts_of(tx: ReadTx, day: str) -> CallCounts:
    """Count the calls of a day."""
    (found,) = tx.map(
        CallCounts,
        "SELECT count(*), ifnull(sum(outcome <> 'answered'), 0), ifnull(sum(usd IS NULL), 0) "
        "FROM model_calls WHERE day = ?",
        (day,),
    )
    return found


@dataclass(frozen=True, slots=True)
class LastFailure:
    """A call without a usable reply: when, its stage, and why."""

    at: str
    stage: str
    outcome: str
    detail: str


def last_failure(tx: ReadTx, day: str) -> LastFailure | None:
    """Return the last call of a day if it failed."""
    found = tx.map(
        LastFailure,
        "SELECT at, stage, outcome, detail FROM model_calls WHERE day = ? ORDER BY id DESC LIMIT 1",
        (day,),
    )
    return next((each for each in found if each.outcome != "answered"), None)


def latest_outcomes(tx: ReadTx, since: str, limit: int) -> list[str]:
    """Return the outcomes of the latest calls since a time, newest first."""
    return tx.column(
        str,
        "SELECT outcome FROM (SELECT id, at, outcome FROM model_calls ORDER BY id DESC LIMIT ?) "
        "WHERE at >= ? ORDER BY id DESC",
        (limit, since),
    )


@dataclass(frozen=True, slots=True)
class UsageSum:
    """What calls used together; ``key`` is their day, stage, project or model.

    ``usd`` leaves out the ``unpriced`` calls.
    """

    key: str | None
    calls: int
    failed: int
    tokens_read: int
    tokens_written: int
    usd: float
    unpriced: int


_SUMS: Final = (
    "count(*), sum(outcome <> 'answered'), sum(tokens_read), sum(tokens_written), total(usd), "
    "sum(usd IS NULL)"
)


def by_day(tx: ReadTx, since: str) -> list[UsageSum]:
    """Return the usage of each day from a day on, the latest first."""
    return _sums(tx, "day", since, "day DESC")


def by_stage(tx: ReadTx, since: str) -> list[UsageSum]:
    """Return the usage of each stage from a day on, the largest first."""
    return _sums(tx, "stage", since, _LARGEST)


def by_project(tx: ReadTx, since: str) -> list[UsageSum]:
    """Return the usage for each project from a day on, the largest first; None is no project."""
    return _sums(tx, "project", since, _LARGEST)


def by_model(tx: ReadTx, since: str) -> list[UsageSum]:
    """Return the usage of each model from a day on, the largest first."""
    return _sums(tx, "trim(provider || ' ' || model)", since, _LARGEST)


_LARGEST: Final = "sum(tokens_read + tokens_written) DESC, 1"
_MOST_SUMS: Final = 400


def _sums(tx: ReadTx, key: str, since: str, order: str) -> list[UsageSum]:
    return tx.map(
        UsageSum,
        f"SELECT {key}, {_SUMS} FROM model_calls WHERE day >= ? "  # noqa: S608 - constants only
        f"GROUP BY 1 ORDER BY {order} LIMIT {_MOST_SUMS}",
        (since,),
    )


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List calls from before a time."""
    return tx.all("SELECT id FROM model_calls WHERE at < ? ORDER BY id LIMIT ?", (before, limit))


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a call, if it's still from before the time."""
    return tx.execute("DELETE FROM model_calls WHERE id = ? AND at < ?", (key[0], before))
