"""``python3 app bench capture [--train]``: trains the clause classifier, and measures it."""

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Final, TypeAlias

import numpy as np

from bench.capture.examples import (
    UNUSED,
    LabelledTurn,
    clause_vectors,
    is_statement,
    turns_of,
)
from bench.capture.figures import tallies
from bench.capture.labelled import all_sessions
from bench.capture.training import Recipe, calibrate, train
from bench.capture.working_day import working_day
from intaglio.base.paths import built_folder
from intaglio.base.settings.schema import CaptureSettings
from intaglio.capture.judge import choose_embedded, judge, read_turn
from intaglio.capture.message_parts import read_part
from intaglio.capture.model import (
    MODEL_FILE,
    Calibration,
    ClauseModel,
    FloatMatrix,
    FloatRow,
    Network,
    combined_odds,
    load_model,
    network_inputs,
    save_model,
    statement_odds,
)
from intaglio.capture.values import Thresholds
from intaglio.inference.manifest import Manifest, read_manifest
from intaglio.inference.runtime import Runtime

Flags: TypeAlias = np.ndarray[tuple[int], np.dtype[np.bool_]]

SESSIONS: Final = Path(__file__).with_name("sessions")
_FULL: Final = Recipe(hidden=96, epochs=20, decay=0.06)
_PLAIN: Final = Recipe(hidden=96, epochs=24, keep_inputs=0.8)
_FULL_SEEDS: Final = (0,)
_PLAIN_SEEDS: Final = (0,)
_FOLDS: Final = 3
_DAY_TURNS: Final = 500
_KEPT_PRECISION: Final = 0.94
_SUGGESTED_PRECISION: Final = 0.52


def main(arguments: list[str]) -> None:
    """Print the checked-in classifier's figures; with ``--train``, train and write it first."""
    # The network's products are small; more threads only make the sums differ.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    cache = Path(tempfile.gettempdir()) / "intaglio-bench-capture"
    if "--train" in arguments:
        save_model(train_model(cache), MODEL_FILE)
        load_model.cache_clear()
        print(f"wrote {MODEL_FILE.name}: {MODEL_FILE.stat().st_size / 1e6:.2f} MB")
    report(arguments)


class _Data:
    """All clauses of the labelled sessions as arrays; ``fold`` is the writer's, for validation."""

    def __init__(self, turns: Sequence[LabelledTurn], vectors: Sequence[FloatMatrix]) -> None:
        used = [pair for pair in zip(turns, vectors, strict=True) if pair[0].classes]
        self.plain = np.concatenate([turn.turn.features for turn, _ in used])
        self.full = np.concatenate(
            [network_inputs(turn.turn.features, rows) for turn, rows in used]
        )
        self.grams = [grams for turn, _ in used for grams in turn.turn.grams]
        self.classes = np.array([number for turn, _ in used for number in turn.classes])
        self.fold = np.array([_fold(turn) for turn, _ in used for _ in turn.classes])

    @property
    def trains(self) -> Flags:
        """The clauses that train something."""
        return np.asarray(self.classes != UNUSED, dtype=np.bool_)

    @property
    def statements(self) -> Flags:
        """The clauses that are statements to keep."""
        return np.array([is_statement(number) for number in self.classes])


def _fold(turn: LabelledTurn) -> int:
    """Return the fold; all of a writer's sessions are in one."""
    return ord(turn.session.writer) % _FOLDS


def train_model(cache: Path) -> ClauseModel:
    """Train on the sessions in ``train``; prints the thresholds that validation suggests."""
    manifest = read_manifest(built_folder("model"))
    assert isinstance(manifest, Manifest)
    turns = turns_of(list(all_sessions(SESSIONS / "train")))
    data = _Data(turns, clause_vectors(turns, built_folder("model"), cache))
    print(f"{len(turns)} messages, {len(data.classes)} clauses, {data.statements.sum()} statements")
    full_odds, plain_odds = _out_of_fold(data)
    rows = data.trains
    wanted = data.statements[rows].astype(np.float32)
    mixed = combined_odds(full_odds, plain_odds)[rows]
    with_vectors = calibrate(mixed, wanted)
    without_vectors = calibrate(plain_odds[rows], wanted)
    _print_thresholds("with vectors", with_vectors.probability(mixed), wanted)
    _print_thresholds("without", without_vectors.probability(plain_odds[rows]), wanted)
    return ClauseModel(
        encoder=manifest.sha256["model.onnx"],
        full=_fit(data, data.full, rows, _FULL, _FULL_SEEDS),
        plain=_fit(data, data.plain, rows, _PLAIN, _PLAIN_SEEDS),
        with_vectors=_rounded(with_vectors),
        without_vectors=_rounded(without_vectors),
    )


def _rounded(calibration: Calibration) -> Calibration:
    return Calibration(round(calibration.slope, 4), round(calibration.intercept, 4))


