"""Embeds messages of transcripts in the background, and compares transcripts with earlier ones.

Embedded are the user's messages and the agent's closing ones, with the included model only: what an
agent says between two tool calls settles nothing.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.inference.background_embedding import NotEmbeddedError, embed_stored
from intaglio.inference.onnx import OnnxEmbedder, usable_model
from intaglio.inference.ports import Embedder, MemoryVector
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.past_sessions import PastSessions
from intaglio.transcripts.related import rows as related
from intaglio.transcripts.related.comparison import compare
from intaglio.transcripts.values import StoredMessage
from intaglio.transcripts.vectors import rows
from intaglio.transcripts.vectors.job_types import EMBED_TRANSCRIPT, queue_transcript
from intaglio.transcripts.vectors.values import (
    MAX_EMBEDDED_CHARS,
    MAX_EMBEDDED_MESSAGES,
    SpokenVector,
    packed,
)

_AT_ONCE: Final = 16
# A session that just ended waits for at most so many old ones.
_QUEUED_AT_ONCE: Final = 50
_BACKFILL_EVERY_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class TranscriptEmbedding:
    """Runs jobs of type `embed_transcript`, whose subject is a transcript's number.

    ``embedder`` is the configured one. ``pause_s`` is how often the backfill looks whether what it
    queued is done.
    """

    db: Database
    context: ChangeContext
    embedder: Callable[[], Embedder]
    past: PastSessions
    pause_s: float = 5.0

    def model(self) -> str:
        """Return what identifies vectors of the included model.

        Empty if another one is configured, or if it can't run.
        """
        return usable_model(self.embedder())

    async def run(self, job: Job) -> None:
        """Embed a transcript's new messages, then compare it with earlier transcripts."""
        embedder, model, transcript = self.embedder(), self.model(), int(job.subject)
        try:
            if isinstance(embedder, OnnxEmbedder) and model:
                while await self._step(embedder, model, transcript):
                    pass
        except NotEmbeddedError:
            await self._relate(model, transcript)
            raise
        await self._relate(model, transcript)
        await self.db.write(lambda tx: jobs.complete(tx, job, self.context.now))

    async def _step(self, embedder: OnnxEmbedder, model: str, transcript: int) -> bool:
        """Embed some messages; returns whether more are left."""
        todo, last = await self.db.read(lambda tx: _todo(tx, model, transcript))
        if last == 0:
            return False
        some = todo[:_AT_ONCE]
        made = await embed_stored(embedder, [each.text[:MAX_EMBEDDED_CHARS] for each in some])
        if made is None:
            return False
        rest = todo[_AT_ONCE:]
        done = rest[0].number - 1 if rest else last
        new = [_spoken(each, vector) for each, vector in zip(some, made, strict=True)]
        await self.db.write(lambda tx: _write(tx, model, transcript, some, new, done))
        return bool(rest)

    async def _relate(self, model: str, transcript: int) -> None:
        """Record which earlier transcripts it is related to; by words alone without vectors."""
        while True:
            made = await self.db.read(lambda tx: compare(tx, self.past, model, transcript))
            if made is None or await self.db.write(partial(related.put, made=made)):
                return

    async def backfill(self) -> None:
        """Queue transcripts that have no vectors or weren't compared with all earlier ones."""
        while True:
            with contextlib.suppress(UnavailableError):
                await self.catch_up()
            await asyncio.sleep(_BACKFILL_EVERY_S)

    async def catch_up(self) -> None:
        """Queue all that is lacking now, a batch at a time, and wait until that is done.

        Each transcript once for its vectors and once to be compared, whether that succeeds or not.
        """
        # Vectors first: a comparison needs them.
        if model := self.model():
            await self._queue_all(partial(rows.lacking, model=model))
        await self._queue_all(partial(related.lacking, model=self.model()))

    async def _queue_all(self, lacking: Callable[[ReadTx], Sequence[int]]) -> None:
        queued = set[int]()
        while True:
            if not await self._is_busy():
                found = [each for each in await self.db.read(lacking) if each not in queued]
                if not found:
                    return
                some = found[:_QUEUED_AT_ONCE]
                queued.update(some)
                await self.db.write(partial(_queue, found=some, at=self.context.now))
            await asyncio.sleep(self.pause_s)

    async def _is_busy(self) -> bool:
        """Whether a job runs or is ready; those that are tried again later don't count."""
        types = [EMBED_TRANSCRIPT.name]
        running, ready = await self.db.read(
            lambda tx: (jobs.counts(tx, types).leased, jobs.next_ready(tx, types))
        )
        return running > 0 or (ready is not None and ready <= self.context.now)


def _queue(tx: WriteTx, found: Sequence[int], at: str) -> None:
    for transcript in found:
        queue_transcript(tx, transcript, at)


def _todo(tx: ReadTx, model: str, transcript: int) -> tuple[list[StoredMessage], int]:
    """Return the messages to embed, in order, and the row of the last one of all; 0 for none."""
    said = transcripts.messages(tx, transcript)
    if not said:
        return [], 0
    known = {
        number for each in rows.of_transcripts(tx, model, [transcript]) for number in each.numbers
    }
    closing = [*said[1:], None]
    wanted = [
        message
        for message, following in zip(said, closing, strict=True)
        if message.role == "user" or following is None or following.role == "user"
    ]
    todo = [each for each in wanted[-MAX_EMBEDDED_MESSAGES:] if each.number not in known]
    return sorted(todo, key=lambda each: each.number), transcripts.last_row(tx, transcript)


def _spoken(message: StoredMessage, made: MemoryVector) -> SpokenVector:
    return SpokenVector(message.number, made.levels, made.pieces)


def _write(
    tx: WriteTx,
    model: str,
    transcript: int,
    read: Sequence[StoredMessage],
    new: Sequence[SpokenVector],
    done: int,
) -> None:
    """Add vectors, except of messages that were changed or removed meanwhile."""
    now = {each.number: each.text for each in transcripts.messages(tx, transcript)}
    if not now:
        return
    same = {each.number for each in read if now.get(each.number) == each.text}
    known = [
        vector
        for found in rows.of_transcripts(tx, model, [transcript])
        for vector in found.unpacked()
    ]
    added = [each for each in new if each.number in same]
    rows.put(tx, model, packed(transcript, [*known, *added]), done)
