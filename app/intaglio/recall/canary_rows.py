"""SQL of the canary: which memories it can recall by their own words."""

from intaglio.store.tx import ReadTx

# A text of a few characters has no words of its own.
_MIN_CHARS = 24


def known_memory(tx: ReadTx, position: float) -> tuple[str, str] | None:
    """Return the id and the text of a memory that holds; None if there is none.

    ``position`` between 0 and 1 chooses it, among the oldest to the newest.
    """
    newest = tx.scalar(int, "SELECT max(seq) FROM memories") or 0
    found = tx.rows(
        tuple[str, str],
        "SELECT id, content FROM memories WHERE seq <= ? AND is_deleted = 0 "
        "AND valid_until IS NULL AND length(content) >= ? ORDER BY seq DESC LIMIT 1",
        (max(1, round(position * newest)), _MIN_CHARS),
    )
    return found[0] if found else None
