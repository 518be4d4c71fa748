"""What transcripts cost: storing a turn, searching past sessions, removing, and room on disk."""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

from bench.corpus import Corpus
from fakes.store import Bench, bench, lay_down
from fakes.transcripts import SHOP, Talks
from intaglio.domain.reader import SharedReader
from intaglio.store.connection import open_reader, open_writer
from intaglio.store.tx import ReadTx, WriteTx, run, unprotected
from intaglio.transcripts import rows
from intaglio.transcripts.past_sessions import PastSessions, SessionQuestion
from intaglio.transcripts.preparation import prepare
from intaglio.transcripts.values import SaidMessage, SessionOwner, TranscriptFilter

_MESSAGES: Final = range(20, 41)
_SENTENCES: Final = (1, 2, 3, 6, 12)
_QUESTIONS: Final = 200


def _sentences(corpus: Corpus, count: int) -> str:
    return " ".join(str(each["content"]) for each in corpus.memories(count))


def said_in_session(
    corpus: Corpus, dice: random.Random, number: int, lengths: Sequence[int] = _MESSAGES
) -> list[SaidMessage]:
    """Return what was said in a session: 20 to 40 messages of one to twelve sentences."""
    said = [
        SaidMessage(
            message_id=f"{number:08x}-0000-4000-8000-{each:012x}",
            role="agent" if each % 2 else "user",
            text=_sentences(corpus, dice.choice(_SENTENCES)),
            said_at=None,
            project=SHOP,
        )
        for each in range(dice.choice(lengths))
    ]
    return [replace(each, text=each.text[:8_000]) for each in said]


def fill_database(file: Path, sessions: int) -> None:
    """Store made-up sessions in a database that no daemon has open, creating it."""
    lay_down(file)
    corpus, dice, now = Corpus(), random.Random(1), datetime.now(UTC)  # noqa: S311 - see _fill
    with closing(open_writer(file)) as connection:
        tx = WriteTx(connection)
        for number in range(sessions):
            said = said_in_session(corpus, dice, number)
            ready = prepare(said, now - timedelta(minutes=sessions - number), unprotected)
            run(connection, "BEGIN")
            rows.add(tx, SessionOwner("claude-code", f"past{number}", "default"), ready)
            run(connection, "COMMIT")


async def _fill(store: Bench, sessions: int, corpus: Corpus) -> float:
    """Store sessions; return the CPU milliseconds of a message."""
    dice, messages, spent = random.Random(1), 0, 0.0  # noqa: S311 - a repeatable roll, no secret
    for number in range(sessions):
        said = said_in_session(corpus, dice, number)
        now = store.clock() - timedelta(minutes=sessions - number)
        owner = SessionOwner("claude-code", f"s{number}", "default")
        began = time.process_time()
        ready = prepare(said, now, store.db.as_stored)

        def work(tx: WriteTx, owner: SessionOwner = owner, ready: object = ready) -> int:
            return rows.add(tx, owner, ready)  # type: ignore[arg-type]  # bound above

        messages += await store.db.write(work)
        spent += time.process_time() - began
    return spent * 1000 / messages


def _times(work: Callable[[int], object], repeats: int) -> str:
    taken = list[float]()
    for number in range(repeats):
        began = time.process_time()
        work(number)
        taken.append((time.process_time() - began) * 1000)
    taken.sort()
    middle, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
    return f"p50 {middle:.2f}  p95 {late:.2f}  most {taken[-1]:.2f}"


async def _measure(folder: Path, sessions: int) -> None:
    corpus = Corpus()
    async with bench(folder) as store:
        each = await _fill(store, sessions, corpus)
        print(f"store a message, ms of CPU            {each:.2f}")
        await store.db.write(WriteTx.empty_log_after_commit)
        size = (folder / "intaglio.db").stat().st_size
        print(f"{sessions:,} sessions; one takes {size / sessions:,.0f} bytes")
        tx = ReadTx(open_reader(folder / "intaglio.db"))
        wanted = TranscriptFilter(reader=SharedReader(), projects=(SHOP,))
        questions = [SessionQuestion(corpus.question()) for _ in range(_QUESTIONS)]
        long = [SessionQuestion(_sentences(corpus, 8)) for _ in range(_QUESTIONS)]
        past = PastSessions()
        for name, asked in (("question", questions), ("pasted page", long)):
            search = partial(_search, past, tx, asked, wanted)
            print(f"search by a {name}, ms of CPU".ljust(38) + _times(search, _QUESTIONS))
        talks = Talks(store)
        numbers = await store.db.read(lambda read: rows.message_rows(read, "claude-code", "s1"))
        began = time.process_time()
        for number in numbers:
            await store.db.write(partial(rows.remove_text, number=number))
        print(f"remove a message, ms of CPU           "
              f"{(time.process_time() - began) * 1000 / len(numbers):.2f}")  # fmt: skip
        assert await talks.index_is_sound()


def _search(
    past: PastSessions,
    tx: ReadTx,
    asked: list[SessionQuestion],
    wanted: TranscriptFilter,
    number: int,
) -> object:
    return past.search(tx, asked[number], wanted, 5)


def main(arguments: list[str]) -> None:
    """Print what transcripts cost with a number of sessions."""
    parser = argparse.ArgumentParser(prog="python3 app bench transcripts")
    parser.add_argument("--sessions", type=int, default=2_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(Path(folder), options.sessions))
