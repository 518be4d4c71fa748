"""Of sessions on one subject, the later one is told first, and the earlier one is marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from fakes.sessions import House, session
from intaglio.capture.transcripts import TranscriptMessage, TranscriptReading
from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions.amendments import amends
from intaglio.sessions.past_sessions.choose import NOT_SETTLED, choose, highest_score, score
from intaglio.sessions.past_sessions.compose import is_tellable, told_of
from intaglio.sessions.past_sessions.values import JudgedSentence, ReadSession, ScoredSession
from intaglio.transcripts.values import PastSession, StoredMessage

ATTEMPTS = "Retry the bank export at most five times with full jitter."
FEWER = "Use three attempts instead of five for the bank export, from now on."
FLOOR = 1.2


def held(
    day: int, text: str = ATTEMPTS, confidence: float = 0.9, match: float = 0.9
) -> ReadSession:
    """Return a session of January in which the user said one thing."""
    at = f"2026-01-{day:02}T09:00:00.000Z"
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
        per_word=1.0,
        matched=(),
    )
    return ReadSession(
        MatchedSession(past, 1.0, {day: match}),
        number=day,
        messages=(StoredMessage(day, f"m{day}", "user", at, text),),
        sentences=(JudgedSentence(f"m{day}", 0, len(text), text, confidence),),
        accepted={},
    )


def scored(day: int, score: float) -> ScoredSession:
    return ScoredSession(held(day), score)


@dataclass
class Subjects:
    """Sessions that are alike, by the days of the earlier and the later one."""

    alike: Mapping[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])
    unmatched: Mapping[str, float] = field(default_factory=dict[str, float])
    contradicting: frozenset[tuple[int, int]] = frozenset()

    def likeness(
        self, older: ReadSession, newer: ReadSession, *, whole: bool = False
    ) -> float | None:
        return self.alike.get((older.transcript, newer.transcript), 0.8 if whole else 0.1)

    def amends(self, newer: ReadSession, older: ReadSession) -> bool:
        return (older.transcript, newer.transcript) in self.contradicting

    def others_after(self, older: ReadSession, likeness: float) -> Sequence[str]:
        return [at for at, near in self.unmatched.items() if at > older.at and near >= likeness]


def told(subjects: Subjects, *among: ScoredSession) -> list[tuple[int, str, bool]]:
    """Return the days of the told sessions, with the day from which each may be replaced."""
    return [
        (each.scored.session.transcript, each.replaced_on, each.is_told)
        for each in choose(among, FLOOR, subjects).told
    ]


def test_a_later_session_above_the_floor_is_told_however_much_better_the_earlier_matches() -> None:
    found = told(Subjects({(3, 20): 1.0}), scored(3, 3.4), scored(20, 1.5))
    assert found == [(20, "", False), (3, "2026-01-20", True)]


def test_all_later_ones_are_told_before_the_one_that_they_amend() -> None:
    alike = Subjects({(3, 9): 1.0, (3, 20): 1.0, (9, 20): 1.0})
    found = told(alike, scored(3, 3.4), scored(20, 1.5), scored(9, 1.6))
    assert [day for day, *_ in found] == [20, 9, 3]
    assert found[1:] == [(9, "2026-01-20", True), (3, "2026-01-20", True)]


def test_a_session_that_matches_as_well_is_told_in_its_latest_form() -> None:
    found = told(Subjects({(5, 20): 1.0}), scored(9, 2.0), scored(5, 1.99), scored(20, 1.4))
    assert [day for day, *_ in found] == [20, 9]


def test_a_later_session_that_does_not_match_the_prompt_marks_the_earlier() -> None:
    subjects = Subjects(
        unmatched={"2026-01-20T09:00:00.000Z": 0.92, "2026-01-22T09:00:00.000Z": 0.5}
    )
    assert told(subjects, scored(3, 2.0)) == [(3, "2026-01-20", False)]


def test_a_session_that_settled_nothing_about_the_prompt_is_not_told() -> None:
    idle = ScoredSession(held(3, confidence=0.0, match=0.8), 1.5)
    choice = choose((idle,), FLOOR, Subjects())
    assert (choice.told, choice.left_out) == ((), ((idle, NOT_SETTLED),))


def test_of_sessions_that_are_less_alike_a_contradiction_decides() -> None:
    near = Subjects({(3, 20): 0.86}, contradicting=frozenset({(3, 20)}))
    assert [day for day, *_ in told(near, scored(3, 3.4), scored(20, 1.5))] == [20, 3]
    apart = Subjects(contradicting=frozenset({(3, 20)}))
    assert [day for day, *_ in told(apart, scored(3, 3.4), scored(20, 1.5))] == [3]


@pytest.mark.parametrize(
    ("newer", "older", "does"),
    [
        (FEWER, ATTEMPTS, True),
        ("We don't use Postmark for mails any more, use Mailjet.", "We use Postmark.", True),
        ("The dialog needs a wider margin on small phones.", ATTEMPTS, False),
        ("Should we use three attempts instead of five for the export?", ATTEMPTS, False),
    ],
)
def test_contradicting_words_amend(newer: str, older: str, does: bool) -> None:
    assert amends(held(20, newer), held(3, older)) is does


async def test_a_proposal_that_was_amended_is_told_after_its_amendment(house: House) -> None:
    proposal = "I propose exponential backoff with full jitter, at most five attempts."
    spoken = {
        3: ("The bank export fails with 429. We need a retry policy for it.", proposal, "Yes, do."),
        17: ("The retry policy of the bank export: three attempts instead of five from now on.",),
    }
    for day, texts in spoken.items():
        lines = tuple(
            TranscriptMessage(
                f"{day}-{number}",
                "assistant" if number % 2 else "user",
                text,
                datetime(2026, 1, day, 9, number, tzinfo=UTC),
            )
            for number, text in enumerate(texts)
        )
        await house.ends.turn_end(session(f"c{day}"), TranscriptReading(lines, "1"))
    asks = "The bank export fails with 429 in spite of its backoff. Is the retry policy at fault?"
    shown = (await house.prompt(session("asks"), asks)).text
    marked = "(2026-01-03, replaced on 2026-01-17 where they differ)"
    assert 0 < shown.find("three attempts") < shown.find(marked) < shown.find("five attempts")


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


def test_no_session_scores_more_than_its_bound() -> None:
    one = held(3, confidence=1.0, match=1.4)
    bound = highest_score(one.match, 0.7, by_meaning=True)
    assert score(one, 0.7, by_meaning=True) <= bound
