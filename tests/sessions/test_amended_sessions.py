"""Of sessions on one subject, the later one is told first, and the earlier one is marked."""

from collections.abc import Mapping, Sequence

import pytest

from intaglio.recall.past.session_recall import MatchedSession
from intaglio.recall.past.standings import standings
from intaglio.sessions.past_sessions.choose import NOT_SETTLED, LaterSession, Scoring, choose
from intaglio.sessions.past_sessions.compose import is_tellable, told_of
from intaglio.sessions.past_sessions.values import JudgedSentence, ReadSession, ScoredSession
from intaglio.transcripts.values import PastSession, StoredMessage

ATTEMPTS = "Retry the bank export at most five times with full jitter."
FLOOR = 0.5


def moment(day: int) -> str:
    return f"2026-01-{day:02}T09:00:00.000Z"


def held(
    day: int,
    text: str = ATTEMPTS,
    confidence: float = 0.9,
    match: float = 0.9,
    per_word: float = 1.0,
    whole: float = 0.1,
) -> ReadSession:
    """Return a session of January in which the user said one thing."""
    at = moment(day)
    past = PastSession(
        transcript=day,
        harness="h",
        session_id=f"s{day}",
        agent_id="a",
        project="p",
        started_at=at,
        ended_at=at,
        messages=1,
        score=1.0,
        per_word=per_word,
        matched=(),
    )
    return ReadSession(
        MatchedSession(past, per_word, {day: match}, words=0.2, whole=whole),
        number=day,
        messages=(StoredMessage(day, f"m{day}", "user", at, text),),
        sentences=(JudgedSentence(f"m{day}", 0, len(text), text, confidence),),
        accepted={},
    )


def scored(day: int, score: float) -> ScoredSession:
    return ScoredSession(held(day), score)


def told(
    among: Sequence[ScoredSession], later: Mapping[int, Sequence[LaterSession]]
) -> list[tuple[int, str, bool]]:
    """Return the days of the told sessions, with the day from which each may be replaced."""
    choice = choose(among, FLOOR, lambda session: later.get(session.transcript, ()), lambda _: "")
    return [
        (each.scored.session.transcript, each.replaced_on, each.is_told) for each in choice.told
    ]


def test_the_best_session_is_told_alone() -> None:
    assert told((scored(3, 0.9), scored(20, 0.85)), {}) == [(3, "", False)]


def test_a_later_session_on_the_subject_is_told_however_little_it_matches_the_prompt() -> None:
    newer = scored(20, 0.1)
    found = told((scored(3, 0.9), newer), {3: [LaterSession(moment(20), newer)]})
    assert found == [(20, "", False), (3, "2026-01-20", True)]


def test_all_later_ones_are_told_before_the_one_that_they_amend() -> None:
    ninth, last = scored(9, 0.6), scored(20, 0.6)
    after = {
        3: [LaterSession(moment(20), last), LaterSession(moment(9), ninth)],
        9: [LaterSession(moment(20), last)],
    }
    found = told((scored(3, 0.9), last, ninth), after)
    assert found == [(20, "", False), (9, "2026-01-20", True), (3, "2026-01-20", True)]


def test_a_later_session_that_is_not_told_marks_the_earlier() -> None:
    after = {3: [LaterSession(moment(20))]}
    assert told((scored(3, 0.9),), after) == [(3, "2026-01-20", False)]


def test_a_session_that_settled_nothing_about_the_prompt_is_not_told() -> None:
    idle = ScoredSession(held(3, confidence=0.0, match=0.8), 0.9)
    choice = choose((idle,), FLOOR, lambda _: (), lambda _: "")
    assert (choice.told, choice.left_out) == ((), ((idle, NOT_SETTLED),))


@pytest.mark.parametrize("others", [0, 2, 8, 40])
def test_of_few_and_of_many_sessions_the_one_that_stands_out_is_surely_meant(others: int) -> None:
    meant = held(1, match=1.0, per_word=1.4, whole=0.2)
    rest = [
        held(2 + number, match=0.4, per_word=0.4 + number / 200, whole=0.06 + number / 4_000)
        for number in range(others)
    ]
    scoring = Scoring(standings([each.match for each in (meant, *rest)]), {})
    assert scoring.of(meant) > FLOOR
    assert all(scoring.of(each) < FLOOR for each in rest)


@pytest.mark.parametrize("others", [2, 8, 40])
def test_a_prompt_that_matches_all_sessions_alike_means_none(others: int) -> None:
    alike = [held(1 + number, match=0.8, per_word=0.4 + number / 200) for number in range(others)]
    scoring = Scoring(standings([each.match for each in alike]), {})
    assert all(scoring.of(each) < FLOOR for each in alike)


def test_no_session_scores_more_than_its_bound() -> None:
    one = held(3, confidence=1.0, match=1.4)
    scoring = Scoring(standings([one.match]), {"s3": 0.7})
    assert scoring.of(one) <= scoring.highest(one.match)


def test_of_a_long_session_the_messages_that_matter_most_are_told() -> None:
    said = [f"Note {number}: the exporter waits {number} seconds." for number in range(200)]
    one = held(3)
    messages = tuple(
        StoredMessage(number, f"m{number}", "user", one.at, text)
        for number, text in enumerate(said)
    )
    long = ReadSession(
        MatchedSession(one.match.session, 1.0, {190: 0.9}),
        number=3,
        messages=messages,
        sentences=tuple(
            JudgedSentence(f"m{number}", 0, len(text), text, 0.4)
            for number, text in enumerate(said)
        ),
        accepted={},
    )
    lines = [each.text for each in told_of(long, 600, {}).lines]
    assert said[190] in lines
    assert lines == sorted(lines, key=said.index)


def test_a_session_is_told_of_only_if_a_line_fits() -> None:
    assert is_tellable(held(3), 600, {})
    assert not is_tellable(held(3), 14, {})
