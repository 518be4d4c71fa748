"""Turns labelled sessions into labelled sentences, to train the classifier and to judge it."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from bench.capture.labelled import NEGATIVE_KINDS, Label, LabelledSession
from intaglio.capture.judge import TurnClauses, describe_turn
from intaglio.capture.model import CLASSES, FloatMatrix
from intaglio.inference.runtime import Runtime

HalfRow: TypeAlias = np.ndarray[tuple[int], np.dtype[np.float16]]

_MIN_OVERLAP: Final = 4
UNUSED: Final = -1
"""The class of what may be kept or not: it trains no class."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a sentence should be judged: to be kept, by some people or by all, and its class."""

    keep: float
    any: float
    number: int


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A user's message as the product reads it, with a target per sentence.

    ``owner`` is whose words it is; empty for self-written sessions. Nothing is chosen to be
    embedded yet: training must not need a classifier.
    """

    session: LabelledSession
    owner: str
    number: int
    turn: TurnClauses
    targets: tuple[Target, ...]
    labels: tuple[Label, ...]


def turns_of(sessions: Sequence[LabelledSession], owner: str = "") -> list[LabelledTurn]:
    """Return the users' messages of the sessions, in order."""
    return [turn for session in sessions for turn in _turns(session, owner)]


def _turns(session: LabelledSession, owner: str) -> Iterator[LabelledTurn]:
    before = ""
    for number, message in enumerate(session.messages):
        if message.role == "assistant":
            before = message.text
            continue
        turn = describe_turn(message.text, before)
        targets = tuple(_target(message.labels, one.start, one.end) for one in turn.sentences)
        yield LabelledTurn(session, owner, number, turn, targets, message.labels)


def overlap(label: Label, start: int, end: int) -> int:
    """Count the characters of ``start`` to ``end`` that the label covers."""
    return max(0, min(label.end, end) - max(label.start, start))


def label_of(labels: Sequence[Label], start: int, end: int) -> Label | None:
    """Return the label that covers most of ``start`` to ``end``."""
    best = max(labels, key=lambda one: overlap(one, start, end), default=None)
    if best is None or overlap(best, start, end) < min(_MIN_OVERLAP, end - start):
        return None
    return best


def _target(labels: Sequence[Label], start: int, end: int) -> Target:
    label = label_of(labels, start, end)
    if label is None:
        return Target(0.0, 0.0, CLASSES.index("plain"))
    match label.wanted:
        case "kept" | "withdrawn":
            return Target(1.0, 1.0, CLASSES.index(label.type))
        case "either":
            return Target(0.3, 1.0, UNUSED)
        case "none":
            return Target(0.0, 0.0, CLASSES.index(label.kind))


def clause_vectors(turns: Sequence[LabelledTurn], model: Path, cache: Path) -> list[FloatMatrix]:
    """Return the vectors of each turn's sentences; ``cache`` keeps those of each text."""
    texts = sorted({clause.text for turn in turns for clause in turn.turn.sentences})
    manifest = hashlib.sha256((model / "manifest.json").read_bytes()).hexdigest()[:16]
    file = cache / f"clauses-{manifest}.npz"
    known: dict[str, HalfRow] = {}
    if file.exists():
        with np.load(file, allow_pickle=False) as stored:
            known = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))
    keys = {
        text: hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        for text in texts
    }
    missing = [text for text in texts if keys[text] not in known]
    if missing:
        runtime = Runtime(model, 256)
        for text in missing:
            known[keys[text]] = runtime.clause_vector(text).astype(np.float16)
        cache.mkdir(parents=True, exist_ok=True)
        np.savez(file, keys=np.array(list(known)), rows=np.stack(list(known.values())))
    return [
        np.array([known[keys[clause.text]] for clause in turn.turn.sentences], dtype=np.float32)
        for turn in turns
    ]


assert set(NEGATIVE_KINDS) <= set(CLASSES)
