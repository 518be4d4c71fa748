"""What Home, a project and a session cost with many memories, projects and sessions."""

import argparse
import asyncio
import json
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from bench.corpus import Corpus
from bench.figures import HEAD, Series, percentile, row
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller
from bench.prefilled_home import database_of
from fakes.chromium import running_chromium
from fakes.daemon import Daemon, running_daemon
from fakes.dashboard import Dashboard
from intaglio.base.clock import iso, system_clock
from intaglio.base.text import content_hash
from intaglio.daemon.packages import PACKAGES
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory, NewMemory, Scope, Source
from intaglio.sessions import rows as sessions
from intaglio.sessions.rows import Injection
from intaglio.sessions.values import ContextCandidate, ContextEntry, SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.store.values import DatabaseOptions

_TYPES: Final = ("rule", "decision", "preference", "fact", "procedural", "issue")
_SHARES: Final = (2, 20, 8, 40, 10, 20)
_BATCH: Final = 1_000
_PROMPTS: Final = 6
_TOLD: Final = 24
_PER_PROMPT: Final = 4


@dataclass(frozen=True, slots=True)
class Size:
    """How much the store holds."""

    memories: int
    projects: int
    sessions: int


class Filler:
    """Writes memories and sessions straight into a database; the same for the same size."""

    def __init__(self, size: Size, now: datetime) -> None:
        self._size = size
        self._now = now
        self._random = random.Random(11)  # noqa: S311 - figures have to be repeatable
        self._corpus = Corpus(seed=5)
        self.projects = [f"/work/group-{n % 20}/project-{n}" for n in range(size.projects)]
        # A few projects have most of the memories, and one in ten memories has no project.
        self._weights = [1 / (rank + 5) for rank in range(size.projects)]

    def project(self) -> str:
        """Return a project, the busy ones more often."""
        return self._random.choices(self.projects, self._weights)[0]

    def memory(self, tx: WriteTx, number: int) -> None:
        """Write one memory."""
        content = f"{self._corpus.memory()} ({number})"
        project = None if self._random.random() < 0.1 else self.project()
        made = NewMemory(
            content=content,
            type=self._random.choices(_TYPES, _SHARES)[0],  # pyright: ignore[reportArgumentType] - they are types
            importance=self._random.choice((0.5, 0.5, 0.6, 0.8, 0.9)),
            confidence=1.0,
            pinned=self._random.random() < 0.002,
            tags=(),
            who="claude-code",
            why=None,
            scope=Scope("default", project),
            source=Source("manual"),
            session_id=None,
            idempotency_key=None,
            runtime_path=None,
            created_at=self._moment(700),
        )
        memories.insert(tx, made, f"m-{number}", content_hash(content))

    def _moment(self, days: float) -> str:
        return iso(self._now - timedelta(days=self._random.random() * days))

    def session(self, tx: WriteTx, number: int) -> None:
        """Write one session with its start and its prompts."""
        project = self.project()
        at = iso(self._now - timedelta(minutes=20 * (self._size.sessions - number)))
        ref = SessionRef(harness="claude-code", id=f"session-{number}", project=project)
        sessions.touch(tx, ref, project, at)
        start = self._random.randrange(max(1, self._size.memories - 100))
        found = memories.by_ids(tx, [f"m-{start + n}" for n in range(_TOLD)])
        told = [_entry(memory) for memory in found.values()]
        calls: list[tuple[str, Sequence[ContextEntry], tuple[str, ...]]] = [
            ("session_start", told, ())
        ]
        for _ in range(_PROMPTS):
            words = tuple(self._corpus.question().lower().split()[:6])
            calls.append(("prompt", told[:_PER_PROMPT], words))
        for event, entries, words in calls:
            text = "\n".join(entry.line for entry in entries)
            sessions.record(
                tx,
                ref,
                Injection(
                    event=event,
                    source="startup" if event == "session_start" else None,
                    prompt_id=None,
                    project=project,
                    terms=json.dumps(words) if words else None,
                    text=text,
                    entries=tuple(entries),
                    elapsed_ms=5.0,
                    at=at,
                ),
            )
            if event == "prompt":
                sessions.count_prompt(tx, ref)

    def fill(self, what: Callable[[WriteTx, int], None], numbers: range, tx: WriteTx) -> None:
        """Write these."""
        for number in numbers:
            what(tx, number)


def _entry(memory: Memory) -> ContextEntry:
    return ContextEntry(ContextCandidate(memory, "decision, this project", 0.5), memory.content, 30)


