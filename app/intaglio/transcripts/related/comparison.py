"""Compares a transcript with the earlier ones of its project and agent."""

from heapq import nlargest
from typing import Final

from intaglio.domain.reader import IsolatedReader
from intaglio.store.tx import ReadTx
from intaglio.terms.question_words import MAX_QUERY_CHARS
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.past_sessions import PastSessions
from intaglio.transcripts.related import rows
from intaglio.transcripts.related.likeness import cosines, likeness
from intaglio.transcripts.related.values import (
    LEAST_LIKENESS,
    EarlierTranscript,
    SessionRelations,
)
from intaglio.transcripts.values import TranscriptFilter
from intaglio.transcripts.vectors import rows as vectors

_MOST: Final = 8


def compare(tx: ReadTx, past: PastSessions, model: str, transcript: int) -> SessionRelations | None:
    """Return the earlier transcripts that one is about the subject of; None if it has no text.

    ``model`` identifies the vectors to compare; "" compares words alone. Up to 20 ms.
    """
    head = rows.heads(tx, [transcript]).get(transcript)
    if head is None:
        return None
    earlier = rows.earlier(tx, transcript)
    if not earlier:
        return SessionRelations(transcript, head, 0)
    text = " ".join(each.text for each in transcripts.messages(tx, transcript))
    wanted = TranscriptFilter(reader=IsolatedReader(head.agent_id), projects=(head.project,))
    scores = past.scores(tx, text[:MAX_QUERY_CHARS], wanted)
    stored = vectors.centroids(tx, model, [transcript, *earlier]) if model else ()
    known = {number: centroid for number, centroid, _ in stored}
    own = known.pop(transcript, None)
    near = cosines(own, known) if own is not None else {}
    found = likeness(
        {number: scores.get(number, 0.0) for number in earlier}, scores.get(transcript, 0.0), near
    )
    best = nlargest(_MOST, found, key=lambda number: (found[number], number))
    heads = rows.heads(tx, [each for each in best if found[each] >= LEAST_LIKENESS])
    return SessionRelations(
        transcript,
        head,
        len(known) if model else len(earlier),
        tuple(EarlierTranscript(each, heads[each], round(found[each], 2)) for each in heads),
    )
