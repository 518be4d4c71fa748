"""``bench capture [--train]``: what the product keeps of labelled sessions, and its figures."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from bench.capture.examples import Turn, overlaps, turns, wanted_of
from bench.capture.labelled import Label, LabelledSession, read_sessions
from bench.capture.training import calibration, cross_validate, examples, train
from intaglio.base.settings.schema import CaptureSettings
from intaglio.capture import model
from intaglio.capture.judge import judge, read_turn
from intaglio.capture.values import ClauseVector, Thresholds
from intaglio.inference.runtime import Runtime

_SESSIONS = Path(__file__).parent / "sessions"
_SENTENCES = Path(__file__).parents[2] / "unit" / "capture" / "cue_sentences.txt"
_ENCODER = Path(model.__file__).parents[1] / "_built" / "model"


def main(arguments: list[str]) -> None:
    """Print the figures of the sessions kept apart; with ``--train``, train first."""
    manifest = json.loads((_ENCODER / "manifest.json").read_text(encoding="utf-8"))
    runtime = Runtime(_ENCODER, manifest["max_tokens"])
    if "--train" in arguments:
        _train(runtime, manifest["sha256"]["model.onnx"])
    defaults = CaptureSettings()
    thresholds = Thresholds(keep=defaults.keep_at, suggest=defaults.suggest_at)
    held = _read("held")
    vectors = _vectors(held, runtime)
    print(f"Sessions kept apart, keep at {thresholds.keep}, suggest at {thresholds.suggest}")
    _report("with vectors", held, vectors, thresholds)
    _report("features alone", held, [None] * len(held), thresholds)
    _print_time(held, runtime, thresholds)


def _read(name: str) -> list[tuple[str, Turn]]:
    return [
        (file.stem, turn)
        for file in sorted((_SESSIONS / name).glob("*.txt"))
        for turn in turns(read_sessions(file))
    ]


def _single_sentences() -> list[tuple[str, Turn]]:
    """Read the sentences of the unit tests, each as a message; ``none`` isn't to be kept."""
    found: list[tuple[str, Turn]] = []
    for number, line in enumerate(_SENTENCES.read_text(encoding="utf-8").splitlines()[1:]):
        kind, _, text = line.partition(" | ")
        if not text:
            continue
        labels = (Label(0, len(text), "kept", kind),) if kind != "none" else ()
        session = LabelledSession(f"en-sentence-{number}", "sentences", ())
        turn = Turn(session, 0, text, "", labels, read_turn(text, ""))
        found.append((f"sentences-{number % 5}", turn))
    return found


def _vectors(read: Iterable[tuple[str, Turn]], runtime: Runtime) -> list[list[ClauseVector]]:
    return [[runtime.clause_vector(text) for text in turn.read.to_embed] for _, turn in read]


def _train(runtime: Runtime, encoder: str) -> None:
    read = [*_read("train"), *_single_sentences()]
    data = examples(read, _vectors(read, runtime))
    scores = cross_validate(data, encoder)
    arrays = train(data, np.ones(len(data.groups), dtype=bool), encoder)
    known = data.wanted >= 0
    print(f"{len(read)} turns, {len(data.groups)} clauses; cross-validated by file:")
    for variant, found in scores.items():
        wanted = data.wanted[known]
        arrays[f"{variant}_calibration"] = calibration(found[known], wanted)
        chances = model.probability(found[known], arrays, variant)
        order = np.argsort(-chances)
        right = np.cumsum(wanted[order])
        precision = right / np.arange(1, len(order) + 1)
        for goal in (0.95, 0.94, 0.93, 0.92, 0.9):
            last = int(np.nonzero(precision >= goal)[0].max())
            recall = right[last] / right[-1]
            print(
                f"  {variant} precision {goal}: recall {recall:.3f} at {chances[order[last]]:.3f}"
            )
        for goal in (0.85, 0.88, 0.9, 0.92):
            first = int(np.argmax(right >= goal * right[-1]))
            print(
                f"  {variant} recall {goal}: precision {precision[first]:.3f}"
                f" at {chances[order[first]]:.3f}"
            )
    stored = {
        name: values if name == "encoder" else values.astype(np.float16)
        for name, values in arrays.items()
    }
    np.savez_compressed(model.MODEL_FILE, allow_pickle=False, **stored)
    model.load.cache_clear()
    model.encoder.cache_clear()


def _report(  # noqa: C901, PLR0912 - it counts in one pass
    title: str,
    read: Sequence[tuple[str, Turn]],
    vectors: Sequence[Sequence[ClauseVector] | None],
    thresholds: Thresholds,
) -> None:
    """Count statements found and junk, over all, per language and per style."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, turn), given in zip(read, vectors, strict=True):
        names = ("all", turn.session.language, f"  {turn.session.style}")
        judged = judge(turn.read, given, thresholds).statements
        for label in turn.labels:
            if label.kind:
                kinds[label.kind]["all"] += 1
            if label.wanted not in ("kept", "withdrawn"):
                continue
            hits = [one for one in judged if overlaps(one.clause.start, one.clause.end, label)]
            for name in names:
                counts[name]["wanted"] += 1
                counts[name]["kept"] += any(one.outcome == "kept" for one in hits)
                counts[name]["found"] += bool(hits)
        for one in judged:
            found = wanted_of(one.clause.start, one.clause.end, turn.labels)
            if found is not None and found.wanted == "either":
                continue
            verdict = "right" if found is not None and found.wanted != "none" else "junk"
            for name in names:
                counts[name][f"{one.outcome} {verdict}"] += 1
            if verdict == "junk":
                kinds[found.kind if found else "unmarked"][one.outcome] += 1
        for name in names:
            counts[name]["turns"] += 1
    print(f"\n{title}: kept precision and recall, suggestion precision, kept or suggested recall")
    for name, count in counts.items():
        if count["wanted"]:
            print(f"  {name:24} {_line(count)}")
    print("  junk per kind of negative (kept, suggested, all):")
    for kind, count in sorted(kinds.items()):
        print(f"    {kind:18} {count['kept']:4} {count['suggested']:4} {count['all']:5}")


def _line(count: Counter[str]) -> str:
    def precision(outcome: str) -> float:
        right, junk = count[f"{outcome} right"], count[f"{outcome} junk"]
        return right / max(1, right + junk)

    return (
        f"{precision('kept'):.3f} {count['kept'] / count['wanted']:.3f}"
        f"  {precision('suggested'):.3f} {count['found'] / count['wanted']:.3f}"
        f"  of {count['wanted']}, kept junk per 100 turns"
        f" {100 * count['kept junk'] / count['turns']:.2f}"
    )


def _print_time(read: Sequence[tuple[str, Turn]], runtime: Runtime, thresholds: Thresholds) -> None:
    times: list[float] = []
    for _, turn in read[:300]:
        began = time.process_time()
        again = read_turn(turn.text, turn.before)
        judge(again, [runtime.clause_vector(text) for text in again.to_embed], thresholds)
        times.append(1000 * (time.process_time() - began))
    middle, late = np.percentile(times, [50, 95])
    print(f"\nCPU per turn: {middle:.1f} ms p50, {late:.1f} ms p95")
