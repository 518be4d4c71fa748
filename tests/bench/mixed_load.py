"""A mixed load, as people and their agents make it: small things, at random, at a steady rate."""

import contextlib
import http.client
import json
import random
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlencode

from bench.corpus import Corpus
from bench.hook_caller import Caller

_ACTORS: Final = 3
_SWEEP_EVERY_S: Final = 180.0
_KEPT: Final = 60
_TURNS: Final = 20
_DECISIONS: Final = 40
_MORE_THAN_KEPT: Final = 1_100
_PAGE: Final = 100
_PROJECT: Final = "/p/a"
# So often, of a hundred. As much is forgotten as is remembered, and what is decided in a session
# is one of a few things, or the store would grow.
_SHARES: Final = {
    "remember": 13, "recall": 18, "search": 7, "list": 8, "facets": 3, "look": 6, "modify": 8,
    "forget": 13, "recover": 2, "erase": 2, "start": 2, "prompt": 10, "stop": 5, "status": 3,
}  # fmt: skip
_WEIGHTS: Final = list(accumulate(_SHARES.values()))


class _Session:
    """A conversation of Claude Code, with the transcript that the daemon reads."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.turns = name, 0
        self.transcript = folder / f"{name}.jsonl"
        self.transcript.touch()

    def say(self, role: str, text: str) -> None:
        """Write what was said as the harness does."""
        self.turns += 1
        line = {
            "type": role,
            "uuid": f"{self.name}-{self.turns}",
            "sessionId": self.name,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "cwd": _PROJECT,
            "message": {"role": role, "content": text},
        }
        with self.transcript.open("a") as stream:
            stream.write(f"{json.dumps(line)}\n")

    def event(self, name: str, **told: object) -> dict[str, object]:
        """Return a hook's payload."""
        where = {"transcript_path": str(self.transcript), "cwd": _PROJECT}
        return {"hook_event_name": name, "session_id": self.name, **where, **told}


class _Actor:
    """One who does one thing after the other, over one kept connection."""

    def __init__(self, port: int, home: Path, number: int) -> None:
        self._port, self._number = port, number
        self._random = random.Random(number)  # noqa: S311 - a load, no secret
        self._corpus = Corpus(100 + number)
        self._bodies = self._corpus.memories(1_000_000)
        self._caller = Caller(port)
        self._kept, self._forgotten = deque[str](), deque[str](maxlen=20)
        self._folder = home / ".claude" / "projects" / f"-p-{number}"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._decided = [f"We decided that {self._corpus.memory()}" for _ in range(_DECISIONS)]
        self._sessions = 0
        self._session = self._new_session()

    def _new_session(self) -> _Session:
        self._sessions += 1
        return _Session(self._folder, f"soak-{self._number}-{self._sessions}")

    def act(self) -> str:
        """Do something, and say what it was."""
        names = list(_SHARES)
        name = self._random.choices(names, cum_weights=_WEIGHTS)[0]
        if name in {"forget", "look", "modify", "erase"} and len(self._kept) < _KEPT:
            name = "remember"
        elif name == "remember" and len(self._kept) > 2 * _KEPT:
            name = "forget"
        if name == "recover" and not self._forgotten:
            name = "recall"
        actions: Mapping[str, Callable[[], object]] = {
            "remember": self._remember,
            "recall": lambda: self._post("memory/recall", query=self._corpus.question()),
            "search": lambda: self._get("memory/search", q=self._corpus.question(), limit="20"),
            "list": lambda: self._get("memories", limit="50", project=_PROJECT),
            "facets": lambda: self._get("memories/facets", project=_PROJECT),
            "look": lambda: self._get(f"memory/{self._any()}/history"),
            "modify": self._modify,
            "forget": self._forget,
            "recover": self._recover,
            "erase": lambda: self._delete(self._kept.popleft(), force="true"),
            "start": self._start,
            "prompt": self._prompt,
            "stop": self._stop,
            "status": lambda: self._get("status"),
        }
        try:
            actions[name]()
        except (OSError, http.client.HTTPException):
            self._caller = Caller(self._port)
            raise
        return name

    def _any(self) -> str:
        return self._random.choice(self._kept)

    def _get(self, path: str, **asked: str) -> bytes:
        return self._caller.get(f"/api/{path}?{urlencode(asked)}")

    def _post(self, path: str, **body: object) -> bytes:
        return self._caller.post(f"/api/{path}", body)

    def _delete(self, memory: str, **asked: str) -> None:
        query = urlencode({"reason": "not needed any more", **asked})
        self._caller.send("DELETE", f"/api/memory/{memory}?{query}")

    def _remember(self) -> None:
        told: dict[str, Any] = json.loads(self._post("memory/remember", **next(self._bodies)))
        if not told.get("deduped"):
            self._kept.append(told["id"])

    def _modify(self) -> None:
        change: dict[str, object] = {"importance": round(self._random.random(), 2)}
        if self._random.random() < 1 / 3:
            change = {"content": f"{self._corpus.memory()} {self._random.random()}"}
        body = {"reason": "known better", **change}
        self._caller.send("PATCH", f"/api/memory/{self._any()}", body)

    def _forget(self) -> None:
        memory = self._kept.popleft()
        self._delete(memory)
        self._forgotten.append(memory)

    def _recover(self) -> None:
        memory = self._forgotten.pop()
        self._post(f"memory/{memory}/recover", reason="needed after all")
        self._kept.append(memory)

    def _hook(self, event: Mapping[str, object]) -> None:
        self._caller.post("/api/hooks/claude-code", event)

    def _start(self) -> None:
        self._hook(self._session.event("SessionEnd", reason="clear"))
        self._session = self._new_session()
        self._hook(self._session.event("SessionStart", source="startup"))

    def _prompt(self) -> None:
        question = self._corpus.question()
        self._session.say("user", question)
        self._hook(self._session.event("UserPromptSubmit", prompt=question))

    def _stop(self) -> None:
        if self._session.turns > _TURNS:
            return self._start()
        self._session.say("user", self._random.choice(self._decided))
        self._session.say("assistant", "Done, and the tests are green.")
        return self._hook(self._session.event("Stop"))


