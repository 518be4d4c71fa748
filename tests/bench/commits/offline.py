"""Searches a daemon's database for the commits that answer prompts, and fits their score."""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from bench.commits.questions import CommitTask
from bench.commits.verdicts import share
from bench.told.fit import TaskSignals
from intaglio.base.clock import system_clock
from intaglio.commits.asked_names import asked_names
from intaglio.commits.named_files import named_files
from intaglio.commits.search import CommitMatch, CommitQuestion, CommitSearch
from intaglio.daemon.packages import PACKAGES
from intaglio.sessions.asked.words import asked_words
from intaglio.sessions.commits.choose import FIRST_PROMPT, score_of
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.values import DatabaseOptions

_DEPTHS = (1, 3, 10)


@dataclass(frozen=True, slots=True)
class SearchedTask:
    """A prompt and what was found for it, best first."""

    task: CommitTask
    matches: tuple[CommitMatch, ...]

    @property
    def rank(self) -> int | None:
        """The place of the first commit that answers the prompt; None if none was found."""
        return next(
            (
                place
                for place, each in enumerate(self.matches, 1)
                if each.commit.hash in self.task.commits
            ),
            None,
        )

    @property
    def best(self) -> float:
        """The score of the first commit."""
        return score_of(self.matches[0].signals) if self.matches else 0.0

    @property
    def signals(self) -> TaskSignals:
        """The signals of all that was found, and which of them answer the prompt."""
        rows = [
            (each.signals.words, each.signals.lead, each.signals.link, each.signals.names)
            for each in self.matches
        ]
        needed = [each.commit.hash in self.task.commits for each in self.matches]
        return TaskSignals(self.task.repository, np.array(rows), np.array(needed, np.bool_))


async def search_tasks(
    database: Path, tasks: Sequence[CommitTask], folders: Mapping[str, Path]
) -> list[SearchedTask]:
    """Search a copy of a database that a daemon has filled; ``folders`` are its projects."""
    with tempfile.TemporaryDirectory() as made:
        copy = Path(made) / database.name
        shutil.copyfile(database, copy)
        options = DatabaseOptions(copy, Path(made) / "backups", PACKAGES.schema)
        store = Database(options, system_clock, lambda _: None)
        await store.open()
        search = CommitSearch()
        try:
            return [
                await store.read(partial(_search, search, task, str(folders[task.repository])))
                for task in tasks
            ]
        finally:
            await store.close()


def _search(search: CommitSearch, task: CommitTask, project: str, tx: ReadTx) -> SearchedTask:
    asked = asked_words(task.prompt)
    names = asked_names(asked.whole)
    question = CommitQuestion(asked.typed, names, named_files(tx, project, names, asked.whole))
    found = search.find(tx, question, project)
    found.sort(key=lambda each: (-score_of(each.signals), each.commit.hash))
    return SearchedTask(task, tuple(found))


def report_ranks(title: str, searched: Sequence[SearchedTask]) -> None:
    """Print how the right commits rank, and how many prompts reach the floor, by kind."""
    kinds: defaultdict[str, list[SearchedTask]] = defaultdict(list)
    for each in searched:
        kinds["all" if each.task.has_answer else "none"].append(each)
        if each.task.has_answer:
            kinds[each.task.kind].append(each)
    print(f"\n{title}")
    for kind, own in sorted(kinds.items()):
        above = sum(each.best >= FIRST_PROMPT.score for each in own)
        figures = [f"above the floor {share(above, len(own))}"]
        if kind != "none":
            ranks = [each.rank or 1_000 for each in own]
            figures += [
                f"rank {depth} {share(sum(rank <= depth for rank in ranks), len(own))}"
                for depth in _DEPTHS
            ]
            figures.append(f"found {share(sum(rank < 1_000 for rank in ranks), len(own))}")
        print(f"  {kind:<8}", "  ".join(figures))


def lines_of(searched: SearchedTask) -> list[str]:
    """Return what was found for a prompt, for those who develop on it."""
    task = searched.task
    lines = [f"##### {task.id} ({task.kind}) rank {searched.rank}", f"PROMPT {task.prompt}"]
    for each in searched.matches[:4]:
        mark = "*" if each.commit.hash in task.commits else " "
        signals = each.signals
        lines.append(
            f"{mark} {score_of(signals):.2f} words {signals.words:.2f} lead {signals.lead:.2f} "
            f"link {signals.link:.2f} names {signals.names:.2f} {each.commit.hash[:8]} "
            f"{each.commit.subject} [{', '.join(each.matched)}] {each.path}"
        )
    return lines
