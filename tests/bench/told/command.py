"""``python3 app bench told``: what sessions are told of what earlier sessions settled.

Conversations are played through the real hooks of a real daemon, mixed with beginnings of real
sessions if ``--decoys`` names their folder. Then each task begins a session of its project.
"""

import argparse
import asyncio
import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Final

from bench.figures import cpu_ms, percentile
from bench.home import temporary_home
from bench.hook_caller import Caller, wait_until_embedded
from bench.told.cases import KEPT_APART, Conversation, ToldProject, read_projects
from bench.told.decoys import read_decoys
from bench.told.fit import collect, report
from bench.told.play import (
    HookSession,
    connect_client,
    make_project,
    moment,
    play_conversation,
    play_task,
)
from bench.told.verdicts import Attribution, TaskSession, Verdict, judge, told_lines
from fakes.daemon import Daemon, running_daemon, write_settings
from intaglio.transcripts.related.values import SAME_SUBJECT

_DECOYS: Final = 150
_JOBS_WITHIN_S: Final = 300.0
_UNREAD: Final = (
    "SELECT count(*) FROM related_sessions WHERE contradiction IS NULL AND likeness < ?"
)


def main(arguments: list[str]) -> None:
    """Print the figures per author; ``--write FILE`` writes what each session was told."""
    parser = argparse.ArgumentParser(prog="python3 app bench told", description=__doc__)
    parser.add_argument("--decoys", type=Path, metavar="DIR", help="labelled real sessions")
    parser.add_argument("--authors", nargs="*", default=[], help="only these")
    parser.add_argument("--no-model", action="store_true", help="without the included model")
    parser.add_argument("--write", type=Path, metavar="FILE", help="not for those kept apart")
    parser.add_argument("--fit", action="store_true", help="fit the score of past sessions")
    options = parser.parse_args(arguments)
    projects = list(read_projects(options.authors))
    found = read_decoys(options.decoys) if options.decoys else []
    decoys = _spread(found, projects)
    print(
        f"{sum(len(each.conversations) for each in projects)} conversations and "
        f"{sum(map(len, decoys.values()))} decoys in {len(projects)} projects, "
        f"{sum(len(each.tasks) for each in projects)} tasks"
    )
    with temporary_home() as home:
        if options.no_model:
            write_settings(home, "embedding: {provider: none}\n")
        with running_daemon(home, fresh=True) as daemon:
            bench = _Bench(daemon, home, projects, decoys)
            told = bench.run()
            if options.fit:
                open_ones = [each for each in projects if each.author not in KEPT_APART]
                report(asyncio.run(collect(daemon.paths.database, bench.folders, open_ones)))
    _report(projects, decoys, told)
    if options.write:
        _write(options.write, projects, decoys, told)


