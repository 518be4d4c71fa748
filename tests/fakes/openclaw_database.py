"""A database of OpenClaw's transcripts, with the tables that hold them in schema 23."""

import json
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_SCHEMA = """
CREATE TABLE IF NOT EXISTS session_windows (
  session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS transcript_events (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  event_json TEXT,
  created_at INTEGER NOT NULL,
  event_zstd BLOB,
  event_utf8_bytes INTEGER,
  navigation_json TEXT,
  PRIMARY KEY (session_id, seq)
) STRICT;
"""
OWNED = {"senderIsOwner": True}


@dataclass
class AgentDatabase:
    """The database of one agent below a state folder."""

    file: Path

    def __post_init__(self) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.file)) as db:
            db.executescript(_SCHEMA)

    @classmethod
    def of(cls, state: Path, agent: str) -> "AgentDatabase":
        return cls(state / "agents" / agent / "agent" / "openclaw-agent.sqlite")

    def say(
        self,
        session: str,
        text: str,
        *,
        own: Mapping[str, Any] = OWNED,
        key: str = "agent:main:main",
        compressed: bool = False,
        **message: object,
    ) -> None:
        """Add a message as OpenClaw does; the user's, unless ``message`` says other."""
        said = {"role": "user", "content": text, "__openclaw": own, **message}
        with closing(sqlite3.connect(self.file)) as db:
            number = db.execute("SELECT count(*) FROM transcript_events").fetchone()[0]
            event = {
                "type": "message",
                "id": f"{session}-e{number}",
                "parentId": None,
                "timestamp": f"2026-11-27T06:56:{number:02}.627Z",
                "message": said,
            }
            self.add(db, session, key, number, json.dumps(event), compressed=compressed)

    def add(
        self,
        db: sqlite3.Connection,
        session: str,
        key: str,
        number: int,
        event: str,
        *,
        compressed: bool = False,
    ) -> None:
        """Add an event's text as a row."""
        with db:
            db.execute("INSERT OR IGNORE INTO session_windows VALUES (?, ?)", (session, key))
            plain, packed = (None, zstd.compress(event.encode())) if compressed else (event, None)
            db.execute(
                "INSERT INTO transcript_events(session_id, seq, event_json, created_at, event_zstd)"
                " VALUES (?, ?, ?, 0, ?)",
                (session, number, plain, packed),
            )
