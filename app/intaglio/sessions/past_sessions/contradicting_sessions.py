"""Reads what related sessions settled: a later one may contradict an earlier one.

How alike two sessions are tells most of those of which the later changes what the earlier settled.
Of those that are a little less alike, the cross-encoder reads the statements.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from intaglio.domain.statement_pairs import StatementPair
from intaglio.language.frames.weighing import can_read
from intaglio.language.relations import Wording, cosine
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.statements.services import CaptureServices
from intaglio.store.tx import ReadTx
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
        db = self.services.db
        for later, earlier in await db.read(lambda tx: rows.unread(tx, _MOST_SESSIONS)):
            found = await self._read(later, earlier)
            if found is None:
                self._skips = _SKIPPED
                return
            await db.write(
                partial(rows.set_contradiction, later=later, earlier=earlier, probability=found)
            )

    async def _read(self, later: int, earlier: int) -> float | None:
        """Return how likely both contradict; None if that can't be told now."""
        said = await self.services.db.read(lambda tx: _settled(tx, (earlier, later)))
        older, newer = said[earlier], said[later]
        texts = [*dict.fromkeys((*older, *newer))]
        vectors = await self.services.sentence_vectors(texts) if older and newer else ()
        if vectors is None:
            return None
        pairs = _most_alike(older, newer, dict(zip(texts, vectors, strict=False)))
        found = await self.services.read_pairs(pairs) if pairs else ()
        return None if found is None else max(found, default=0.0)


def _settled(tx: ReadTx, wanted: Sequence[int]) -> Mapping[int, Sequence[str]]:
    """Return the most lasting statements of the user that still hold, by transcript."""
    found: dict[int, Sequence[str]] = dict.fromkeys(wanted, ())
    for transcript, (harness, session_id, *_) in transcripts.heads(tx, wanted).items():
        statements = [
            (confidence, sentence)
            for _, _, _, sentence, confidence, _, is_hidden in past_sessions.judged(
                tx, harness, session_id
            )
            if sentence and confidence >= _SETTLES and not is_hidden
        ]
        found[transcript] = [text for _, text in nlargest(_MOST_STATEMENTS, statements)]
    return found


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
