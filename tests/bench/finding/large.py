"""What a search over everything costs in a large store, in the process's CPU time.

20,000 memories, 8,000 entities, 2,000 sessions with 10 to 18 messages and 5,000 commits, all but
the entities with vectors. Each of twelve kinds of queries is asked with other words each time, as
the vector of a repeated one is kept.
"""

import asyncio
import json
import random
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlencode

import numpy as np
from tokenizers import Tokenizer

from bench.bulk_graph import BulkGraph, GraphSize
from bench.bulk_store import Clusters, fill_in_bulk
from bench.corpus import Corpus
from bench.figures import cpu_ms, percentile
from bench.hook_caller import Caller, wait_until_idle
from bench.prefilled_home import database_of
from bench.stored_vectors import made
from bench.transcripts import said_in_session
from fakes.daemon import APP, Daemon, running_daemon, write_settings
from fakes.stored_commits import hash_of
from intaglio.base.clock import iso, system_clock
from intaglio.base.paths import built_folder
from intaglio.commits import rows as commits
from intaglio.commits.values import NewCommit
from intaglio.commits.vectors import rows as commit_vectors
from intaglio.commits.vectors.rows import CommitVector
from intaglio.daemon.packages import PACKAGES
from intaglio.memory import rows as memories
from intaglio.sessions import rows as sessions
from intaglio.sessions.rows import Injection
from intaglio.sessions.values import ContextCandidate, ContextEntry, SessionRef
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx, unprotected
from intaglio.store.values import DatabaseOptions
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.preparation import prepare
from intaglio.transcripts.values import SessionOwner
from intaglio.transcripts.vectors import rows as spoken_vectors
from intaglio.transcripts.vectors.values import SpokenVector, packed

_MEMORIES: Final = 20_000
_ENTITIES: Final = 8_000
_SESSIONS: Final = 2_000
_COMMITS: Final = 5_000
_LENGTHS: Final = range(10, 19)
_PROJECTS: Final = ("/p/a", "/p/b", "/p/c", "/p/d", "/p/e")
_TOLD: Final = 4
_ASKED: Final = 12
_WARM: Final = 3
_KEPT: Final = "finding-large.db"
_SETTINGS: Final = """\
memory: {pipelineV2: {graph: {enabled: false}}}
embedding: {provider: onnx, idleMinutes: 30}
"""


def measure_large(home: Path, cache: Path, runs: int, against: Path | None) -> None:
    """Print what queries of each kind cost, here and in another checkout if one is given.

    Both daemons run at once and get each query one after the other, so that whatever else the
    machine does slows both.
    """
    _make(cache)
    apps = {"here": APP} | ({"there": against / "app"} if against else {})
    with ExitStack() as stack:
        daemons = [
            stack.enter_context(_started(home / name, cache, app)) for name, app in apps.items()
        ]
        callers = [Caller(each.port) for each in daemons]
        for caller in callers:
            wait_until_idle(caller)
            for _ in range(_WARM):
                # The first ones load the model and read vocabularies.
                caller.get("/api/find?q=a+first+search&limit=5")
        print(f"{'ms of CPU a search':<34}" + "".join(f"{name:>8} p50     p95" for name in apps))
        every: list[list[float]] = [[] for _ in daemons]
        for name, make in _kinds(Corpus(seed=3)).items():
            spent: list[list[float]] = [[] for _ in daemons]
            for _ in range(runs):
                query = urlencode({"q": make(), "limit": 5})
                for daemon, caller, own in zip(daemons, callers, spent, strict=True):
                    own.append(_cost(daemon, caller, query))
            for own, earlier in zip(spent, every, strict=True):
                earlier.extend(own)
            print(_line(name, spent), flush=True)
        print(_line("all", every))


@contextmanager
def _started(home: Path, cache: Path, app: Path) -> Generator[Daemon]:
    """Run a daemon over a copy of the store."""
    database_of(home).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(cache / _KEPT, database_of(home))
    write_settings(home, _SETTINGS)
    with running_daemon(home, fresh=True, PYTHONPATH=str(app)) as daemon:
        yield daemon


