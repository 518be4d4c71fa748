"""The table of telemetry events."""

from typing import Final

from intaglio.store.migrations import Migration

MIGRATIONS: Final = (
    Migration(
        57,
        "telemetry events",
        (
            # `properties` is a JSON object of names and numbers.
            """
            CREATE TABLE telemetry_events(
              seq INTEGER PRIMARY KEY,
              event TEXT NOT NULL,
              at TEXT NOT NULL,
              properties TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX telemetry_events_at ON telemetry_events(at)",
        ),
    ),
)
