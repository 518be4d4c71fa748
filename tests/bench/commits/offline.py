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
from intaglio.base.paths import built_folder
from intaglio.commits.asked_names import asked_names
from intaglio.commits.named_files import named_files
from intaglio.commits.search import CommitQuestion, CommitWords
from intaglio.daemon.packages import PACKAGES
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import NotEmbedded, QuestionVector
from intaglio.recall.commits.commit_recall import CommitMatch, CommitRecall
from intaglio.sessions.asked.words import asked_words
from intaglio.sessions.commits.choose import FIRST_PROMPT, score_of, values_of
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.values import DatabaseOptions
from intaglio.terms.question_words import words_of

_DEPTHS = (1, 3, 10)
_EMBEDDED_CHARS = 1_500
_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class SearchedTask:
    """A prompt and what was found for it, best first."""

    task: CommitTask
    words: int
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
        return score_of(self.matches[0].signals, self.words) if self.matches else 0.0

    @property
    def signals(self) -> TaskSignals:
        """The signals of all that was found, and which of them answer the prompt."""
        with_vector = [each for each in self.matches if each.signals.meaning is not None]
        rows = [values_of(each.signals, self.words) for each in with_vector]
        needed = [each.commit.hash in self.task.commits for each in with_vector]
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
        model = OnnxEmbedder(built_folder("model"))
        recall = CommitRecall(CommitWords(), lambda: model.identity.sha256)
        found: list[SearchedTask] = []
        try:
            for task in tasks:
                typed = asked_words(task.prompt).typed[:_EMBEDDED_CHARS]
                vector = await model.embed_question(typed or " ", timeout_s=_TIMEOUT_S)
                known = None if isinstance(vector, NotEmbedded) else vector
                project = str(folders[task.repository])
                found.append(await store.read(partial(_search, recall, known, task, project)))
        finally:
            await store.close()
            await model.close()
        return found


def _search(
    recall: CommitRecall, vector: QuestionVector | None, task: CommitTask, project: str, tx: ReadTx
) -> SearchedTask:
    asked = asked_words(task.prompt)
    files = named_files(tx, project, asked_names(asked.whole), asked.whole)
    found = recall.find(tx, CommitQuestion(asked.typed, files), project, vector)
    words = len(words_of(tx, asked.typed))
    found.sort(key=lambda each: (-score_of(each.signals, words), each.commit.hash))
    return SearchedTask(task, words, tuple(found))


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
            f"{mark} {score_of(signals, searched.words):.2f} words {signals.words:.2f} "
            f"lead {signals.lead:.2f} link {signals.link:.2f} prose {signals.prose:.2f} "
            f"{signals.meaning} {each.commit.hash[:8]} "
            f"{each.commit.subject} [{', '.join(each.matched)}] {each.path}"
        )
    return lines
