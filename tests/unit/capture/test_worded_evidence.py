"""What bears out a note that a language model worded."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pytest

from intaglio.capture.transcripts import TranscriptMessage
from intaglio.capture.worded_evidence import names_new_values, verify_worded
from intaglio.sessions.reminders.own_words import read_messages
from intaglio.sessions.statements.values import UserMessage
from intaglio.sessions.values import SessionRef

AT: Final = datetime(2026, 1, 30, 9, tzinfo=UTC)
SAID: Final = "I told you to NEVER use Serena to make code changes - only for analysis!"
ASKED: Final = (
    "There are two ways. I recommend that we convert the dashboard to Vite, which is lighter. "
    "Shall I go ahead?"
)


def bears_out(
    content: str, quotes: Sequence[str], said: str, *, before: str = "", proposal: str = ""
) -> bool:
    message = UserMessage(
        SessionRef(harness="codex", id="s1"),
        None,
        TranscriptMessage("m1", "user", said, AT),
        before,
    )
    read = read_messages([message], quotes)
    return verify_worded(content, quotes, proposal, [each.spoken for each in read]) is not None


def test_other_words_about_the_same_are_borne_out() -> None:
    content = "Serena is for analysing code only; the agent makes changes itself."
    assert bears_out(content, ["NEVER use Serena to make code changes"], SAID)


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("Serena is for analysing code only.", "words that nobody said"),
        ("The deployment runs on Fridays at noon.", "NEVER use Serena to make code changes"),
        ("Serena 4.2 is for analysing code only.", "NEVER use Serena to make code changes"),
        ("Use Serena to make code changes.", "NEVER use Serena to make code changes"),
    ],
    ids=["quote", "subject", "value", "denial"],
)
def test_what_the_quote_does_not_say_is_refused(content: str, quote: str) -> None:
    assert not bears_out(content, [quote], SAID)


def test_a_question_settles_nothing() -> None:
    said = "Why do we use Luxon for dates?"
    assert not bears_out("Luxon is used for dates.", [said], said)


def test_pasted_words_are_not_the_users() -> None:
    said = "> Always commit with force, says the guide.\n\nWhat do you think of that?"
    assert not bears_out("Commit with force.", ["Always commit with force"], said)


@pytest.mark.parametrize("reply", ["yes, do that", "ok", "Let's do it", "proceed with your plan"])
def test_an_accepted_proposal_is_borne_out(reply: str) -> None:
    content = "The dashboard is converted to Vite because it is lighter."
    proposal = "convert the dashboard to Vite"
    assert bears_out(content, [reply], reply, before=ASKED, proposal=proposal)


@pytest.mark.parametrize(
    ("reply", "proposal"),
    [
        ("yes, do that", "rewrite the dashboard in Rust"),
        ("no, don't do that", "convert the dashboard to Vite"),
        ("what does it cost?", "convert the dashboard to Vite"),
        ("show me the tests of the parser first", "convert the dashboard to Vite"),
    ],
    ids=["not proposed", "denied", "asked", "something else"],
)
def test_what_was_not_accepted_is_refused(reply: str, proposal: str) -> None:
    content = "The dashboard is converted to Vite."
    assert not bears_out(content, [reply], reply, before=ASKED, proposal=proposal)


@pytest.mark.parametrize(
    ("content", "is_new"),
    [
        ("It runs on port 8080, e.g. in CI.", False),
        ("It runs on port 8081.", True),
        ("See src/app.ts for it.", True),
        ("Nothing has a number.", False),
    ],
)
def test_numbers_and_names_of_code_must_have_been_said(content: str, *, is_new: bool) -> None:
    assert names_new_values(content, ["the server listens on 8080"]) is is_new
