"""How well recall finds what it should, through the HTTP API: the table of recall quality.

A data set's spaces are projects; a memory's `kind`, where it has one, is talk, statement or
document. The file of PrecisionMemBench's beliefs is recognised by its name; its cases lie beside
it.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from bench import precision
from bench.figures import cpu_ms, percentile
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.recall_tally import EMPTY_HEAD, HEAD, EmptyTally, Tally
from fakes.daemon import Daemon, running_daemon

MIXED: Final = Path(__file__).with_name("mixed") / "dev.json"
_LIMIT: Final = 20

Space = Mapping[str, Any]
Prepare: TypeAlias = Callable[[Daemon, Mapping[str, Mapping[str, str]]], None]
"""What is done before questions are asked, given the data set's ids by memory id, by space."""


@dataclass(slots=True)
class Report:
    """All tallies of a data set: by category, by kind of gold memory, and without gold."""

    all: Tally = field(default_factory=Tally)
    categories: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    kinds: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    empty: EmptyTally = field(default_factory=EmptyTally)

    def add(
        self, question: Mapping[str, Any], found: Sequence[str], kinds: Mapping[str, str]
    ) -> None:
        """Note the answer to a question; a question counts once for each kind of its gold."""
        gold: list[str] = question["gold"]
        if not gold:
            self.empty.add(found)
            return
        self.all.add(gold, found)
        self.categories[question["category"]].add(gold, found)
        for kind in sorted({kinds[memory] for memory in gold if memory in kinds}):
            of_kind = [memory for memory in gold if kinds.get(memory) == kind]
            self.kinds[f"gold: {kind}"].add(of_kind, found)

    def print(self) -> None:
        """Print the tables."""
        if self.all.returned:
            print(HEAD)
            print(self.all.row("all"))
            for tallies in (self.categories, self.kinds):
                for name, tally in tallies.items():
                    print(tally.row(name))
        if self.empty.returned:
            print(EMPTY_HEAD)
            print(self.empty.row("all"))


def feed(caller: Caller, space: Space) -> dict[str, str]:
    """Remember the space's memories in order and return dataset ids by memory id."""
    known: dict[str, str] = {}
    for memory in space["memories"]:
        answer = json.loads(caller.post("/api/memory/remember", body_of(space["id"], memory)))
        known.setdefault(answer["id"], memory["id"])
    return known


def body_of(space: str, memory: Mapping[str, Any]) -> dict[str, object]:
    """Return what is posted for a memory; one without a session belongs to no conversation."""
    who = memory.get("who") or ""
    body: dict[str, object] = {
        "content": f"{who}: {memory['content']}" if who else memory["content"],
        "who": who or "bench",
        "project": space,
        "agentId": space,
        "createdAt": memory["createdAt"],
    }
    if "session" in memory:
        body["sessionId"] = f"{space}-{memory['session']}"
    if "type" in memory:
        body["type"] = memory["type"]
    return body


def ask(caller: Caller, space: str, query: str) -> list[str]:
    """Return the ids of the recalled memories, best first; there may be fewer than the limit."""
    body = {"query": query, "limit": _LIMIT, "project": space, "agentId": space}
    answer = json.loads(caller.post("/api/memory/recall", body))
    return [result["id"] for result in answer["results"]]


def kinds_of(space: Space) -> dict[str, str]:
    """Return the kind of each memory that tells one."""
    return {memory["id"]: memory["kind"] for memory in space["memories"] if "kind" in memory}


def measure(
    daemon: Daemon, spaces: Sequence[Space], prepare: Prepare = lambda _, __: None
) -> Report:
    """Feed all spaces, prepare, ask all questions, print the tables."""
    caller = Caller(daemon.port)
    known = {space["id"]: feed(caller, space) for space in spaces}
    wait_until_embedded(caller)
    prepare(daemon, known)
    # Nothing was sent while it prepared.
    caller = Caller(daemon.port)
    report, costs = Report(), list[float]()
    for space in spaces:
        kinds = kinds_of(space)
        for question in space["questions"]:
            before = cpu_ms(daemon.process.pid)
            found = ask(caller, space["id"], question["query"])
            costs.append(cpu_ms(daemon.process.pid) - before)
            ids = [known[space["id"]].get(memory, memory) for memory in found]
            report.add(question, ids, kinds)
    report.print()
    print(f"CPU ms a recall: p50 {percentile(costs, 0.5):.2f}, p95 {percentile(costs, 0.95):.2f}")
    return report


def main(arguments: list[str]) -> None:
    """Run every data set that is named; settings are the defaults unless given."""
    parser = argparse.ArgumentParser(prog="python3 app bench recall")
    parser.add_argument("--data", type=Path, action="append", help="default: the mixed set")
    parser.add_argument("--alpha", type=float, help="weight of the vectors (default: the app's)")
    parser.add_argument(
        "--without",
        metavar="SIGNAL",
        action="append",
        default=[],
        help="rank without this signal (repeatable)",
    )
    options = parser.parse_args(arguments)
    search = _search_settings(options.alpha, options.without)
    for file in options.data or [MIXED]:
        print(f"\n{file.name}, {search or 'settings as shipped'}")
        if file.name == precision.BELIEFS:
            for forget_old in (False, True):
                with daemon_with({"search": search}) as daemon:
                    precision.measure(daemon, file.parent, forget_old=forget_old)
            continue
        with daemon_with({"search": search}) as daemon:
            measure(daemon, json.loads(file.read_text(encoding="utf-8"))["spaces"])


def _search_settings(alpha: float | None, without: Sequence[str]) -> dict[str, object]:
    settings: dict[str, object] = {} if alpha is None else {"alpha": alpha}
    return {**settings, "without": ", ".join(without)} if without else settings


@contextmanager
def daemon_with(settings: Mapping[str, object]) -> Generator[Daemon]:
    """Run a daemon with these sections of settings."""
    with temporary_home() as home:
        wanted = {name: values for name, values in settings.items() if values}
        if wanted:
            (home / "agents").mkdir(parents=True)
            # JSON is YAML.
            (home / "agents" / "agent.yaml").write_text(json.dumps(wanted))
        with running_daemon(home, fresh=True) as daemon:
            yield daemon
