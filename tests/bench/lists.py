"""What the dashboard's list, filters, search, facets and changes of many cost, by their number."""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import urlencode

from bench.corpus import Corpus
from bench.facets import measure_tags
from bench.figures import HEAD, Series, row
from bench.home import switch_embedding, temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.prefilled_home import fill_kept
from fakes.daemon import running_daemon
from intaglio.lifecycle.values import token_of

_PAGE = 50
_WARM_UP = 3
_MANY = 5_000
_PART = 200

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
    "global alone": {"globalOnly": "true"},
    "by source": {"sourceType": "manual"},
    "by source that is not there": {"sourceType": "note"},
    "by session that is not there": {"sessionId": "none"},
    "importance to 0.5": {"importance_max": "0.5"},
    "since 2001": {"since": "2001-01-01"},
    "project, who and tag": {"project": "/p/a", "who": "agent-3", "tags": "t7"},
    "forgotten": {"deleted": "true"},
}


def _list(**wanted: str) -> str:
    return f"/api/memories?{urlencode({'limit': str(_PAGE), **wanted})}"


def _facets(**wanted: str) -> str:
    return f"/api/memories/facets?{urlencode(wanted)}"


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
            if "deleted" not in wanted
        },
    }
    # The first count reads every memory; a dashboard asks for it when it opens.
    first = Series("facets, the first")
    first.take(pid, partial(caller.get, _facets()))
    reference: Series | None = None
    print(HEAD)
    for name, path in named.items():
        series = Series(name)
        for run in range(-_WARM_UP, runs):
            target = path()
            (series if run >= 0 else Series("warm-up")).take(pid, partial(caller.get, target))
        reference = reference or series
        print(row(series, reference), flush=True)
    reference = reference or first
    print(row(first, reference))
    _after_writes(caller, pid, runs, reference)
    _many(caller, pid, reference)


def _after_writes(caller: Caller, pid: int, runs: int, reference: Series) -> None:
    """Print what lists and counts cost of which nothing is kept: a memory came before each."""
    asked = {
        "list, newest, after a write": _list(),
        "facets, no filter": _facets(),
        **{f"facets, {name}": _facets(**wanted) for name, wanted in FILTERS.items()},
    }
    bodies = Corpus(seed=2).memories(len(asked) * runs)
    for name, path in asked.items():
        series = Series(name)
        for body in islice(bodies, runs):
            caller.post("/api/memory/remember", body)
            # Its vector is made beside the list, and would count as the list's work.
            wait_until_embedded(caller)
            series.take(pid, partial(caller.get, path))
        print(row(series, reference), flush=True)


def _many(caller: Caller, pid: int, reference: Series) -> None:
    """Print what a change of many costs as the dashboard makes it, 200 a call, and a list then."""
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while len(ids) < _MANY:
        shown = json.loads(caller.get(_list(**{**cursor, "limit": "1000"})))
        ids += [each["id"] for each in shown["memories"]]
        if not shown["next_cursor"]:
            break
        cursor = {"cursor": shown["next_cursor"]}
    parts = [ids[start : start + _PART] for start in range(0, min(len(ids), _MANY), _PART)]

    def patches(part: list[str], *, pinned: bool) -> Mapping[str, object]:
        return {"reason": "bench", "patches": [{"id": id_, "pinned": pinned} for id_ in part]}

    def forget(part: list[str]) -> Mapping[str, object]:
        token = token_of(part)
        named = {"ids": part, "reason": "bench"}
        return {"mode": "execute", "confirm_token": token, **named}

    steps: dict[str, tuple[str, Callable[[list[str]], Mapping[str, object]]]] = {
        "pin 200": ("/api/memory/modify", partial(patches, pinned=True)),
        "unpin 200": ("/api/memory/modify", partial(patches, pinned=False)),
        "forget 200": ("/api/memory/forget", forget),
        "recover 200": ("/api/memory/recover", lambda part: {"ids": part, "reason": "bench"}),
    }
    for name, (path, body) in steps.items():
        series = Series(f"{name}, {len(parts)} times")
        for part in parts:
            series.take(pid, partial(caller.post, path, body(part)))
        print(row(series, reference), flush=True)
        for shown, target in (("list", _list()), ("facets", _facets())):
            after = Series(f"  {shown}, after all of that")
            after.take(pid, partial(caller.get, target))
            print(row(after, reference), flush=True)


def main(arguments: list[str]) -> None:
    """Fill fresh daemons, or take kept databases, and print the tables."""
    parser = argparse.ArgumentParser(prog="python3 app bench list")
    parser.add_argument("--memories", type=int, nargs="+", default=[10_000])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--cache", type=Path, required=True, help="where databases are kept")
    options = parser.parse_args(arguments)
    for memories in options.memories:
        with temporary_home() as home:
            fill_kept(home, memories, options.cache)
            switch_embedding(home, on=True)
            with running_daemon(home, fresh=True) as daemon:
                caller = Caller(daemon.port)
                wait_until_embedded(caller)
                time.sleep(1)
                print(f"\n{memories} memories")
                measure(caller, daemon.process.pid, options.runs)
        measure_tags(memories, options.runs)
