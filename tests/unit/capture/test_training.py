"""The checked-in classifier is what the labelled sessions and the trainer give."""

from pathlib import Path

import pytest

from bench.capture.command import SESSIONS, train_model
from bench.capture.examples import turns_of
from bench.capture.labelled import all_sessions
from intaglio.capture.model import judge_features, load_model


@pytest.mark.slow
def test_training_again_gives_the_same_decisions(tmp_path: Path) -> None:
    stored, trained = load_model(), train_model(tmp_path)
    assert trained.encoder == stored.encoder
    same = total = 0
    for one in turns_of(list(all_sessions(SESSIONS / "held"))):
        if not one.turn.clauses:
            continue
        rows = (one.turn.features, one.turn.grams)
        old, new = (judge_features(model, *rows).probabilities for model in (stored, trained))
        same += int(((old >= 0.5) == (new >= 0.5)).sum())
        total += len(old)
    # Sums of floats differ a little between processors.
    assert same >= 0.98 * total