def _spread(
    decoys: Sequence[Conversation], projects: Sequence[ToldProject]
) -> Mapping[str, Sequence[Conversation]]:
    """Deal the decoys out to the projects, each on a day between those of its conversations."""
    found: defaultdict[str, list[Conversation]] = defaultdict(list)
    # All authors' share is the same whichever of them are played.
    used = decoys[: max(_DECOYS, len(projects) * 18)]
    for number, decoy in enumerate(used):
        project = projects[number % len(projects)]
        days = [each.day for each in project.conversations]
        day = days[(number // len(projects)) % len(days)]
        found[project.name].append(Conversation(decoy.id, day, decoy.turns))
    return found


class _Bench:
    """The conversations and tasks, played in the order of their days; the last is yesterday."""

    def __init__(
        self,
        daemon: Daemon,
        home: Path,
        projects: Sequence[ToldProject],
        decoys: Mapping[str, Sequence[Conversation]],
    ) -> None:
        self._daemon, self._home = daemon, home
        self._projects, self._decoys = projects, decoys
        last = max(date.fromisoformat(task.day) for each in projects for task in each.tasks)
        self.folders = {each.name: make_project(home / "code" / each.name) for each in projects}
        self._shift = datetime.now(UTC).date() - last - timedelta(days=1)

    def run(self) -> Mapping[str, list[TaskSession]]:
        """Play all, and return the sessions of each project's tasks."""
        connect_client(self._daemon, self._home)
        folders = self.folders
        spoken = sorted(
            (
                (each.day, number, project.name, each)
                for project in self._projects
                for number, each in enumerate(
                    (*project.conversations, *self._decoys.get(project.name, ()))
                )
            ),
            key=lambda one: one[:3],
        )
        with self._daemon.client() as http:

            def session(key: str, name: str, day: str) -> HookSession:
                at = moment(day, self._shift)
                return HookSession(http, self._home, folders[name], key, at)

            began, before = time.perf_counter(), cpu_ms(self._daemon.process.pid)
            for day, _, name, each in spoken:
                play_conversation(session(each.id, name, day), each)
            self._print_cost("conversations", len(spoken), began, before)
            wait_until_embedded(Caller(self._daemon.port), 300)
            self._wait_for_jobs()
            self._wait_for_related()
            return self._tasks(session)

    def _wait_for_jobs(self) -> None:
        """Wait until what was said has its vectors, too."""
        caller = Caller(self._daemon.port)
        end = time.monotonic() + _JOBS_WITHIN_S
        while time.monotonic() < end:
            counts = json.loads(caller.get("/api/jobs"))["counts"]
            if not any(each["status"] in {"pending", "leased"} for each in counts):
                return
            time.sleep(0.5)
        raise TimeoutError("the jobs aren't done in time")

    def _wait_for_related(self) -> None:
        """Wait until sessions that may contradict each other were read; a sweep takes a minute."""
        end = time.monotonic() + _JOBS_WITHIN_S
        with closing(sqlite3.connect(self._daemon.paths.database)) as database:
            while time.monotonic() < end:
                (unread,) = database.execute(_UNREAD, (SAME_SUBJECT,)).fetchone()
                if not unread:
                    return
                time.sleep(1)
        raise TimeoutError("related sessions aren't read in time")

    def _tasks(
        self, session: Callable[[str, str, str], HookSession]
    ) -> Mapping[str, list[TaskSession]]:
        began, before = time.perf_counter(), cpu_ms(self._daemon.process.pid)
        told: dict[str, list[TaskSession]] = {}
        number = 0
        for project in self._projects:
            told[project.name] = []
            for task in project.tasks:
                played = play_task(session(task.id, project.name, task.day), task, number)
                told[project.name].append(played)
                number += 1
        self._print_cost("tasks", number, began, before)
        return told

    def _print_cost(self, what: str, count: int, began: float, before: float) -> None:
        cpu = cpu_ms(self._daemon.process.pid) - before
        print(
            f"{what}: {time.perf_counter() - began:.0f} s, the daemon's CPU {cpu / 1000:.1f} s, "
            f"{cpu / max(count, 1):.0f} ms each",
            flush=True,
        )


def _attribution(project: ToldProject, decoys: Mapping[str, Sequence[Conversation]]) -> Attribution:
    return Attribution((*project.conversations, *decoys.get(project.name, ())))


def _report(
    projects: Sequence[ToldProject],
    decoys: Mapping[str, Sequence[Conversation]],
    told: Mapping[str, list[TaskSession]],
) -> None:
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    for project in projects:
        attribution = _attribution(project, decoys)
        verdicts[project.author] += [
            judge(project, attribution, each) for each in told[project.name]
        ]
    open_ones = [author for author in verdicts if author not in KEPT_APART]
    if len(open_ones) > 1:
        _print("together", [each for author in open_ones for each in verdicts[author]])
    for author, own in verdicts.items():
        _print(f"{author}, kept apart" if author in KEPT_APART else author, own)


def _print(name: str, verdicts: Sequence[Verdict]) -> None:
    needed = [each for each in verdicts if each.needs]
    amended = [each for each in needed if each.amended]
    first = [each.first_tokens for each in verdicts]
    starts = [each.start_tokens for each in verdicts]
    silent = sum(not each.first_tokens for each in verdicts if not each.needs)
    print(f"\n{name}: {len(verdicts)} tasks")
    print(
        f"  deciding rule in full   {_share(each.in_full for each in needed)}"
        f"   (by the start alone {_share(each.by_start for each in needed)},"
        f" amended ones {_share(each.in_full for each in amended)};"
        f" anything of its session {_share(each.session_told for each in needed)})"
    )
    print(f"  superseded rule as valid {sum(len(each.stale) for each in verdicts)} lines")
    # Of the lines alone: the frame of the block is the same whatever it tells.
    total, beside = (
        sum(each.line_tokens for each in verdicts),
        sum(each.beside_tokens for each in verdicts),
    )
    print(
        f"  first prompt: {beside / max(total, 1):.1%} of the tokens beside the matter; "
        f"tokens median {median(first):.0f}, p90 {percentile(first, 0.9):.0f}, "
        f"max {max(first)}; silent without a rule {silent} of {len(verdicts) - len(needed)}"
    )
    beside = sum(each.start_beside for each in verdicts)
    print(
        f"  start: tokens median {median(starts):.0f}, max {max(starts)}; "
        f"{beside / max(sum(starts), 1):.1%} beside the matter"
    )
    print(
        f"  later prompts: {sum(each.later_lines for each in verdicts) / (2 * len(verdicts)):.2f} "
        "lines each"
    )


def _share(values: Iterable[bool]) -> str:
    listed = list(values)
    return f"{sum(listed)}/{len(listed)} = {sum(listed) / max(len(listed), 1):.2f}"


def _write(
    file: Path,
    projects: Sequence[ToldProject],
    decoys: Mapping[str, Sequence[Conversation]],
    told: Mapping[str, list[TaskSession]],
) -> None:
    """Write what each session was told, with the conversation that each line is from."""
    parts: list[str] = []
    for project in projects:
        if project.author in KEPT_APART:
            continue
        attribution = _attribution(project, decoys)
        for each in told[project.name]:
            verdict = judge(project, attribution, each)
            parts.append(f"##### {each.task.id} needs {each.task.needs}: {verdict}")
            parts.append(f"PROMPT {each.task.prompt}")
            for name, text in (("START", each.start), ("FIRST", each.first)):
                lines = [line.text for line in told_lines(text)]
                parts.append(f"--- {name}, {len(lines)} lines")
                parts += [
                    f"[{attribution.of(line)}] {line}" if line in lines else line
                    for line in text.splitlines()
                ]
            parts += [f"--- LATER\n{text}" for text in each.later if text]
            parts.append(json.dumps(verdict.stale, indent=1) if verdict.stale else "")
    file.write_text("\n".join(parts), encoding="utf-8")
