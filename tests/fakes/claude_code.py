"""Drives the real Claude Code in a home of its own, against a stub of its model API."""

import fcntl
import json
import os
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

BINARY = Path(__file__).resolve().parents[2] / ".work/clients/node_modules/.bin/claude"
TURN_S = 120

_CONTROLS = r"\x1b\][^\x07]*\x07|\x1b[\[(][0-9;?<>=]*[A-Za-z]"

# One turn after the other in one session, as an interactive session has it.
_STREAM = (
    "-p",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--verbose",
)


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of the client did."""

    code: int
    stdout: str
    stderr: str
    seconds: float


def run_once(command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> Run:
    """Run a client without a terminal until it ends."""
    started = time.monotonic()
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TURN_S,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr, time.monotonic() - started)


@dataclass(slots=True)
class OpenSession:
    """A session that goes on until its block ends."""

    process: "subprocess.Popen[str]"
    said: list[str] = field(default_factory=list[str])

    def say(self, prompt: str) -> None:
        """Send a prompt and wait for the end of the agent's turn."""
        stdin, stdout = _pipe(self.process.stdin), _pipe(self.process.stdout)
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()
        for line in stdout:
            self.said.append(line)
            event: dict[str, Any] = json.loads(line)
            if event["type"] == "result":
                assert event["subtype"] == "success", line
                return
        raise AssertionError("the client ended within a turn")


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


@dataclass(slots=True)
class Terminal:
    """The screen of the interactive client, as text that only grows."""

    process: "subprocess.Popen[bytes]"
    master: int
    output: bytes = b""
    ended: bool = False

    @property
    def text(self) -> str:
        """All that was drawn so far, without colours and without blanks: those are not reliable."""
        return re.sub(r"\s|" + _CONTROLS, "", self.output.decode("utf-8", "replace"))

    def send(self, line: str) -> None:
        """Type a line and press Enter; the client takes a key that comes too soon for a paste."""
        os.write(self.master, line.encode())
        self.wait_for(line)
        self._pump(0.3)
        os.write(self.master, b"\r")

    def paste(self, text: str) -> None:
        """Paste a text as a terminal does, between marks, so that no line of it is a key press."""
        os.write(self.master, b"\x1b[200~" + text.encode() + b"\x1b[201~")
        self._pump(0.5)

    def type(self, text: str) -> None:
        """Type on in the prompt that is being written."""
        os.write(self.master, text.encode())
        self._pump(0.5)

    def enter(self) -> None:
        """Press Enter."""
        os.write(self.master, b"\r")

    def wait_for(self, text: str, seconds: float = TURN_S) -> None:
        """Wait until the text was drawn anew, then until the screen rests."""
        wanted = re.sub(r"\s", "", text)
        seen = len(self.text)
        end = time.monotonic() + seconds
        while wanted not in self.text[max(0, seen - len(wanted)) :] and time.monotonic() < end:
            self._pump(0.1)
        assert wanted in self.text, self.text[-2_000:]
        self._pump(0.5)

    def wait_for_end(self, seconds: float = TURN_S) -> None:
        """Wait until the client has left."""
        end = time.monotonic() + seconds
        while not self.ended and time.monotonic() < end:
            self._pump(0.1)
        assert self.ended

    def _pump(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.ended and (left := end - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.output += os.read(self.master, 65_536)
                except OSError:  # the terminal is gone with its last user
                    self.ended = True


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """The client with one home and one model API."""

    home: Path
    model_url: str
    extra: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def settings(self) -> Path:
        """The user's settings."""
        return self.home / ".claude" / "settings.json"

    @property
    def env(self) -> dict[str, str]:
        """An environment in which nothing but the stub is reached."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": self.model_url,
            "ANTHROPIC_API_KEY": "sk-ant-stub",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            **self.extra,
        }

    def ask(self, prompt: str, cwd: Path, *args: str) -> Run:
        """Run ``claude -p`` once: a session of one turn, unless ``args`` continue another."""
        return run_once([str(BINARY), "-p", prompt, *args], cwd, self.env)

    @contextmanager
    def session(self, cwd: Path, *args: str) -> Generator[OpenSession]:
        """Keep one session open while the block runs; leave it in good order."""
        with subprocess.Popen(
            [str(BINARY), *_STREAM, *args],
            cwd=cwd,
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield OpenSession(process)
                _, errors = process.communicate(timeout=TURN_S)
                assert (process.returncode, errors) == (0, "")
            finally:
                if process.poll() is None:
                    process.kill()

    @contextmanager
    def terminal(self, cwd: Path, *args: str, ready: str = "auto mode on") -> Generator["Terminal"]:
        """Run the interactive client in a terminal while the block runs; leave it by /exit.

        ``ready`` is what it draws when it can be typed into.
        """
        self._skip_first_questions(cwd)
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        process = subprocess.Popen(
            [str(BINARY), *args],
            cwd=cwd,
            env={**self.env, "TERM": "xterm-256color"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        terminal = Terminal(process, master)
        try:
            terminal.wait_for(ready)
            yield terminal
            terminal.send("/exit")
            terminal.wait_for_end()
        finally:
            process.kill()
            process.wait(TURN_S)
            os.close(master)

    def _skip_first_questions(self, cwd: Path) -> None:
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [self.env["ANTHROPIC_API_KEY"]], "rejected": []},
            "projects": {str(cwd): project},
        }
        (self.home / ".claude.json").write_text(json.dumps(answers))

    def talk(self, cwd: Path, prompts: Sequence[str]) -> None:
        """Hold one session with these prompts, one turn each."""
        with self.session(cwd) as session:
            for prompt in prompts:
                session.say(prompt)
