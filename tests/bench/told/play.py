"""Plays conversations and tasks through the hooks of a running daemon."""

import json
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import httpx

from bench.told.cases import Conversation, Task
from bench.told.verdicts import TaskSession
from fakes.daemon import Daemon, daemon_env, run_command

_STEP: Final = timedelta(seconds=40)
_FOLLOW_UPS: Final = (
    "ok, go ahead",
    "run the tests and show me the diff",
    "can you split that into two commits please",
    "looks good, add a test for it too",
    "hm, why did you do it like this and not with a helper?",
    "thanks, now commit it",
)


def connect_client(daemon: Daemon, home: Path) -> None:
    """Connect Claude Code in a home where it seems to be installed."""
    (home / ".claude").mkdir(exist_ok=True)
    env = daemon_env(home, daemon.port)
    connected = run_command("connect", "claude-code", "--yes", env=env, folder=home)
    if connected.returncode:
        raise SystemExit(connected.stderr)


@dataclass(slots=True)
class HookSession:
    """A session of Claude Code as the daemon sees it: its hooks, and a transcript."""

    http: httpx.Client
    home: Path
    project: Path
    key: str
    at: datetime
    _lines: int = field(default=0)

    @property
    def transcript(self) -> Path:
        """The file that the client would write."""
        folder = self.home / ".claude" / "projects" / str(self.project).replace("/", "-")
        return folder / f"{self.key}.jsonl"

    def tell(self, event: str, **more: object) -> str:
        """Send an event and return what the session is told."""
        body = {
            "hook_event_name": event,
            "session_id": self.key,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            **more,
        }
        reply = self.http.post("/api/hooks/claude-code", json=body)
        reply.raise_for_status()
        if not reply.text.strip():
            return ""
        output = json.loads(reply.text).get("hookSpecificOutput", {})
        return str(output.get("additionalContext", ""))

    def write(self, role: str, text: str) -> None:
        """Write a message to the transcript."""
        self._lines += 1
        self.at += _STEP
        is_user = role == "user"
        record = {
            "type": "user" if is_user else "assistant",
            "uuid": f"{self.key}-{self._lines}",
            "sessionId": self.key,
            "timestamp": self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "cwd": str(self.project),
            "message": {
                "role": "user" if is_user else "assistant",
                "content": text if is_user else [{"type": "text", "text": text}],
            },
        }
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        with self.transcript.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(record) + "\n")


def play_conversation(session: HookSession, conversation: Conversation) -> None:
    """Hold a conversation: each turn of the agent ends when the user speaks again."""
    session.tell("SessionStart", source="startup")
    is_open = False
    for role, text in conversation.turns:
        if role == "user":
            if is_open:
                session.tell("Stop")
            session.tell("UserPromptSubmit", prompt=text)
            is_open = True
        session.write(role, text)
    if is_open:
        session.tell("Stop")
    session.tell("SessionEnd", reason="prompt_input_exit")


def play_task(session: HookSession, task: Task, number: int) -> TaskSession:
    """Begin a session with a task, go on with two ordinary prompts, and return what it was told."""
    start = session.tell("SessionStart", source="startup")
    first = session.tell("UserPromptSubmit", prompt=task.prompt)
    later = tuple(
        session.tell("UserPromptSubmit", prompt=_FOLLOW_UPS[(2 * number + each) % len(_FOLLOW_UPS)])
        for each in range(2)
    )
    session.tell("SessionEnd", reason="prompt_input_exit")
    return TaskSession(task, start, first, later)


def moment(day: str, shift: timedelta) -> datetime:
    """Return ten o'clock of an ISO day, moved."""
    return datetime.fromisoformat(day).replace(hour=10, tzinfo=UTC) + shift


def make_project(folder: Path) -> Path:
    """Make a folder with an empty repository."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(("git", "init", "-q", str(folder)), check=True)
    return folder