def _line(name: str, spent: Sequence[Sequence[float]]) -> str:
    figures = (f"{percentile(own, 0.5):>12.1f}{percentile(own, 0.95):>8.1f}" for own in spent)
    return f"{name:<34}{''.join(figures)}"


def _cost(daemon: Daemon, caller: Caller, query: str) -> float:
    before = cpu_ms(daemon.process.pid)
    caller.get(f"/api/find?{query}")
    return cpu_ms(daemon.process.pid) - before


def _kinds(corpus: Corpus) -> Mapping[str, Callable[[], str]]:
    """Return what makes a query of each kind."""
    dice = random.Random(5)  # noqa: S311 - the same queries on each run

    def some(count: int, least: int = 4) -> list[str]:
        """Return so many words of one memory, in order."""
        words = [each.strip(".,;:`") for each in corpus.memory().split()]
        words = [each for each in words if len(each) >= least and each.isalpha()]
        places = sorted(dice.sample(range(len(words)), count))
        return [words[place] for place in places]

    def half(words: list[str]) -> str:
        return " ".join((*words[:-1], words[-1][: max(3, len(words[-1]) // 2)]))

    def wrong(words: list[str]) -> str:
        at = len(words[-1]) // 2
        return " ".join((*words[:-1], words[-1][:at] + words[-1][at + 1 :]))

    frequent = ("service", "release", "cluster", "user", "module", "table", "worker", "server")
    return {
        "one frequent word": lambda: f"{dice.choice(frequent)} ",
        "two words": lambda: f"{' '.join(some(2))} ",
        "three words": lambda: f"{' '.join(some(3))} ",
        "five words": lambda: f"{' '.join(some(5))} ",
        "half a word": lambda: half(some(1, 6)),
        "a word and a half": lambda: half(some(2, 6)),
        "two words of which one is frequent": lambda: f"{dice.choice(frequent)} {some(1)[0]} ",
        "a question": corpus.question,
        "decisions on": lambda: f"decisions on {' '.join(some(2))} ",
        "the session about": lambda: f"the session about {' '.join(some(2))} ",
        "who": lambda: f"who knows {' '.join(some(2))} ",
        "a typing error": lambda: f"{wrong(some(2, 6))} ",
    }


def _make(cache: Path) -> None:
    """Make the store, unless it is there from an earlier run."""
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / _KEPT
    if not kept.exists():
        with TemporaryDirectory(dir=cache) as folder:
            part = Path(folder)
            print("filling the store", flush=True)
            fill_in_bulk(part, _MEMORIES, cache, one_project=False)
            asyncio.run(_fill(database_of(part), cache))
            database_of(part).rename(kept)


async def _fill(file: Path, cache: Path) -> None:
    database = Database(
        DatabaseOptions(file, file.parent / "backups", PACKAGES.schema),
        system_clock,
        lambda _: None,
    )
    await database.open()
    await database.write(_add_entities)
    filler = _Filler(cache)
    for add, count in ((filler.add_session, _SESSIONS), (filler.add_commit, _COMMITS)):
        for start in range(0, count, 100):
            await database.write(partial(_many, add, range(start, start + 100)))
    # As if each had been compared with all earlier ones.
    await database.write(lambda tx: tx.execute("UPDATE transcripts SET compared = 100000"))
    await database.close()


def _many(add: Callable[[WriteTx, int], None], numbers: Sequence[int], tx: WriteTx) -> None:
    for number in numbers:
        add(tx, number)


def _add_entities(tx: WriteTx) -> None:
    """Write a graph and give its entities names of three words that memories have, too."""
    BulkGraph(GraphSize(_PROJECTS[0], _ENTITIES, _MEMORIES * 3 // 4, 5, 200, 200)).write(tx)
    names = _names(Corpus(seed=4))
    for seq in range(2, _ENTITIES + 1):
        name = f"{next(names)} {seq}"
        tx.execute(
            "UPDATE entities SET name = ?, canonical_name = ? WHERE seq = ?",
            (name, name.lower(), seq),
        )
        tx.execute(
            "UPDATE entity_aliases SET alias = ?, canonical = ? WHERE entity = ?",
            (name, name.lower(), seq),
        )


def _names(corpus: Corpus) -> Iterator[str]:
    while True:
        words = [each.strip(".,;:`") for each in corpus.memory().split()]
        yield " ".join([each for each in words if len(each) > 3 and each.isalpha()][2:4])


def _model(tx: WriteTx) -> str:
    return tx.scalar(str, "SELECT hash FROM embedding_models") or ""


class _Filler:
    """Writes sessions and commits; the same for the same seed, but for the day."""

    def __init__(self, cache: Path) -> None:
        self._corpus = Corpus(seed=6)
        self._dice = random.Random(6)  # noqa: S311 - figures have to be repeatable
        self._now: datetime = system_clock()
        texts = [str(body["content"]) for body in Corpus().memories(2_000)]
        self._clusters = Clusters(made(texts, cache))
        self._tokenizer = Tokenizer.from_file(str(built_folder("model") / "tokenizer.json"))
        self._tokenizer.no_padding()

    def _vector(self, text: str) -> tuple[bytes, bytes]:
        """Return a vector as signed bytes, and the distinct word pieces of a text."""
        vector = self._clusters.vectors(1)[0]
        levels = np.rint(vector * (127 / np.abs(vector).max())).astype(np.int8)
        ids = self._tokenizer.encode(text[:1_500], add_special_tokens=False).ids
        return levels.tobytes(), np.unique(np.asarray(ids, "<u2")).tobytes()

    def add_session(self, tx: WriteTx, number: int) -> None:
        """Write a session, its transcript with vectors, and a prompt that was told memories."""
        project = self._dice.choice(_PROJECTS)
        at = self._now - timedelta(minutes=40 * (_SESSIONS - number))
        ref = SessionRef(harness="claude-code", id=f"past{number}", project=project)
        sessions.touch(tx, ref, project, iso(at))
        said = said_in_session(self._corpus, self._dice, number, _LENGTHS)
        ready = prepare(said, at, unprotected)
        owner = SessionOwner("claude-code", ref.id, "default")
        transcripts.add(tx, owner, [replace(each, project=project) for each in ready])
        model = _model(tx)
        transcript = tx.count("SELECT max(seq) FROM transcripts")
        stored = transcripts.messages(tx, transcript)
        spoken = [SpokenVector(each.number, *self._vector(each.text)) for each in stored]
        last = transcripts.last_row(tx, transcript)
        spoken_vectors.put(tx, model, packed(transcript, spoken), last)
        self._tell(tx, ref, project, iso(at))

    def _tell(self, tx: WriteTx, ref: SessionRef, project: str, at: str) -> None:
        wanted = [self._dice.randrange(1, _MEMORIES) for _ in range(_TOLD)]
        told = [
            ContextEntry(ContextCandidate(each, "decision, this project", 0.5), each.content, 30)
            for each in memories.by_seq(tx, wanted).values()
        ]
        injection = Injection(
            event="prompt",
            source=None,
            prompt_id=None,
            project=project,
            terms=json.dumps(self._corpus.question().lower().split()[:_ASKED]),
            text="\n".join(each.line for each in told),
            entries=tuple(told),
            elapsed_ms=5.0,
            at=at,
        )
        sessions.record(tx, ref, injection)
        sessions.count_prompt(tx, ref)

    def add_commit(self, tx: WriteTx, number: int) -> None:
        """Write a commit with its vector."""
        subject, body = self._corpus.memory()[:60], self._corpus.memory()
        commit = NewCommit(
            hash=hash_of(f"{number} {subject}"),
            committed_at=iso(self._now - timedelta(minutes=20 * (_COMMITS - number))),
            kind="commit",
            reverts=None,
            author=None,
            subject=subject,
            body=body,
            symbols=(),
            files=(),
            pairs=None,
            words=len(f"{subject} {body}".split()),
        )
        commits.add(tx, self._dice.choice(_PROJECTS), commit)
        model = _model(tx)
        seq = tx.count("SELECT seq FROM commits WHERE hash = ?", (commit.hash,))
        commit_vectors.put(tx, model, [CommitVector(seq, *self._vector(f"{subject}\n{body}"))])
