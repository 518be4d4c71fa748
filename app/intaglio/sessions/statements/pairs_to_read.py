"""Chooses which statements are read together with which memories by the cross-encoder; pure."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from intaglio.domain.statement_pairs import StatementPair
from intaglio.language.frames.weighing import can_read
from intaglio.language.overlap import topic_overlap
from intaglio.language.relations import cosine
from intaglio.sessions.statements.plan import Judged, Surroundings
from intaglio.sessions.statements.values import KnownMemory

# Reading a pair takes 6 ms of CPU.
_MOST: Final = 8
# Of a hundred contradictions, six are less alike; of random pairs, nearly all are.
_LEAST_COSINE: Final = 0.25


def pairs_to_read(judged: Sequence[Judged], around: Surroundings) -> list[StatementPair]:
    """Return a message's pairs that are most alike, at most eight; the newer is the later said."""
    scored = [
        (_likeness(around, one.row.content, known.text), pair)
        for one, known, pair in _pairs(judged, around)
    ]
    alike = sorted((each for each in scored if each[0] > 0), key=lambda one: -one[0])
    return list(islice(filter(can_read, dict.fromkeys(pair for _, pair in alike)), _MOST))


def _pairs(
    judged: Sequence[Judged], around: Surroundings
) -> Iterator[tuple[Judged, KnownMemory, StatementPair]]:
    for one in judged:
        text = one.row.content
        if one.row.outcome == "withdrawal" or not text:
            continue
        for known in around.memories:
            if known.is_replaced or known.said_here or known.text == text:
                continue
            yield one, known, pair_of(one, known)


def pair_of(one: Judged, known: KnownMemory) -> StatementPair:
    """Return a statement and a memory in the order in which they were said."""
    is_later = known.said_at > one.row.at
    own, other = one.row.content, known.text
    return StatementPair(own, other) if is_later else StatementPair(other, own)


def _likeness(around: Surroundings, one: str, other: str) -> float:
    """Return how much alike two texts are; 0 if they are about different things."""
    near = cosine(around.wording(one), around.wording(other))
    if near is not None and near < _LEAST_COSINE:
        return 0.0
    return topic_overlap(one, other).share + (near or 0.0)
