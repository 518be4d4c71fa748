"""Sessions of Claude Code as a daemon sees them: hooks, and a transcript in the home."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import httpx

from fakes.dashboard import Dashboard

DECISION = "We decided to use Luxon for date handling."
RULE = "From now on always run the linter before pushing."
_MOMENTS = {
    "sessions": ("started_at", "last_seen_at", "ended_at", "read_at"),
    "injections": ("created_at",),
    "statements": ("said_at", "recorded_at"),
}


class Host(Protocol):
    """What a session speaks to: a daemon below a home."""

    @property
    def home(self) -> Path:
        """The home of its user."""
        ...

    @property
    def http(self) -> httpx.Client:
        """A client of the daemon."""
        ...


@dataclass
class AgentSession:
    """One session: its transcript, and the hooks that tell of it."""

    host: Host
    key: str = "s1"
    project: str = "/work/lantern"
    prompts: list[str] = field(default_factory=list[str])
    agent: str | None = None

    @property
    def transcript(self) -> Path:
        """The file that Claude Code would write."""
        return self.host.home / ".claude" / "projects" / "-work" / f"{self.key}.jsonl"

    def start(self, source: str = "startup") -> str:
        """Begin, and return what the session is told."""
        return self._tell("SessionStart", source=source)

    def ask(self, text: str) -> str:
        """Send a prompt, and return what the session is told with it."""
        told = self._tell("UserPromptSubmit", prompt=text)
        self.prompts.append(text)
        record = {
            "type": "user",
            "uuid": f"{self.key}-{len(self.prompts)}",
            "sessionId": self.key,
            "timestamp": _iso(datetime.now(UTC)),
            "cwd": self.project,
            "message": {"role": "user", "content": text},
        }
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")
        return told

    def stop(self) -> None:
        """End the agent's turn: what the user said is captured."""
        self._tell("Stop")

    def end(self, reason: str = "prompt_input_exit") -> None:
        """End the session."""
        self._tell("SessionEnd", reason=reason)

    def move_back(self, by: timedelta) -> None:
        """Let its messages have been earlier."""
        records = [json.loads(line) for line in self.transcript.read_text().splitlines()]
        for record in records:
            earlier = datetime.fromisoformat(record["timestamp"]) - by
            record["timestamp"] = _iso(earlier)
        self.transcript.write_text("".join(json.dumps(record) + "\n" for record in records))

    def _tell(self, event: str, **more: object) -> str:
        body = {
            "hook_event_name": event,
            "session_id": self.key,
            "transcript_path": str(self.transcript),
            "cwd": self.project,
            **more,
        }
        headers = {"x-intaglio-agent-id": self.agent} if self.agent else {}
        reply = self.host.http.post("/api/hooks/claude-code", json=body, headers=headers)
        reply.raise_for_status()
        return reply.text

    @property
    def number(self) -> str:
        """Its id in the API."""
        listed = self.host.http.get("/api/sessions").json()["sessions"]
        return next(str(each["id"]) for each in listed if each["key"] == self.key)


def talk(host: Host, key: str, *texts: str, project: str = "/work/lantern") -> AgentSession:
    """Hold a whole session in which the user says these."""
    session = AgentSession(host, key, project)
    session.start()
    for text in texts:
        session.ask(text)
        session.stop()
    session.end()
    return session


def move_back(dashboard: Dashboard, sessions: Sequence[AgentSession], by: timedelta) -> None:
    """Let sessions have been earlier, with all that was recorded of them."""
    dashboard.stop()
    for session in sessions:
        session.move_back(by)
    keys = [(f"-{by.total_seconds()} seconds", session.key) for session in sessions]
    with closing(sqlite3.connect(dashboard.daemon.paths.database)) as database, database:
        for table, columns in _MOMENTS.items():
            own = "id" if table == "sessions" else "session_id"
            for column in columns:
                earlier = f"strftime('%Y-%m-%dT%H:%M:%fZ', {column}, ?)"
                database.executemany(
                    f"UPDATE {table} SET {column} = {earlier} WHERE {own} = ?",  # noqa: S608 - see _MOMENTS
                    keys,
                )
    dashboard.start_again()


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
