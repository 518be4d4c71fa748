"""What trains the classifier gives the same networks on each run, and they learn."""

from dataclasses import replace

import numpy as np
import pytest

from bench.capture.command import SESSIONS
from bench.capture.examples import turns_of
from bench.capture.labelled import read_sessions
from bench.capture.model_training import LabelledTurns, train_all
from intaglio.capture.model import VECTOR_SIZE, judge_features


# It trains twice, for what is run by hand before a classifier is released.
@pytest.mark.slow
def test_training_learns_and_is_repeatable() -> None:
    turns = [
        replace(turn, owner=turn.session.id)
        for turn in turns_of(read_sessions(SESSIONS / "train" / "en-a-1.txt"))
    ]
    # Without an encoder, vectors say nothing.
    zeros = [np.zeros((len(one.targets), VECTOR_SIZE), np.float32) for one in turns]
    first, second = (train_all(LabelledTurns(turns, zeros), "none", (0,)) for _ in range(2))
    said, plain = list[float](), list[float]()
    for turn in turns:
        if turn.targets:
            odds = judge_features(first.model, turn.turn.features).odds
            again = judge_features(second.model, turn.turn.features).odds
            assert np.allclose(odds, again, atol=0.01)
            for target, each in zip(turn.targets, odds.tolist(), strict=True):
                (said if target.any else plain).append(each)
    assert np.mean(said) > np.mean(plain) + 1
