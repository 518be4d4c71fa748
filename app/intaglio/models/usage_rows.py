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


def expired(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List calls from before a time."""
    return tx.all("SELECT id FROM model_calls WHERE at < ? ORDER BY id LIMIT ?", (before, limit))


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete a call, if it's still from before the time."""
    return tx.execute("DELETE FROM model_calls WHERE id = ? AND at < ?", (key[0], before))
