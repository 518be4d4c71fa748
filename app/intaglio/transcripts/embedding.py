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
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedder, MemoryVector, NotEmbedded, TextInContext
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
from intaglio.transcripts.vectors.job_types import queue_transcript
from intaglio.transcripts.vectors.values import (
    MAX_EMBEDDED_CHARS,
    MAX_EMBEDDED_MESSAGES,
    SpokenVector,
    packed,
)

_TIMEOUT_S: Final = 60.0
_AT_ONCE: Final = 16
_BACKFILL: Final = 200
_BACKFILL_EVERY_S: Final = 3_600.0


class NotEmbeddedError(RuntimeError):
    """The model failed; the job is tried again."""


@dataclass(frozen=True, slots=True)
class TranscriptEmbedding:
    """Runs jobs of type `embed_transcript`, whose subject is a transcript's number.

    ``embedder`` is the configured one.
    """

    db: Database
    context: ChangeContext
    embedder: Callable[[], Embedder]
    past: PastSessions

    def model(self) -> str:
        """Return what identifies vectors of the included model; empty if another is configured."""
        embedder = self.embedder()
        return embedder.identity.sha256 if isinstance(embedder, OnnxEmbedder) else ""

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
        texts = [TextInContext(each.text[:MAX_EMBEDDED_CHARS]) for each in some]
        made = await embedder.embed_memories(texts, timeout_s=_TIMEOUT_S) if texts else ()
        if isinstance(made, NotEmbedded):
            if made.is_permanent:
                return False
            raise NotEmbeddedError(made.detail)
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
                await self._queue_lacking(self.model())
            await asyncio.sleep(_BACKFILL_EVERY_S)

    async def _queue_lacking(self, model: str) -> None:
        # Vectors first: a comparison needs them.
        found = await self.db.read(
            lambda tx: rows.lacking(tx, model, _BACKFILL) if model else []
        ) or await self.db.read(lambda tx: related.lacking(tx, model, _BACKFILL))
        if found:
            await self.db.write(lambda tx: _queue(tx, found, self.context.now))


def _queue(tx: WriteTx, found: Sequence[int], at: str) -> None:
    for transcript in found:
        queue_transcript(tx, transcript, at)


def _todo(tx: ReadTx, model: str, transcript: int) -> tuple[list[StoredMessage], int]:
    """Return the messages to embed, in order, and the row of the last message; 0 for none."""
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
    return sorted(todo, key=lambda each: each.number), max(each.number for each in said)


def _spoken(message: StoredMessage, made: MemoryVector) -> SpokenVector:
    largest = float(abs(made.vector).max()) or 1.0
    levels = (made.vector * (127 / largest)).round().astype("int8")
    return SpokenVector(message.number, levels.tobytes(), made.pieces)


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
