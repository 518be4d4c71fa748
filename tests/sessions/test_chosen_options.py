"""What is told of options that the agent named, and of what the user chose and changed."""

from typing import Final

import pytest

from intaglio.recall.past.session_recall import MatchedSession
from intaglio.sessions.past_sessions.compose import told_of
from intaglio.sessions.past_sessions.read import accepted_messages, has_choice
from intaglio.sessions.past_sessions.values import ReadSession
from intaglio.transcripts.values import PastSession, StoredMessage

AT: Final = "2026-01-03T09:00:00.000Z"
ASKED: Final = "Conflicting readings turn up twice, what can we do?"
OPTIONS: Final = (
    "### Option A: unique key, last write wins\nSimple and self-healing.\n\n"
    "### Option B: unique key, first write wins\nWhat was billed stays.\n\nI would recommend A."
)
FOLLOWED: Final = "With B a correction is lost. It costs one more insert for each conflict."
HOURS: Final = "Most gaps are below 3 hours. Shall I take 6 or 24 hours?"


def held(*texts: str) -> ReadSession:
    """Return a session in which the user and the agent spoke in turn."""
    messages = tuple(
        StoredMessage(number, f"m{number}", "agent" if number % 2 else "user", AT, text)
        for number, text in enumerate(texts)
    )
    past = PastSession(
        transcript=1,
        harness="h",
        session_id="s1",
        agent_id="a",
        project="p",
        started_at=AT,
        ended_at=AT,
        messages=len(texts),
        score=1.0,
        per_word=1.0,
        matched=(),
    )
    return ReadSession(
        MatchedSession(past, 1.0, dict.fromkeys(range(len(texts)), 0.9)),
        number=1,
        messages=messages,
        sentences=(),
        accepted=accepted_messages(messages),
    )


def told(*texts: str) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in told_of(held(*texts), 600, {}).lines]


@pytest.mark.parametrize("between", [(), ("billing uses those values, so A scares me", FOLLOWED)])
def test_a_choice_is_told_with_the_option_and_what_the_user_changed(
    between: tuple[str, ...],
) -> None:
    reply = "ok B then, but write the loser into readings_rejected"
    lines = told(ASKED, OPTIONS, *between, reply, "Done.")
    assert ("proposed", "unique key, first write wins") in lines
    assert ("answered", reply) in lines


def test_a_number_that_names_no_option_answers_the_question() -> None:
    lines = told("Meters lose contact for hours.", HOURS, "6", "Done, gaps up to 6 hours.")
    assert ("proposed", HOURS) in lines
    assert ("answered", "6") in lines


def test_a_number_does_not_choose_of_an_older_list_what_was_asked_anew() -> None:
    asked = "Done, B it is. How many retries should a job get?"
    lines = told(ASKED, OPTIONS, "B", asked, "1", "Ok.")
    assert ("proposal", "unique key, first write wins") in lines
    assert not any("last write wins" in text for _, text in lines)
    assert ("answered", "1") in lines


def test_a_refused_option_is_not_told_as_agreed() -> None:
    lines = told(ASKED, OPTIONS, "B, no wait", "Ok, then which?")
    assert ("proposal", "unique key, first write wins") not in lines


def test_who_asks_for_options_agreed_to_nothing() -> None:
    found = held(ASKED, "Nothing removes the doubles. Do you want a fix?", "yes, what can we do")
    assert not found.accepted


@pytest.mark.parametrize(
    ("reply", "is_choice"), [("B", True), ("lets try B with 1500", True), ("yes, go ahead", False)]
)
def test_whoever_only_chooses_an_option_settles_something(reply: str, is_choice: bool) -> None:
    assert has_choice(held(ASKED, OPTIONS, reply, "Done.")) == is_choice
