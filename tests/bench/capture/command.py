"""``python3 app bench capture [--real DIR]... [--train]``: measures the clause classifier.

Real sessions of other people lie in folders outside the repository; what comes out for them is
found by cross-validation over the owners of their repositories. They are told apart from the
sessions that were written for this project, which say little about other people. ``--train``
trains and writes the classifier first.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bench.capture.examples import LabelledTurn, clause_vectors, turns_of
from bench.capture.figures import tallies
from bench.capture.labelled import all_sessions
from bench.capture.model_training import LabelledTurns, Trained, train_all
from bench.capture.real_figures import real_figures
from bench.capture.real_sessions import fold_of, read_real
from bench.capture.working_day import working_day
from intaglio.base.paths import built_folder
from intaglio.capture.judge import (
    choose_embedded,
    judge,
    lasting,
    needs_vectors,
    read_for_reminder,
    read_turn,
)
from intaglio.capture.message_parts import read_part
from intaglio.capture.model import (
    MODEL_FILE,
    ClauseModel,
    FloatMatrix,
    FloatRow,
    load_model,
    save_model,
)
from intaglio.capture.settings import CaptureSettings
from intaglio.capture.values import LASTING_FROM, Thresholds, TurnJudgement
from intaglio.inference.manifest import Manifest, read_manifest
from intaglio.inference.runtime import Runtime

SESSIONS: Final = Path(__file__).with_name("sessions")
SEEDS: Final = (0, 1, 2)
_DAY_TURNS: Final = 500
_TIMED: Final = 1_000


def main(arguments: list[str]) -> None:
    """Print the figures; with ``--train``, train and write the classifier first."""
    # The network's products are small; more threads only make the sums differ.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(prog="bench capture", description=__doc__)
    parser.add_argument("--real", type=Path, action="append", default=[], metavar="DIR")
    parser.add_argument("--train", action="store_true")
    wanted = parser.parse_args(arguments)
    settings = CaptureSettings()
    thresholds = Thresholds(settings.keep_at, settings.suggest_at)
    print(
        f"thresholds: keep {thresholds.keep}, suggest {thresholds.suggest}, reminder "
        + ", ".join(f"{name} {least}" for name, least in LASTING_FROM.items())
    )
    real = _real_turns(wanted.real)
    if real:
        _report_real(real, thresholds, write=wanted.train)
    elif wanted.train:
        sys.exit("The classifier is taught by real sessions: name their folders with --real.")
    else:
        print(
            "\nreal sessions: not measured. They aren't part of the repository; name folders of "
            "labelled ones with --real DIR."
        )
    _report_own(thresholds)


def _real_turns(folders: Sequence[Path]) -> list[LabelledTurn]:
    found = read_real(folders, lambda what: print(f"left out: {what}"))
    return [turn for one in found for turn in turns_of([one.session], one.owner)]


def _with_vectors(turns: Sequence[LabelledTurn]) -> LabelledTurns:
    cache = Path(tempfile.gettempdir()) / "intaglio-bench-capture"
    return LabelledTurns(turns, clause_vectors(turns, built_folder("model"), cache))


def train_model(data: LabelledTurns, seeds: Sequence[int]) -> Trained:
    """Train on the sessions; see `train_all`."""
    manifest = read_manifest(built_folder("model"))
    assert isinstance(manifest, Manifest)
    return train_all(data, manifest.sha256["model.onnx"], seeds)


def _report_real(turns: Sequence[LabelledTurn], thresholds: Thresholds, *, write: bool) -> None:
    own = turns_of(list(all_sessions(SESSIONS / "train")))
    data = _with_vectors([*turns, *own])
    trained = train_model(data, SEEDS)
    if write:
        save_model(trained.model, MODEL_FILE)
        load_model.cache_clear()
        print(f"wrote {MODEL_FILE.name}: {MODEL_FILE.stat().st_size / 1e6:.2f} MB")
    for name, use_vectors in (("with vectors", True), ("with features alone", False)):
        judged = [
            (
                turn,
                _judged(
                    turn, vectors, trained.by_fold[fold_of(turn.owner)], thresholds, use_vectors
                ),
            )
            for turn, vectors in zip(turns, data.vectors, strict=False)
        ]
        for language, figures in real_figures(judged).items():
            print(f"\nreal sessions, {language}, {name}, by models without the owner's words:")
            print("\n".join(f"  {line}" for line in figures.lines()))
    _report_cpu(turns, thresholds)


def _report_cpu(turns: Sequence[LabelledTurn], thresholds: Thresholds) -> None:
    runtime = Runtime(built_folder("model"), 256)
    spent: list[float] = []
    for one in turns[:: max(1, len(turns) // _TIMED)]:
        messages = one.session.messages
        before = messages[one.number - 1].text if one.number else ""
        began = time.process_time()
        turn = read_turn(messages[one.number].text, before)
        judge(turn, _vectors(turn.to_embed, runtime, use_vectors=True), thresholds)
        spent.append(1000 * (time.process_time() - began))
    print(f"\nCPU per message of the real sessions: {_spent(spent)} ({len(spent)} messages)")


def _judged(
    labelled: LabelledTurn,
    vectors: FloatMatrix,
    model: ClauseModel,
    thresholds: Thresholds,
    use_vectors: bool,
) -> TurnJudgement:
    turn = choose_embedded(labelled.turn, model)
    rows = list(vectors[list(turn.embedded)]) if use_vectors and turn.embedded else None
    return judge(turn, rows, thresholds, model=model)


def _report_own(thresholds: Thresholds) -> None:
    runtime = Runtime(built_folder("model"), 256)
    turns = [
        replace(turn, turn=choose_embedded(turn.turn))
        for turn in turns_of(list(all_sessions(SESSIONS / "held")))
    ]
    for name, use_vectors in (("with vectors", True), ("with features alone", False)):
        judged = [
            (turn, judge(turn.turn, _vectors(turn.turn.to_embed, runtime, use_vectors), thresholds))
            for turn in turns
        ]
        found, kinds = tallies(judged)
        print(f"\nown sessions kept apart, {name}: {len(turns)} messages")
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
    reminders: list[float] = []
    kept = suggested = reminded = 0
    for message, before in working_day(_DAY_TURNS, seed=14):
        began = time.process_time()
        turn = read_turn(message, before)
        found = judge(turn, _vectors(turn.to_embed, runtime, use_vectors=True), thresholds)
        spent.append(1000 * (time.process_time() - began))
        kept += sum(one.outcome == "kept" for one in found.statements)
        suggested += sum(one.outcome == "suggested" for one in found.statements)
        began = time.process_time()
        reminded += _reminds(message, runtime)
        reminders.append(1000 * (time.process_time() - began))
    print(
        f"\nworking day of {_DAY_TURNS} turns with nothing to keep: {100 * kept / _DAY_TURNS:.2f} "
        f"kept, {100 * suggested / _DAY_TURNS:.2f} suggested and "
        f"{100 * reminded / _DAY_TURNS:.2f} reminders per 100 turns\n"
        f"CPU per turn: {_spent(spent)}\nCPU of a reminder's decision: {_spent(reminders)}"
    )
    huge = "We keep the fixtures in tests/data and nobody edits them by hand. " * 8000
    began = time.process_time()
    turn = read_turn(read_part(huge, str), "")
    judge(turn, _vectors(turn.to_embed, runtime, use_vectors=True), thresholds)
    print(f"a message of {len(huge)} characters: {1000 * (time.process_time() - began):.0f} ms")


def _reminds(message: str, runtime: Runtime) -> bool:
    turn = read_for_reminder(message)
    chance = lasting(turn, None)
    if needs_vectors(chance):
        chance = lasting(turn, _vectors(turn.to_embed, runtime, use_vectors=True))
    return chance >= LASTING_FROM["normal"]


def _spent(ms: Sequence[float]) -> str:
    return (
        f"{median(ms):.1f} ms p50, {quantiles(ms, n=20)[-1]:.1f} ms p95, {max(ms):.0f} ms at most"
    )
