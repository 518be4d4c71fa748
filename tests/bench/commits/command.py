"""``python3 app bench commits``: what first prompts are told of the commits of their project.

A real daemon reads the repositories, then each prompt begins a session by the real hooks. Without
``--repositories`` the histories are generated; folders of real ones lie outside of this repository
(``questions.py`` says what is in one).
"""

import argparse
import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.commits.generated import write_generated
from bench.commits.offline import lines_of, report_ranks, search_tasks
from bench.commits.play import PlayedTask, Player
from bench.commits.questions import KINDS, CommitTask, read_tasks, repositories
from bench.commits.verdicts import CommitVerdict, judge, summary
from bench.figures import Series, percentile
from bench.home import temporary_home
from bench.told.fit import report
from fakes.daemon import running_daemon, write_settings


@dataclass(frozen=True, slots=True)
class _TaskSet:
    """The prompts of a folder; ``is_open`` if single ones of them may be looked at."""

    name: str
    folder: Path
    tasks: Sequence[CommitTask]
    is_open: bool

    @property
    def folders(self) -> dict[str, Path]:
        """The working trees by the repositories' names."""
        return {name: (self.folder / name).resolve() for name in repositories(self.tasks)}


def main(arguments: list[str]) -> None:
    """Print the figures; of the prompts that are kept apart, the counts only."""
    parser = argparse.ArgumentParser(prog="python3 app bench commits", description=__doc__)
    parser.add_argument("--repositories", type=Path, metavar="DIR", help="real ones, with prompts")
    parser.add_argument(
        "--apart", type=Path, metavar="DIR", help="others, whose counts are printed"
    )
    parser.add_argument("--no-model", action="store_true", help="without the included model")
    parser.add_argument("--write", type=Path, metavar="FILE", help="what each prompt was told")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the daemon's database")
    parser.add_argument("--offline", type=Path, metavar="FILE", help="search a kept database only")
    parser.add_argument("--fit", action="store_true", help="fit the score of commits")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="intaglio-commits-") as made:
        sets = _sets(options, Path(made))
        for each in sets:
            answered = sum(task.has_answer for task in each.tasks)
            print(
                f"{each.name}: {len(each.folders)} repositories, "
                f"{answered} prompts with an answer, {len(each.tasks) - answered} without"
            )
        database = options.offline
        if database is None:
            database = Path(made) / "commits.db"
            _play(sets, options, database)
        if options.offline or options.fit:
            asyncio.run(_search(sets, options, database))


def _sets(options: argparse.Namespace, made: Path) -> list[_TaskSet]:
    if options.repositories is None and options.apart is None:
        if options.offline:
            raise SystemExit("--offline needs the repositories that the database was made of")
        return [_TaskSet("generated", made, write_generated(made), is_open=True)]
    folders = (("open", options.repositories), ("kept apart", options.apart))
    return [
        _TaskSet(name, folder, read_tasks(folder), is_open=name == "open")
        for name, folder in folders
        if folder is not None
    ]


def _play(sets: Sequence[_TaskSet], options: argparse.Namespace, database: Path) -> None:
    prompts = Series("first prompts")
    with temporary_home() as home:
        if options.no_model:
            write_settings(home, "embedding: {provider: none}\n")
        with running_daemon(home, fresh=True) as daemon:
            folders = {name: path for each in sets for name, path in each.folders.items()}
            tasks = [task for each in sets for task in each.tasks]
            player = Player(daemon, home, folders, has_model=not options.no_model)
            played = player.play(tasks, prompts)
            with (
                closing(sqlite3.connect(daemon.paths.database)) as held,
                closing(sqlite3.connect(database)) as target,
            ):
                held.backup(target)
    if options.keep:
        shutil.copyfile(database, options.keep)
    print(
        f"the daemon's CPU per prompt: median {median(prompts.cpu):.1f} ms, "
        f"p95 {percentile(prompts.cpu, 0.95):.1f} ms; wall {median(prompts.wall):.1f} ms"
    )
    for each in sets:
        own = [one for one in played if one.task in each.tasks]
        _report(each, [judge(one.task, one.told) for one in own])
        if options.write and each.is_open:
            _write(options.write, own)


def _report(tasks: _TaskSet, verdicts: Sequence[CommitVerdict]) -> None:
    print(f"\n{summary(tasks.name, verdicts)}")
    for kind in KINDS:
        own = [each for each in verdicts if each.task.kind == kind]
        if not own:
            continue
        tokens = [each.tokens for each in own]
        print(
            f"  {summary(kind, own)}; tokens of commits: mean {sum(tokens) / len(own):.0f}, "
            f"p90 {percentile(tokens, 0.9):.0f}, max {max(tokens)}"
        )
    for name in tasks.folders:
        own = [each for each in verdicts if each.task.repository == name]
        print(f"  {summary(name, own)}")


def _write(file: Path, played: Sequence[PlayedTask]) -> None:
    parts: list[str] = []
    for each in played:
        verdict = judge(each.task, each.told)
        wanted = ", ".join(sorted(digits[:8] for digits in each.task.commits)) or "nothing"
        judged = f"answered {verdict.answered}, commit {verdict.found}, first {verdict.first}"
        parts.append(f"##### {each.task.id} ({each.task.kind}) needs {wanted}: {judged}")
        parts.append(f"PROMPT {each.task.prompt}\nTOLD {each.told}")
    file.write_text("\n".join(parts), encoding="utf-8")


async def _search(sets: Sequence[_TaskSet], options: argparse.Namespace, database: Path) -> None:
    for each in sets:
        found = await search_tasks(database, each.tasks, each.folders)
        report_ranks(each.name, found)
        if each.is_open:
            if options.fit:
                report([one.signals for one in found])
            if options.offline and options.write:
                lines = [line for one in found for line in lines_of(one)]
                options.write.write_text("\n".join(lines), encoding="utf-8")