async def _fill(file: Path, filler: Filler, size: Size) -> None:
    db = Database(
        DatabaseOptions(file, file.parent / "backups", PACKAGES.schema),
        system_clock,
        lambda _: None,
    )
    await db.open()
    for what, count in ((filler.memory, size.memories), (filler.session, size.sessions)):
        for start in range(0, count, _BATCH):
            numbers = range(start, min(start + _BATCH, count))
            await db.write(partial(filler.fill, what, numbers))
    await db.close()


def prepare(home: Path, size: Size, cache: Path | None) -> Filler:
    """Put a filled database into the home, from the cache if it's there."""
    file, filler = database_of(home), Filler(size, datetime.now(UTC))
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = cache / f"sessions-{size.memories}-{size.sessions}.db" if cache else None
    if kept is not None and kept.exists():
        shutil.copyfile(kept, file)
        return filler
    began = time.perf_counter()
    asyncio.run(_fill(file, filler, size))
    print(f"{size} written in {time.perf_counter() - began:.0f} s", flush=True)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, kept)
    return filler


def measure_calls(daemon: Daemon, filler: Filler, size: Size, runs: int) -> None:
    """Print what the endpoints of these pages cost the daemon."""
    caller, corpus, pid = Caller(daemon.port), Corpus(seed=9), daemon.process.pid

    def start() -> bytes:
        body = {
            "hook_event_name": "SessionStart",
            "session_id": f"new-{time.perf_counter_ns()}",
            "cwd": filler.project(),
            "source": "startup",
        }
        return caller.post("/api/hooks/native/claude-code", body)

    def session() -> bytes:
        return caller.get(f"/api/sessions/{random.randrange(1, size.sessions)}")  # noqa: S311 - see above

    def preview(prompt: str | None = None) -> bytes:
        body: dict[str, object] = {"project": filler.project(), "prompt": prompt}
        return caller.post("/api/sessions/preview", body)

    # As the dashboard's user, whose projects an index alone counts.
    user = daemon.client(headers={"cookie": daemon.sign_in(), "origin": daemon.url})

    operations: tuple[tuple[str, Callable[[], object]], ...] = (
        ("preview", preview),
        ("preview with a prompt", lambda: preview(corpus.question())),
        ("session start of Claude Code", start),
        ("list of sessions", lambda: caller.get("/api/sessions?limit=50")),
        ("sessions of a project", lambda: caller.get(f"/api/sessions?project={filler.project()}")),
        ("one session", session),
        ("list of projects", lambda: user.get("/api/projects?limit=5")),
        ("all projects", lambda: user.get("/api/projects?limit=200")),
    )
    print(HEAD)
    first: Series | None = None
    for name, work in operations:
        series = Series(name)
        for _ in range(3):
            work()
        for _ in range(runs):
            series.take(pid, work)
        first = first or series
        print(row(series, first), flush=True)


def measure_pages(dashboard: Dashboard, size: Size, runs: int) -> None:
    """Print when the pages have painted their data, with the files at hand."""
    with running_chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.goto(dashboard.fresh_link())
        for name, path, shown in (
            ("Home", "/home", "[data-told-line], [data-empty]"),
            ("a session", f"/sessions/{size.sessions // 2}", "[data-timeline]"),
            ("sessions", "/sessions", "[role=option], [role=row] a, li a"),
        ):
            painted = [_painted(page, f"{dashboard.url}{path}", shown) for _ in range(runs + 1)][1:]
            print(
                f"{name:<44}{percentile(painted, 0.5):>10.0f} ms p50"
                f"{percentile(painted, 0.95):>10.0f} ms p95 until its data is painted"
            )


def _painted(page: Page, url: str, shown: str) -> float:
    page.goto("about:blank")
    page.add_init_script(
        "new MutationObserver((_, o) => { if (!document.querySelector("
        + json.dumps(f"main :is({shown})")
        + ")) return; o.disconnect(); requestAnimationFrame(() => requestAnimationFrame(() => {"
        "window.shownAt = performance.now(); })); })"
        ".observe(document, { childList: true, subtree: true });"
    )
    page.goto(url)
    page.wait_for_function("() => window.shownAt !== undefined")
    return float(page.evaluate("window.shownAt"))


def main(arguments: list[str]) -> None:
    """Fill a store, start a daemon and a browser on it, and print the figures."""
    parser = argparse.ArgumentParser(prog="python3 app bench sessions")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--projects", type=int, default=500)
    parser.add_argument("--sessions", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--cache", type=Path, help="where filled databases are kept")
    options = parser.parse_args(arguments)
    size = Size(options.memories, options.projects, options.sessions)
    with temporary_home() as home:
        filler = prepare(home, size, options.cache)
        switch_embedding(home, on=False)
        with running_daemon(home, fresh=True) as daemon, daemon.client() as http:
            measure_calls(daemon, filler, size, options.runs)
            if not options.no_browser:
                measure_pages(Dashboard(home, daemon, http), size, max(5, options.runs // 6))
