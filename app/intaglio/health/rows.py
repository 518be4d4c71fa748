"""SQL on the scores of domains over time."""

from collections.abc import Mapping

from intaglio.store.tx import ReadTx, WriteTx


def add(tx: WriteTx, hour: str, scores: Mapping[str, float]) -> None:
    """Record scores seen in an hour; the lowest one of the hour stays."""
    for domain, score in scores.items():
        tx.execute(
            "INSERT INTO health_samples(hour, domain, score) VALUES (?, ?, ?) "
            "ON CONFLICT(hour, domain) DO UPDATE SET score = min(score, excluded.score)",
            (hour, domain, score),
        )


def of_hour(tx: ReadTx, hour: str) -> dict[str, float]:
    """Return the recorded scores of an hour, by domain."""
    found = tx.rows(
        tuple[str, float], "SELECT domain, score FROM health_samples WHERE hour = ?", (hour,)
    )
    return dict(found)


def delete_before(tx: WriteTx, hour: str) -> None:
    """Delete the samples of the hours before this one."""
    tx.execute("DELETE FROM health_samples WHERE hour < ?", (hour,))


def lowest_by_day(tx: ReadTx, since: str, offset_min: int) -> list[tuple[str, str, float]]:
    """Return domain, day (``2026-07-01``) and lowest score, from an hour on.

    ``offset_min`` is how far the user's clock is ahead of UTC.
    """
    return tx.rows(
        tuple[str, str, float],
        "SELECT domain, date(hour, ?), min(score) FROM health_samples WHERE hour >= ? "
        "GROUP BY 1, 2",
        (f"{offset_min:+d} minutes", since),
    )
