"""The table of scores over time."""

from typing import Final

from intaglio.store.migrations import Migration

HEALTH_MIGRATIONS: Final = (
    Migration(
        53,
        "health samples",
        (
            # `hour` is the ISO time at which an hour in UTC begins, `score` the lowest seen in it.
            """
            CREATE TABLE health_samples(
              hour TEXT NOT NULL,
              domain TEXT NOT NULL,
              score REAL NOT NULL,
              PRIMARY KEY (hour, domain)
            ) STRICT, WITHOUT ROWID
            """,
        ),
    ),
)
