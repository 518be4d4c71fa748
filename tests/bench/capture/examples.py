"""Turns labelled sessions into labelled clauses, to train the classifier and to judge it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from bench.capture.labelled import NEGATIVE_KINDS, Label, LabelledSession
from intaglio.capture.judge import TurnClauses, describe_turn
from intaglio.capture.model import CLASSES, STATEMENT_CLASSES, FloatMatrix
from intaglio.inference.runtime import Runtime

_MIN_OVERLAP: Final = 4
# Parts of a statement that was split, and what may be kept or not, train nothing.
UNUSED: Final = -1


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A user's message as the product reads it; ``classes`` has a class index per clause.

    Nothing is chosen to be embedded yet: training must not need a classifier.
    """

    session: LabelledSession
    number: int
    turn: TurnClauses
    classes: tuple[int, ...]
    labels: tuple[Label, ...]


def turns_of(sessions: Sequence[LabelledSession]) -> list[LabelledTurn]:
    """Return the users' messages of the sessions, in order."""
    return [turn for session in sessions for turn in _turns(session)]


def _turns(session: LabelledSession) -> Iterator[LabelledTurn]:
    before = ""
    for number, message in enumerate(session.messages):
        if message.role == "assistant":
            before = message.text
            continue
        turn = describe_turn(message.text, before)
        classes = _classes(turn, message.labels)
        yield LabelledTurn(session, number, turn, classes, message.labels)


def overlap(label: Label, start: int, end: int) -> int:
    """Count the characters of ``start`` to ``end`` that the label covers."""
    return max(0, min(label.end, end) - max(label.start, start))


def _classes(turn: TurnClauses, labels: Sequence[Label]) -> tuple[int, ...]:
    spans = [(clause.start, clause.end) for clause in turn.clauses]
    best: dict[int, int] = {}
    for index, label in enumerate(labels):
        if label.wanted != "none" and spans:
            shares = [overlap(label, *span) for span in spans]
            best[index] = int(np.argmax(shares)) if max(shares) else -1
    return tuple(_class_of(row, span, labels, best) for row, span in enumerate(spans))


def _class_of(
    row: int, span: tuple[int, int], labels: Sequence[Label], best: dict[int, int]
) -> int:
    found = [
        (overlap(label, *span), index, label)
        for index, label in enumerate(labels)
        if overlap(label, *span) >= min(_MIN_OVERLAP, span[1] - span[0])
    ]
    statements = [one for one in found if one[2].wanted != "none"]
    if statements:
        _, index, label = max(statements, key=lambda one: (best[one[1]] == row, one[0]))
        if label.wanted == "either" or best[index] != row:
            return UNUSED
        return CLASSES.index(label.type)
    if not found:
        return CLASSES.index("plain")
    return CLASSES.index(max(found, key=lambda one: one[0])[2].kind)


def clause_vectors(turns: Sequence[LabelledTurn], model: Path, cache: Path) -> list[FloatMatrix]:
    """Return the vectors of each turn's clauses, computed once for each text and encoder."""
    texts = sorted({clause.text for turn in turns for clause in turn.turn.clauses})
    key = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass"))
    key.update((model / "manifest.json").read_bytes())
    file = cache / f"clauses-{key.hexdigest()[:16]}.npy"
    if file.exists():
        rows = np.load(file).astype(np.float32)
    else:
        runtime = Runtime(model, 256)
        rows = np.stack([runtime.clause_vector(text) for text in texts])
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, rows.astype(np.float16))
    index = {text: row for row, text in enumerate(texts)}
    return [rows[[index[clause.text] for clause in turn.turn.clauses]] for turn in turns]


def is_statement(number: int) -> bool:
    """Whether a class index is one of a statement to keep."""
    return 0 <= number < STATEMENT_CLASSES


assert set(NEGATIVE_KINDS) <= set(CLASSES)
