"""What states a replaced memory as if it still held, and what speaks of the change or of both."""

import pytest

from intaglio.language.topics import topic_words
from intaglio.sessions.past_sessions.replaced import ReplacedStatement, ReplacedStatements

NIGHT = "We decided that meters are installed at night, from 21 to 4."
DAY = "Meters are installed on weekdays from 9 to 11."
FIVE = "The exporter retries reads at most five times with full jitter."
THREE = "The exporter retries reads at most three times with full jitter."
CELERY, RQ = "The queue runs on Celery.", "The queue runs on RQ now."


def replaced(older: str, newer: str) -> ReplacedStatements:
    return ReplacedStatements((ReplacedStatement(older, topic_words(older), newer),))


@pytest.mark.parametrize(
    ("sentence", "older", "newer"),
    [
        ("Done, meters are installed at night, 21 to 4.", NIGHT, DAY),
        ("Done. The exporter retries reads five times with full jitter.", FIVE, THREE),
        ("The queue still runs on Celery.", CELERY, RQ),
    ],
)
def test_the_old_value_is_found(sentence: str, older: str, newer: str) -> None:
    assert replaced(older, newer).are_stated_in(sentence)


@pytest.mark.parametrize(
    ("sentence", "older", "newer"),
    [
        ("Meters are now installed on weekdays, from 9 to 11.", NIGHT, DAY),
        ("The exporter now retries reads three times instead of five.", FIVE, THREE),
        ("The exporter retries reads three times, with full jitter.", FIVE, THREE),
        ("Added a test for reads of the exporter.", FIVE, THREE),
        ("The queue no longer runs on Celery.", CELERY, RQ),
        # What holds again says the same as what was replaced once.
        ("The queue runs on Celery.", CELERY, "Our queue runs on Celery again."),
    ],
)
def test_the_new_value_the_change_and_other_things_are_told(
    sentence: str, older: str, newer: str
) -> None:
    assert not replaced(older, newer).are_stated_in(sentence)
