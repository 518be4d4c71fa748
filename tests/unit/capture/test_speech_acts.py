"""What a sentence does that makes it no rule, however sure the classifier is."""

import pytest

from intaglio.capture.judge import describe_turn, judge, read_turn
from intaglio.capture.speech_acts import SpeechAct, speech_act
from intaglio.capture.values import Thresholds

SURE = Thresholds(keep=0.0, suggest=0.0)


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("Do we always squash before merging?", "question"),
        ("以后都用 pnpm 吗", "question"),
        ("should we maybe store prices in cents", "musing"),
        ("I think we might move to Redis", "hedge"),
        ("vielleicht nehmen wir doch Postgres", "hedge"),
        ("For now we always deploy by hand.", "hedge"),
        ("Wir testen vorerst nur die Dienste.", "hedge"),
        ("目前先用 SQLite 存数据", "hedge"),
        ("the export crashes with an error", "bug report"),
        ("add a button below the table", "order"),
        ("We store prices in cents.", None),
        ("always run the linter before pushing", None),
        ("never let the export crash without a message", None),
    ],
)
def test_what_a_sentence_does(sentence: str, act: SpeechAct | None) -> None:
    (found,) = describe_turn(sentence, "").sentences
    assert speech_act(found) == act


@pytest.mark.parametrize(
    ("sentence", "outcome"),
    [
        ("Do we always squash before merging?", "considered"),
        ("I think we might move the ledger to Redis", "suggested"),
        ("the export crashes with an error", "suggested"),
        ("add a button below the invoice table", "suggested"),
        ("We store all prices in cents.", "kept"),
    ],
)
def test_what_states_no_rule_is_not_kept_however_sure(sentence: str, outcome: str) -> None:
    (found,) = judge(read_turn(sentence, ""), None, SURE).statements
    assert found.outcome == outcome
