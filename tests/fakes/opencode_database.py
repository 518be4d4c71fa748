"""OpenCode's database: the columns that are read, and messages as versions 1 and 2 store them."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE session (
    id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL
);
CREATE TABLE message (
    id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    data text NOT NULL
);
CREATE TABLE part (
    id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL
);
CREATE TABLE session_message (
    id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
    time_created integer NOT NULL, data text NOT NULL
);
"""


@dataclass
class OpenCodeDatabase:
    """The database; times go up by a second with each message."""

    file: Path
    now_ms: int = 1_795_000_000_000
    numbers: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.file)) as db:
            db.executescript(_SCHEMA)

    def session(
        self, of: str, directory: str = "/w/shop", title: str = "", parent: str | None = None
    ) -> None:
        self.run("INSERT INTO session VALUES (?, ?, ?, ?)", of, parent, directory, title)

    def say(self, of: str, *parts: str | dict[str, Any], role: str = "user", **more: Any) -> str:  # noqa: ANN401 - OpenCode's own JSON
        """Add a message of version 1 with its parts, texts or whole; returns its id."""
        message_id = self._next()
        data = {"role": role, "time": {"created": self.now_ms, "completed": self.now_ms}, **more}
        row = message_id, of, self.now_ms, json.dumps(data)
        self.run("INSERT INTO message VALUES (?, ?, ?, ?)", *row)
        for number, part in enumerate(parts):
            whole = {"type": "text", "text": part} if isinstance(part, str) else part
            part_row = f"prt_{message_id}_{number}", message_id, of, json.dumps(whole)
            self.run("INSERT INTO part VALUES (?, ?, ?, ?)", *part_row)
        return message_id

    def say_2(self, of: str, kind: str, **data: Any) -> str:  # noqa: ANN401 - OpenCode's own JSON
        """Add a message of version 2; returns its id."""
        message_id = self._next()
        number = self.numbers[of] = self.numbers.get(of, 0) + 1
        time = {"created": self.now_ms, "completed": self.now_ms}
        row = message_id, of, kind, number, self.now_ms, json.dumps({"time": time, **data})
        self.run("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)", *row)
        return message_id

    def _next(self) -> str:
        self.now_ms += 1_000
        return f"msg_{self.now_ms}"

    def run(self, sql: str, *values: object) -> None:
        with closing(sqlite3.connect(self.file)) as db, db:
            db.execute(sql, values)
