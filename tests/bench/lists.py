"""What the dashboard's list, filters and search cost with a given number of memories."""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from bench.caller import Caller, wait_until_embedded
from bench.corpus import Corpus
from bench.figures import HEAD, Series, row
from bench.filled import add_vectors, remember_all, remember_kept
from bench.home import switch_embedding, temporary_home
from fakes.daemon import running_daemon

_PAGE = 50
_WARM_UP = 3

# What the dashboard's filters send; agents and visibility as one who narrows sends them.
FILTERS: Mapping[str, Mapping[str, str]] = {
    "by type": {"type": "decision"},
    "by project": {"project": "/p/a"},
    "by tag (one of 100)": {"tags": "t7"},
    "by two tags": {"tags": "t7,t8"},
    "by who": {"who": "agent-3"},
    "pinned": {"pinned": "true"},
    "by agent": {"agent": "default"},
    "by agent that is not there": {"agent": "nobody"},
    "by visibility": {"visibility": "private"},
    "global alone": {"global_only": "true"},
    "project, who and tag": {"project": "/p/a", "who": "agent-3", "tags": "t7"},
    "forgotten": {"deleted": "true"},
}


def _list(**wanted: str) -> str:
    return f"/api/memories?{urlencode({'limit': str(_PAGE), **wanted})}"


def _ask(corpus: Corpus, **wanted: str) -> str:
    asked = {"q": corpus.question(), "explain": "true", "limit": str(_PAGE), **wanted}
    return f"/api/memory/search?{urlencode(asked)}"


def pages(caller: Caller) -> Callable[[], str]:
    """Return what names the next page, from the newest to the oldest and over again."""
    cursor: list[str | None] = [None]

    def path() -> str:
        shown = json.loads(caller.get(_list(**({"cursor": cursor[0]} if cursor[0] else {}))))
        cursor[0] = shown.get("next_cursor")
        return _list(**({"cursor": cursor[0]} if cursor[0] else {}))

    return path


def measure(caller: Caller, pid: int, runs: int) -> None:
    """Print what each view costs, one call at a time; then what a list costs after a write."""
    corpus = Corpus(seed=1)
    named: dict[str, Callable[[], str]] = {
        "GET /health (reference)": lambda: "/health",
        "list, newest": _list,
        "list, next page": pages(caller),
        **{f"list, {name}": partial(_list, **wanted) for name, wanted in FILTERS.items()},
        "search": partial(_ask, corpus),
        **{
            f"search, {name}": partial(_ask, corpus, **wanted)
            for name, wanted in FILTERS.items()
            if not wanted.keys() & {"deleted", "global_only"}
        },
    }
    reference: Series | None = None
    print(HEAD)
    for name, path in named.items():
        series = Series(name)
        for run in range(-_WARM_UP, runs):
            target = path()
            (series if run >= 0 else Series("warm-up")).take(pid, partial(caller.get, target))
        reference = reference or series
        print(row(series, reference), flush=True)
    after = Series("list, newest, after a write")
    for body in Corpus(seed=2).memories(runs):
        caller.post("/api/memory/remember", body)
        after.take(pid, partial(caller.get, _list()))
    print(row(after, reference or after))


def main(arguments: list[str]) -> None:
    """Fill fresh daemons, or take kept databases, and print the tables."""
    parser = argparse.ArgumentParser(prog="python3 app bench list")
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--cache", type=Path, required=True, help="where databases are kept")
    options = parser.parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    for memories in options.memories:
        with temporary_home() as home:
            if not remember_kept(home, memories, options.cache):
                remember_all(home, memories)
                add_vectors(home, memories, options.cache)
            switch_embedding(home, on=True)
            with running_daemon(home) as daemon:
                caller = Caller(daemon.port)
                wait_until_embedded(caller)
                time.sleep(1)
                print(f"\n{memories} memories")
                measure(caller, daemon.process.pid, options.runs)
