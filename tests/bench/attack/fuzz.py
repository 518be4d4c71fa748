"""Random texts through every door for text: no request costs much, and the daemon answers."""

import json
import random
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
import psutil

from bench.attack.arena import Arena
from bench.attack.probe import Outcome, Probe, judge
from bench.attack.random_text import RandomText
from fakes.daemon import Daemon
from fakes.mcp import ENDPOINT, tool_call

MINUTES: Final = 10.0
_SEED: Final = 20_261_125
_MAX_CPU_S: Final = 1.0
_HEALTH_TIMEOUT_S: Final = 2.0
_HEALTH_EVERY_S: Final = 0.05
_SERVER_ERROR: Final = 500
_UNAVAILABLE: Final = 503
# What a request leaves to do in the background counts as its own, for at most this long.
_SETTLE_S: Final = 2.0
_QUIET_S: Final = 0.1
_QUIET_SHARE: Final = 0.2


@dataclass(slots=True)
class Health:
    """Asks ``/health`` all the time, in a thread of its own."""

    url: str
    seconds: list[float] = field(default_factory=list[float])
    unanswered: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Ask until `stop`."""
        with httpx.Client(trust_env=False, timeout=_HEALTH_TIMEOUT_S) as client:
            while not self._over.wait(_HEALTH_EVERY_S):
                began = time.monotonic()
                try:
                    client.get(f"{self.url}/health").raise_for_status()
                except httpx.HTTPError:
                    self.unanswered += 1
                self.seconds.append(time.monotonic() - began)

    def stop(self) -> None:
        """End it."""
        self._over.set()


@dataclass(slots=True)
class Fuzzer:
    """Sends random texts to one daemon, and measures what each request costs it."""

    daemon: Daemon
    home: Path
    texts: RandomText
    project: Path
    sessions: int = 0
    cpu_s: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    broken: list[str] = field(default_factory=list[str])

    def run(self, seconds: float) -> None:
        """Send requests for so long, each kind in turn."""
        hook = {"authorization": f"Bearer {self.daemon.identity['hook_token']}"}
        doors: dict[str, Callable[[str], tuple[str, bytes]]] = {
            "remember": lambda text: ("/api/memory/remember", _json({"content": text})),
            "hook remember": lambda text: ("/api/hooks/remember", _json({"content": text})),
            "recall": lambda text: ("/api/memory/recall", _json({"query": text})),
            "memory_store": lambda text: (ENDPOINT, _call("memory_store", {"content": text})),
            "memory_search": lambda text: (ENDPOINT, _call("memory_search", {"query": text})),
            "prompt": self._prompt,
            "end of a turn": self._turn,
            "session start": self._start,
        }
        process = psutil.Process(self.daemon.process.pid)
        ends = time.monotonic() + seconds
        with (
            self.daemon.client(headers=hook) as hooks,
            self.daemon.client(headers=self.daemon.owner) as owner,
        ):
            number = 0
            while time.monotonic() < ends and self.daemon.process.poll() is None:
                name = list(doors)[number % len(doors)]
                number += 1
                text = self.texts.text()
                path, body = doors[name](text)
                before = _cpu(process)
                client = hooks if path.startswith("/api/hooks") else owner
                status = client.post(path, content=body, headers=_HEADERS).status_code
                cost = _settled(process) - before
                self.cpu_s.setdefault(name, []).append(cost)
                if status >= _SERVER_ERROR and status != _UNAVAILABLE:
                    self.broken.append(f"{name}: status {status} for {_short(text)}")
                if cost > _MAX_CPU_S:
                    self.broken.append(f"{name}: {cost:.1f} s of CPU for {_short(text)}")
        if self.daemon.process.poll() is not None:
            self.broken.append("the daemon ended")

    def _event(self, name: str, **more: str) -> tuple[str, bytes]:
        event = {
            "hook_event_name": name,
            "session_id": f"fuzz-{self.sessions}",
            "cwd": str(self.project),
            **more,
        }
        return "/api/hooks/native/claude-code", _json(event)

    def _prompt(self, text: str) -> tuple[str, bytes]:
        return self._event("UserPromptSubmit", prompt=text)

    def _start(self, text: str) -> tuple[str, bytes]:
        """Start a session in a repository whose files hold the text."""
        self.sessions += 1
        lines = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        (self.project / "CLAUDE.md").write_text(lines, encoding="utf-8")
        (self.project / ".git" / "config").write_text(lines[:60_000], encoding="utf-8")
        return self._event("SessionStart", source="startup")

    def _turn(self, text: str) -> tuple[str, bytes]:
        """End a turn in which the user typed the text."""
        self.sessions += 1
        name = f"fuzz-{self.sessions}"
        record = {
            "type": "user",
            "uuid": f"{name}-1",
            "sessionId": name,
            "cwd": str(self.project),
            "timestamp": "2026-11-25T10:00:00.000Z",
            "promptSource": "typed",
            "message": {"role": "user", "content": text},
        }
        file = self.home / ".claude" / "projects" / "-fuzz" / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_json(record) + b"\n")
        return self._event("Stop", transcript_path=str(file))


_HEADERS: Final = {"content-type": "application/json"}


def _json(value: object) -> bytes:
    # Half an emoji is sent escaped, as clients in JavaScript do.
    return json.dumps(value).encode()


def _call(name: str, arguments: dict[str, object]) -> bytes:
    return _json(tool_call(name, arguments))


def _short(text: str) -> str:
    return f"{len(text)} characters: {text[:40]!a}"


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _settled(process: psutil.Process) -> float:
    """Wait until the daemon has little to do, and return its CPU seconds."""
    ends = time.monotonic() + _SETTLE_S
    spent = _cpu(process)
    while time.monotonic() < ends:
        time.sleep(_QUIET_S)
        now = _cpu(process)
        if now - spent < _QUIET_S * _QUIET_SHARE:
            return now
        spent = now
    return spent


def probes(minutes: float = MINUTES) -> tuple[Probe, ...]:
    """Return the fuzz of so many minutes."""

    def run(arena: Arena) -> Outcome:
        daemon = arena.start("{}\n")
        project = arena.home / "repository"
        for folder in ("objects", "refs"):
            (project / ".git" / folder).mkdir(parents=True)
        (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        texts = RandomText(random.Random(_SEED))  # noqa: S311 - the same texts in every run
        fuzzer = Fuzzer(daemon, arena.home, texts, project)
        health = Health(daemon.url)
        thread = threading.Thread(target=health.run)
        thread.start()
        try:
            fuzzer.run(minutes * 60)
        finally:
            health.stop()
            thread.join()
        _print_figures(fuzzer, health)
        broken = [*fuzzer.broken, *["/health didn't answer"] * health.unanswered]
        tried = sum(map(len, fuzzer.cpu_s.values())) + len(health.seconds)
        return judge(broken, tried, "at most 1 s of CPU each; /health answers throughout")

    name = "random texts of up to 1 MB, with and without structure"
    return (Probe("fuzz", name, run, limit_s=minutes * 60 + 120),)


def _print_figures(fuzzer: Fuzzer, health: Health) -> None:
    print(f"{'fuzz':<16}{'requests':>9}{'CPU ms p50':>12}{'p95':>8}{'max':>8}")
    for name, costs in sorted(fuzzer.cpu_s.items()):
        ordered = sorted(costs)
        p95 = ordered[int(len(ordered) * 0.95)]
        figures = (statistics.median(ordered), p95, ordered[-1])
        median, high, most = (1_000 * each for each in figures)
        print(f"{name:<16}{len(ordered):>9}{median:>12.0f}{high:>8.0f}{most:>8.0f}")
    waits = sorted(health.seconds)
    median, high, most = (
        1_000 * each
        for each in (statistics.median(waits), waits[int(len(waits) * 0.95)], waits[-1])
    )
    print(
        f"{'/health, wall':<16}{len(waits):>9}{median:>12.0f}{high:>8.0f}{most:>8.0f}", flush=True
    )
