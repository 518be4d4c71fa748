"""How well recall finds what it should, through the HTTP API: the table of recall quality.

The file of PrecisionMemBench's beliefs is recognised by its name; its cases lie beside it.
"""

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench import precision
from bench.figures import cpu_ms, percentile
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from fakes.daemon import Daemon, running_daemon

_LIMIT: Final = 20


@dataclass(slots=True)
class Tally:
    """The ranks of the gold memories of a set of questions."""

    reached: dict[int, list[float]] = field(
        default_factory=lambda: {5: list[float](), 10: list[float](), 20: list[float]()}
    )
    reciprocal: list[float] = field(default_factory=list[float])

    def add(self, gold: Sequence[str], found: Sequence[str]) -> None:
        """Note one question: the share of its gold that stands in the first 5, 10, 20."""
        wanted = set(gold)
        for depth, shares in self.reached.items():
            shares.append(len(wanted & set(found[:depth])) / len(wanted))
        ranks = [rank for rank, memory in enumerate(found, 1) if memory in wanted]
        self.reciprocal.append(1 / ranks[0] if ranks else 0.0)

    def row(self, name: str) -> str:
        """Write a line of the table: questions, R@5, R@10, R@20, MRR."""
        shares = "".join(f"{statistics.mean(self.reached[depth]):>8.3f}" for depth in (5, 10, 20))
        mean = statistics.mean(self.reciprocal)
        return f"{name:<24}{len(self.reciprocal):>6}{shares}{mean:>8.3f}"


def feed(caller: Caller, space: Mapping[str, Any]) -> dict[str, str]:
    """Remember one memory per turn, in order, and return dataset ids by memory id."""
    known: dict[str, str] = {}
    for turn in space["memories"]:
        who = turn.get("who") or ""
        body = {
            "content": f"{who}: {turn['content']}" if who else turn["content"],
            "who": who or "bench",
            "project": space["id"],
            "agentId": space["id"],
            "sessionId": f"{space['id']}-{turn.get('session', 0)}",
            "createdAt": turn["createdAt"],
        }
        answer = json.loads(caller.post("/api/memory/remember", body))
        known.setdefault(answer["id"], turn["id"])
    return known


def ask(caller: Caller, space: str, query: str) -> list[str]:
    """Return the ids of the recalled memories, best first."""
    body = {"query": query, "limit": _LIMIT, "project": space, "agentId": space}
    answer = json.loads(caller.post("/api/memory/recall", body))
    return [result["id"] for result in answer["results"]]


def measure(daemon: Daemon, spaces: Sequence[Mapping[str, Any]]) -> None:
    """Feed all spaces, ask all questions, print the table by category."""
    caller = Caller(daemon.port)
    known: dict[str, dict[str, str]] = {}
    for space in spaces:
        known[space["id"]] = feed(caller, space)
    wait_until_embedded(caller)
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    costs: list[float] = []
    for space in spaces:
        for question in space["questions"]:
            if not question["gold"]:
                continue
            before = cpu_ms(daemon.process.pid)
            found = ask(caller, space["id"], question["query"])
            costs.append(cpu_ms(daemon.process.pid) - before)
            ids = [known[space["id"]].get(memory, memory) for memory in found]
            tallies["all"].add(question["gold"], ids)
            tallies[question["category"]].add(question["gold"], ids)
    print(f"{'questions':<24}{'n':>6}{'R@5':>8}{'R@10':>8}{'R@20':>8}{'MRR':>8}")
    for name, tally in tallies.items():
        print(tally.row(name))
    print(f"CPU ms a recall: p50 {percentile(costs, 0.5):.2f}, p95 {percentile(costs, 0.95):.2f}")


def main(arguments: list[str]) -> None:
    """Run every data set that is named; settings are the defaults unless given."""
    parser = argparse.ArgumentParser(prog="python3 app bench recall")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--alpha", type=float, help="weight of the vectors (default: the app's)")
    options = parser.parse_args(arguments)
    alpha = "as shipped" if options.alpha is None else options.alpha
    for file in options.data:
        print(f"\n{file.name}, alpha {alpha}")
        if file.name == precision.BELIEFS:
            for forget_old in (False, True):
                with _daemon(options.alpha) as daemon:
                    precision.measure(daemon, file.parent, forget_old=forget_old)
            continue
        with _daemon(options.alpha) as daemon:
            measure(daemon, json.loads(file.read_text())["spaces"])


@contextmanager
def _daemon(alpha: float | None) -> Generator[Daemon]:
    with temporary_home() as home:
        if alpha is not None:
            (home / "agents").mkdir(parents=True)
            (home / "agents" / "agent.yaml").write_text(f"search:\n  alpha: {alpha}\n")
        with running_daemon(home, fresh=True) as daemon:
            yield daemon