class Load:
    """The load while the block runs: what was done, what failed, and how long calls took."""

    def __init__(self, port: int, home: Path, rate: float) -> None:
        self._port, self._pause_s = port, _ACTORS / rate
        self._over, self._lock = threading.Event(), threading.Lock()
        self.done, self.failed = Counter[str](), Counter[str]()
        self._walls: list[float] = []
        actors = [_Actor(port, home, number) for number in range(_ACTORS)]
        works: list[Callable[[], None]] = [
            # Each has its own pauses, or all would call at the same moments.
            partial(self._act, actor, random.Random(number))  # noqa: S311 - a load, no secret
            for number, actor in enumerate(actors, start=10)
        ]
        works += [self._listen, self._sweep]
        self._threads = [threading.Thread(target=work) for work in works]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def take_walls(self) -> list[float]:
        """Hand over each call's milliseconds since the last time."""
        with self._lock:
            walls, self._walls = self._walls, []
        return walls

    def _act(self, actor: _Actor, chance: random.Random) -> None:
        while not self._over.wait(chance.expovariate(1 / self._pause_s)):
            started = time.perf_counter()
            try:
                name = actor.act()
            except (OSError, RuntimeError, http.client.HTTPException) as error:
                with self._lock:
                    self.failed[str(error)[:120]] += 1
                continue
            with self._lock:
                self.done[name] += 1
                self._walls.append((time.perf_counter() - started) * 1000)

    def _listen(self) -> None:
        """Follow the event stream as a dashboard does that is opened, left alone, and closed."""
        chance = random.Random(1)  # noqa: S311 - a load, no secret
        while not self._over.is_set():
            stream = http.client.HTTPConnection("127.0.0.1", self._port, timeout=2)
            with contextlib.suppress(OSError, http.client.HTTPException):
                stream.request("GET", "/api/events")
                answer = stream.getresponse()
                end = time.monotonic() + chance.uniform(1, 20)
                while time.monotonic() < end and not self._over.is_set():
                    answer.readline()
            stream.close()
            self.done["event stream"] += 1
            self._over.wait(chance.uniform(0, 5))

    def _sweep(self) -> None:
        while not self._over.wait(_SWEEP_EVERY_S):
            with contextlib.suppress(OSError, RuntimeError, http.client.HTTPException):
                Caller(self._port).post("/api/repair/retention-sweep", {})
                self.done["sweep"] += 1


def fill_caches(port: int) -> None:
    """Ask for more different things than any of the daemon's bounded caches keeps.

    Those of the web framework keep 1,024 paths, path parameters and query strings each, the one of
    questions 1,000 vectors: under the load alone the last of them is full after half an hour.
    """
    caller, corpus = Caller(port), Corpus(99)
    questions = [corpus.question() for _ in range(_MORE_THAN_KEPT)]
    for question in questions:
        caller.post("/api/memory/recall", {"query": question})
    for number, question in enumerate(questions):
        caller.get(f"/api/memory/search?{urlencode({'q': f'{question} {number}', 'limit': '1'})}")
    for offset in range(0, _MORE_THAN_KEPT, _PAGE):
        asked = urlencode({"limit": str(_PAGE), "offset": str(offset)})
        for memory in json.loads(caller.get(f"/api/memories?{asked}"))["memories"]:
            caller.get(f"/api/memory/{memory['id']}/history")