def _fit(
    data: _Data, inputs: FloatMatrix, rows: Flags, recipe: Recipe, seeds: Sequence[int]
) -> tuple[Network, ...]:
    chosen = np.flatnonzero(rows)
    grams = [data.grams[row] for row in chosen]
    return tuple(
        train(inputs[chosen], grams, data.classes[chosen].tolist(), seed=seed, recipe=recipe)
        for seed in seeds
    )


def _out_of_fold(data: _Data) -> tuple[FloatRow, FloatRow]:
    """Return each clause's log-odds by networks that were trained without its fold."""
    full = np.zeros(len(data.classes), dtype=np.float32)
    plain = np.zeros_like(full)
    for fold in range(_FOLDS):
        rest, tested = data.trains & (data.fold != fold), np.flatnonzero(data.fold == fold)
        grams = [data.grams[row] for row in tested]
        for target, inputs, recipe, seeds in (
            (full, data.full, _FULL, _FULL_SEEDS),
            (plain, data.plain, _PLAIN, _PLAIN_SEEDS),
        ):
            networks = _fit(data, inputs, rest, recipe, seeds)
            votes = [statement_odds(one.shares(inputs[tested], grams)) for one in networks]
            target[tested] = np.mean(votes, axis=0)
    return full, plain


def _print_thresholds(name: str, chances: FloatRow, wanted: FloatRow) -> None:
    order = np.argsort(-chances)
    hits = np.cumsum(wanted[order])
    precision = hits / np.arange(1, len(order) + 1)
    keep = int(np.flatnonzero(precision >= _KEPT_PRECISION).max(initial=0))
    below = (hits[keep + 1 :] - hits[keep]) / np.arange(1, len(order) - keep)
    suggest = keep + 1 + int(np.flatnonzero(below >= _SUGGESTED_PRECISION).max(initial=0))
    print(
        f"validation, {name}: keep from {chances[order[keep]]:.3f} (recall "
        f"{hits[keep] / wanted.sum():.2f}), suggest from {chances[order[suggest]]:.3f} (recall "
        f"{hits[suggest] / wanted.sum():.2f})"
    )


def report(arguments: Sequence[str]) -> None:
    """Print what the classifier makes of the sessions kept apart and of a working day."""
    settings = CaptureSettings()
    thresholds = Thresholds(settings.keep_at, settings.suggest_at)
    runtime = Runtime(built_folder("model"), 256)
    print(f"thresholds: keep {thresholds.keep}, suggest {thresholds.suggest}")
    part = "train" if "--on-train" in arguments else "held"
    turns = [
        replace(turn, turn=choose_embedded(turn.turn))
        for turn in turns_of(list(all_sessions(SESSIONS / part)))
    ]
    for name, use_vectors in (("with clause vectors", True), ("with features alone", False)):
        judged = [
            (turn, judge(turn.turn, _vectors(turn.turn.to_embed, runtime, use_vectors), thresholds))
            for turn in turns
        ]
        found, kinds = tallies(judged)
        print(f"\n{part} sessions, {name}: {len(turns)} messages")
        for key, tally in found.items():
            if use_vectors or not key.startswith(" "):
                print(tally.line(key))
        junk = found["all"].junk_kinds
        for kind, total in kinds.most_common():
            kept, suggested = junk[f"{kind} kept"], junk[f"{kind} suggested"]
            print(f"  {kind:16s} {total:4d} marked: {kept:3d} kept, {suggested:3d} suggested")
    _working_day(runtime, thresholds)


def _vectors(texts: Sequence[str], runtime: Runtime, use_vectors: bool) -> list[FloatRow] | None:
    return [runtime.clause_vector(text) for text in texts] if use_vectors and texts else None


def _working_day(runtime: Runtime, thresholds: Thresholds) -> None:
    spent: list[float] = []
    kept = suggested = 0
    for message, before in working_day(_DAY_TURNS, seed=14):
        began = time.process_time()
        turn = read_turn(message, before)
        found = judge(turn, _vectors(turn.to_embed, runtime, use_vectors=True), thresholds)
        spent.append(1000 * (time.process_time() - began))
        kept += sum(one.outcome == "kept" for one in found.statements)
        suggested += sum(one.outcome == "suggested" for one in found.statements)
    print(
        f"\nworking day of {_DAY_TURNS} turns with nothing to keep: {100 * kept / _DAY_TURNS:.2f} "
        f"kept and {100 * suggested / _DAY_TURNS:.2f} suggested per 100 turns\n"
        f"CPU per turn: {median(spent):.1f} ms p50, {quantiles(spent, n=20)[-1]:.1f} ms p95, "
        f"{max(spent):.0f} ms at most"
    )
    huge = "We keep the fixtures in tests/data and nobody edits them by hand. " * 8000
    began = time.process_time()
    turn = read_turn(read_part(huge, str), "")
    judge(turn, _vectors(turn.to_embed, runtime, use_vectors=True), thresholds)
    print(f"a message of {len(huge)} characters: {1000 * (time.process_time() - began):.0f} ms")
