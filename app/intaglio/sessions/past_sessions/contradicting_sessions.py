"""Reads what related sessions settled: a later one may contradict an earlier one.

How alike two sessions are tells most of those of which the later changes what the earlier settled.
Of those that are a little less alike, the cross-encoder reads the statements.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from intaglio.domain.statement_pairs import StatementPair
from intaglio.language.frames.weighing import can_read
from intaglio.language.relations import Wording, cosine
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.related import rows

if TYPE_CHECKING:
    from intaglio.language.relations import ClauseVector

# How lasting a statement must be to settle something.
_SETTLES: Final = 0.3
# Of a session, so many of the most lasting statements are compared: 3 ms each.
_MOST_STATEMENTS: Final = 12
# Reading a pair takes 6 ms of CPU.
_MOST_PAIRS: Final = 8
# A sweep takes two seconds of CPU at most; what is left waits for the next one.
_MOST_SESSIONS: Final = 16
_SKIPPED: Final = 60


@dataclass(slots=True)
class ContradictingSessions:
    """Finds out which related sessions contradict each other; nobody waits for it.

    Where the included model can't be used, the next 60 sweeps are skipped.
    """

    services: CaptureServices
    _skips: int = 0

    async def sweep(self) -> None:
        """Read some sessions that are related and unread."""
        if self._skips:
            self._skips -= 1
            return
        waiting = await self.services.db.read(lambda tx: rows.unread(tx, _MOST_SESSIONS))
        read = [await self._read(later, earlier) for later, earlier in waiting]
        if waiting and not any(read):
            self._skips = _SKIPPED

    async def _read(self, later: int, earlier: int) -> bool:
        """Read two sessions; returns whether that could be done."""
        db = self.services.db
        said = await db.read(lambda tx: _settled(tx, (earlier, later)))
        older, newer = said[earlier], said[later]
        found: Sequence[float] | None = ()
        if older and newer:
            texts = [*dict.fromkeys((*older, *newer))]
            vectors = await self.services.sentence_vectors(texts)
            if vectors is None:
                return False
            by_text = dict(zip(texts, vectors, strict=True))
            pairs = await self.services.in_thread(lambda: _most_alike(older, newer, by_text))
            found = await self.services.read_pairs(pairs) if pairs else ()
        if found is None:
            return False
        probability = max(found, default=0.0)

        def store(tx: WriteTx) -> None:
            # What was said or taken back meanwhile is read by the next sweep.
            if _settled(tx, (earlier, later)) == said:
                rows.set_contradiction(tx, later, earlier, probability)

        await db.write(store)
        return True


def _settled(tx: ReadTx, wanted: Sequence[int]) -> Mapping[int, Sequence[str]]:
    """Return the most lasting statements of the user that still hold, by transcript."""
    found: dict[int, Sequence[str]] = dict.fromkeys(wanted, ())
    for transcript, (harness, session_id, *_) in transcripts.heads(tx, wanted).items():
        # A session may go on in another project: that is another transcript.
        own = transcripts.message_ids(tx, transcript)
        statements = [
            (confidence, sentence, memory)
            for message, _, _, sentence, confidence, memory, is_hidden in past_sessions.judged(
                tx, harness, session_id
            )
            if message in own and sentence and confidence >= _SETTLES and not is_hidden
        ]
        kept = memories.by_ids(tx, [memory for *_, memory in statements if memory])
        held = [
            (confidence, sentence)
            for confidence, sentence, memory in statements
            if memory is None or _holds(kept.get(memory))
        ]
        found[transcript] = [text for _, text in nlargest(_MOST_STATEMENTS, held)]
    return found


def _holds(memory: Memory | None) -> bool:
    return memory is not None and not memory.is_deleted and memory.status != "replaced"


def _most_alike(
    older: Sequence[str], newer: Sequence[str], vectors: "Mapping[str, ClauseVector]"
) -> list[StatementPair]:
    """Return the pairs of an older and a newer statement to read, those that are most alike."""
    scored = [
        (cosine(Wording(one, vectors.get(one)), Wording(other, vectors.get(other))) or 0.0, pair)
        for one in older
        for other in newer
        if one != other and can_read(pair := StatementPair(one, other))
    ]
    ranked = (pair for _, pair in sorted(scored, key=itemgetter(0), reverse=True))
    return list(islice(ranked, _MOST_PAIRS))
