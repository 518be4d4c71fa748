"""Three harnesses as the daemon sees them: their transcripts, and the hooks that connecting wrote.

Records and hooks' input are those of the real clients, without what the daemon doesn't read.
"""

import json
import os
import subprocess
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol
from uuid import uuid4

from fakes.opencode_database import OpenCodeDatabase
from fakes.waiting import PATIENCE_S

_PLUGIN_HOST: Final = Path(__file__).with_name("plugin_host.mjs")
_PROJECT: Final = "work"
_ANSWER: Final = "Understood."


class HookClient(Protocol):
    """One harness in a home in which it is connected."""

    name: ClassVar[str]

    @property
    def home(self) -> Path:
        """The user's home."""
        ...

    def transcript(self, session: str) -> Path:
        """The file that the session's transcript is in."""
        ...

    def start(self, session: str) -> None:
        """Start a session."""
        ...

    def turn(self, session: str, text: str) -> str:
        """Have the user say something, the agent answer, and the turn end.

        Returns the id of the user's message.
        """
        ...

    def end(self, session: str) -> None:
        """End a session."""
        ...

    def close(self) -> None:
        """End the harness."""
        ...


def project_of(home: Path) -> Path:
    """Return where all sessions are."""
    folder = home / _PROJECT
    folder.mkdir(exist_ok=True)
    return folder


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _append(file: Path, *records: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records))


@dataclass(frozen=True, slots=True)
class _CommandHooks:
    """Hooks that are programs, in settings such as ``{"hooks": {"Stop": [{"hooks": [...]}]}}``."""

    home: Path
    settings: Path

    def run(self, event: str, session: str, transcript: Path, **more: object) -> None:
        """Run the event's hook as a harness does; it is silent but for its reply."""
        ((hook,),) = (
            group["hooks"] for group in json.loads(self.settings.read_bytes())["hooks"][event]
        )
        told = {
            "hook_event_name": event,
            "session_id": session,
            "transcript_path": str(transcript),
            "cwd": str(project_of(self.home)),
            **more,
        }
        argv = [hook["command"], *hook["args"]] if "args" in hook else ["sh", "-c", hook["command"]]
        done = subprocess.run(
            # The test's own process must not look like a harness above all others.
            ["sh", "-c", '"$@"; exit $?', "harness", *argv],
            input=json.dumps(told).encode(),
            env={"HOME": str(self.home), "PATH": os.environ["PATH"]},
            cwd=self.home,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b""), done


@dataclass(frozen=True, slots=True)
class ClaudeCodeHooks:
    """Claude Code."""

    home: Path
    name: ClassVar[str] = "claude-code"

    @property
    def _hooks(self) -> _CommandHooks:
        return _CommandHooks(self.home, self.home / ".claude" / "settings.json")

    def transcript(self, session: str) -> Path:
        """The file of a session."""
        return self.home / ".claude" / "projects" / "-work" / f"{session}.jsonl"

    def start(self, session: str) -> None:
        """Start a session."""
        self._hooks.run("SessionStart", session, self.transcript(session), source="startup")

    def turn(self, session: str, text: str) -> str:
        """Say something and get an answer."""
        file, message = self.transcript(session), uuid4().hex
        self._hooks.run("UserPromptSubmit", session, file, prompt=text)
        about = {
            "sessionId": session,
            "timestamp": _now(),
            "cwd": str(project_of(self.home)),
        }
        said = {"role": "user", "content": text}
        answered = {"role": "assistant", "content": [{"type": "text", "text": _ANSWER}]}
        _append(
            file,
            {"type": "user", "uuid": message, **about, "message": said},
            {"type": "assistant", "uuid": f"{message}-answer", **about, "message": answered},
        )
        self._hooks.run("Stop", session, file)
        return message

    def end(self, session: str) -> None:
        """End a session."""
        self._hooks.run("SessionEnd", session, self.transcript(session), reason="other")

    def close(self) -> None:
        """Do nothing: each session is a process of its own."""


