"""Fits how surely a prompt is about a past session: `sessions/past_sessions/choose.py`.

A conditional logistic regression (McFadden 1974): of the sessions of a project and of none of them,
a task chooses the one that settled its rule. Each author's tasks are judged by the weights that the
others' give.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from bench.told.cases import Task, ToldProject
from intaglio.base.clock import system_clock
from intaglio.base.paths import built_folder
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.inference.cache import QueryVectors
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.memory.filters import Filter
from intaglio.recall.past.session_recall import PreparedQuestion, SessionRecall
from intaglio.recall.past.standings import standings
from intaglio.sessions.asked.words import asked_words
from intaglio.sessions.past_sessions.choose import Scoring
from intaglio.sessions.past_sessions.read import read_session
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx
from intaglio.store.values import DatabaseOptions
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.values import TranscriptFilter

Floats = npt.NDArray[np.float64]

_RIDGE: Final = 0.01
_STEPS: Final = 800
_RATE: Final = 0.05
_WITHIN_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class TaskSignals:
    """The signals of the sessions that a task was compared with, and which of them it needs."""

    author: str
    signals: Floats
    needed: npt.NDArray[np.bool_]


async def collect(
    database: Path, folders: Mapping[str, Path], projects: Sequence[ToldProject]
) -> list[TaskSignals]:
    """Compare each task with the sessions of its project, in a copy of a daemon's database."""
    copy = database.with_name("fit.db")
    with closing(sqlite3.connect(database)) as held, closing(sqlite3.connect(copy)) as target:
        held.backup(target)
    options = DatabaseOptions(copy, copy.with_name("fit-backups"), PACKAGES.schema)
    store, embedder = Database(options, system_clock, print), OnnxEmbedder(built_folder("model"))
    recall = SessionRecall(PastSessions(), QueryVectors(embedder), lambda: embedder.identity.sha256)
    await store.open()
    found: list[TaskSignals] = []
    for project in projects:
        filters = Filter(reader=USER, project=str(folders[project.name]))
        for task in project.tasks:
            asked = asked_words(task.prompt)
            question = SessionQuestion(asked.typed, " ".join(asked.names))
            prepared = await recall.prepare(question, _WITHIN_S)

            def work(
                tx: ReadTx,
                task: Task = task,
                project: ToldProject = project,
                prepared: PreparedQuestion = prepared,
                filters: Filter = filters,
            ) -> TaskSignals:
                return _signals(tx, recall, prepared, filters, project, task)

            found.append(await store.read(work))
    await store.close()
    await embedder.close()
    return found


def _signals(
    tx: ReadTx,
    recall: SessionRecall,
    prepared: PreparedQuestion,
    filters: Filter,
    project: ToldProject,
    task: Task,
) -> TaskSignals:
    wanted = TranscriptFilter(reader=USER, projects=(filters.project,))
    matched = recall.find(tx, prepared, wanted).sessions
    scoring = Scoring(standings(matched), {})
    chain = (
        {project.conversation_of(rule) for rule in project.chain(task.needs or "")}
        if (task.needs)
        else set[str]()
    )
    rows: list[tuple[float, ...]] = []
    needed: list[bool] = []
    for each in matched:
        signals = scoring.signals_of(read_session(tx, each, filters))
        if signals is not None:
            rows.append(signals)
            needed.append(each.session.session_id in chain)
    return TaskSignals(project.author, np.array(rows), np.array(needed, np.bool_))


def report(tasks: Sequence[TaskSignals]) -> None:
    """Print the weights of all tasks, and how well those of the other authors do for each one."""
    tasks = [each for each in tasks if each.signals.size]
    first = needing = beside = told = 0
    for author in sorted({each.author for each in tasks}):
        weights = _fit([each for each in tasks if each.author != author])
        for each in (task for task in tasks if task.author == author):
            odds = each.signals @ weights[:-1] - weights[-1]
            best = int(odds.argmax())
            needing += bool(each.needed.any())
            first += bool(each.needed[best])
            told += bool(odds[best] >= 0 and each.needed[best])
            beside += bool(odds[best] >= 0 and not each.needed[best])
    print(f"by the other authors' weights: ranked first {first} of {needing}")
    print(f"above even odds: {told} rightly, {beside} wrongly")
    weights = _fit(tasks)
    print("weights", weights[:-1].round(2).tolist(), "odds", -round(float(weights[-1]), 2))


def _fit(tasks: Sequence[TaskSignals]) -> Floats:
    """Return the weights and, last, what a session must reach to be likelier than none (Adam)."""
    size = tasks[0].signals.shape[1] + 1
    ridge = np.full(size, _RIDGE)
    ridge[-1] = 0.0
    weights, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, _STEPS + 1):
        slope = ridge * weights
        for each in tasks:
            slope += _slope(each, weights) / len(tasks)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        spread = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        weights = weights - _RATE * mean / (1 - 0.9**step) / spread
    return weights


def _slope(task: TaskSignals, weights: Floats) -> Floats:
    """Return how the loss of a task grows with each weight; the last row stands for no session."""
    count = len(task.signals)
    rows = np.zeros((count + 1, weights.size))
    rows[:count, :-1] = task.signals
    rows[count, -1] = 1.0
    odds = rows @ weights
    share = np.exp(odds - odds.max())
    share /= share.sum()
    wanted = np.zeros(count + 1)
    wanted[:count] = task.needed
    wanted[count] = not task.needed.any()
    wanted *= share
    return np.asarray(rows.T @ (share - wanted / wanted.sum()), np.float64)