@dataclass(frozen=True, slots=True)
class CodexHooks:
    """Codex, by its desktop app: what its command line runs without a person isn't captured."""

    home: Path
    name: ClassVar[str] = "codex"

    @property
    def _hooks(self) -> _CommandHooks:
        return _CommandHooks(self.home, self.home / ".codex" / "hooks.json")

    def transcript(self, session: str) -> Path:
        """The file of a session."""
        return self.home / ".codex" / "sessions" / "2026" / f"rollout-{session}.jsonl"

    def _record(self, session: str, kind: str, payload: dict[str, Any]) -> None:
        record = {"timestamp": _now(), "type": kind, "payload": payload}
        _append(self.transcript(session), record)

    def _item(self, session: str, kind: str, message: str, text: str) -> None:
        content = [{"type": "text", "text": text}]
        item = {"type": kind, "id": message, "content": content}
        said = {"type": "item_completed", "thread_id": session, "item": item}
        self._record(session, "event_msg", said)

    def start(self, session: str) -> None:
        """Start a session."""
        begun = {
            "id": session,
            "session_id": session,
            "cwd": str(project_of(self.home)),
            "source": "vscode",
            "thread_source": "user",
        }
        self._record(session, "session_meta", begun)
        self._hooks.run("SessionStart", session, self.transcript(session), source="startup")

    def turn(self, session: str, text: str) -> str:
        """Say something and get an answer."""
        file, message = self.transcript(session), uuid4().hex
        self._hooks.run("UserPromptSubmit", session, file, prompt=text, turn_id=f"{message}-turn")
        self._item(session, "UserMessage", message, text)
        self._item(session, "AgentMessage", f"{message}-answer", _ANSWER)
        self._hooks.run("Stop", session, file)
        return message

    def end(self, session: str) -> None:
        """End a session."""
        self._hooks.run("SessionEnd", session, self.transcript(session), reason="exit")

    def close(self) -> None:
        """Do nothing: hooks are programs."""


@dataclass(frozen=True, slots=True)
class OpenCodeHooks:
    """OpenCode 1: a process with the plugin in it, which outlives daemons."""

    home: Path
    database: OpenCodeDatabase
    host: "subprocess.Popen[str]"
    lock: threading.Lock = field(default_factory=threading.Lock)
    name: ClassVar[str] = "opencode"

    @classmethod
    def launch(cls, home: Path) -> "OpenCodeHooks":
        """Make its database, and load the plugin."""
        database = OpenCodeDatabase(home / ".local" / "share" / "opencode" / "opencode.db")
        plugin = home / ".config" / "opencode" / "plugins" / "intaglio.js"
        host = subprocess.Popen(
            ["node", str(_PLUGIN_HOST), plugin.as_uri(), str(project_of(home))],
            env={"HOME": str(home), "PATH": os.environ["PATH"]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return cls(home, database, host)

    def transcript(self, session: str) -> Path:
        """The database of all sessions."""
        del session
        return self.database.file

    def _tell(self, do: str, session: str, **more: str) -> None:
        stdin, stdout = self.host.stdin, self.host.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps({"do": do, "session": session, **more}) + "\n")
        stdin.flush()
        assert stdout.readline() == "\n", "the plugin ended"

    def start(self, session: str) -> None:
        """Start a session; the plugin tells of it with the first prompt."""
        with self.lock:
            self.database.session(session, str(project_of(self.home)))

    def turn(self, session: str, text: str) -> str:
        """Say something and get an answer."""
        with self.lock:
            message = self.database.say(session, text)
            self._tell("prompt", session, message=message, text=text)
            self.database.say(session, _ANSWER, role="assistant")
            self._tell("idle", session)
        return message

    def end(self, session: str) -> None:
        """Have the plugin forget the session; its messages stay, unlike in OpenCode."""
        with self.lock:
            self._tell("deleted", session)

    def close(self) -> None:
        """End the process."""
        self.host.communicate(timeout=PATIENCE_S)
        assert self.host.returncode == 0
