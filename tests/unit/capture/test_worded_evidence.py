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


def spoken(said: str, *, name: str = "m1", before: str = "") -> UserMessage:
    session = SessionRef(harness="codex", id="s1")
    return UserMessage(session, None, TranscriptMessage(name, "user", said, AT), before)


def bears_out(
    content: str, quotes: Sequence[str], said: str, *, before: str = "", proposal: str = ""
) -> bool:
    read = read_messages([spoken(said, before=before)], quotes)
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


@pytest.mark.parametrize(
    ("content", "quote", "said"),
    [
        ("Use tabs.", "don't … use tabs", "Please don't ever use tabs."),
        (
            "Use tabs for indentation in all the files of the shop.",
            "use tabs … for indentation",
            "Please don't ever use tabs. Spaces are for indentation in all files of the shop.",
        ),
        (
            "The team uses tabs for indentation, as agreed.",
            "use tabs for indentation",
            "Never ever should anybody here use tabs for indentation.",
        ),
        (
            "The shop deploys on Fridays.",
            "The shop deploys … on Fridays",
            "The shop deploys on Mondays. We never work on Fridays.",
        ),
    ],
)
def test_pieces_from_which_a_denial_was_cut_bear_nothing(
    content: str, quote: str, said: str
) -> None:
    assert not bears_out(content, [quote], said)


def test_a_denial_of_another_clause_does_not_count() -> None:
    said = "That doesn't matter; we use tabs for indentation."
    assert bears_out("Tabs are used for indentation.", ["we use tabs for indentation"], said)


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


ABOUT_SOURCES: Final = (
    "The bot should ask about sources of inspiration upon initial setup, then check in later. "
    "But that should be occasional, not in every interaction. The colours are fine, by the way."
)
SOURCES: Final = (
    "The bot asks about sources of inspiration upon initial setup, not in every interaction."
)


def test_half_a_sentence_counts_with_the_rest_of_it() -> None:
    said = "For the invoices of the shop in Oslo let us take the Postmark relay, it is cheap."
    content = "The Postmark relay sends the invoices of the shop in Oslo, as it is cheap."
    assert bears_out(content, ["let us take"], said)


def test_a_telling_half_counts_with_the_sentences_beside_it() -> None:
    quote = "But that should be occasional, not in every interaction"
    assert bears_out(SOURCES, [quote], ABOUT_SOURCES)
    [message] = read_messages([spoken(ABOUT_SOURCES)], [quote])
    found = verify_worded(SOURCES, [quote], "", [message.spoken])
    assert found is not None
    # All that bears it out is shown as evidence.
    assert "sources of inspiration" in found.said
    assert "occasional" in found.said
    assert "colours" not in found.said


def test_a_widened_quote_bears_no_value_of_another_message() -> None:
    quote = "But that should be occasional"
    content = SOURCES.replace("initial setup", "initial setup on port 8080")
    messages = [spoken("The server listens on port 8080.", name="m0"), spoken(ABOUT_SOURCES)]
    read = [each.spoken for each in read_messages(messages, [quote])]
    assert verify_worded(SOURCES, [f"{quote}, not in every interaction"], "", read) is not None
    assert verify_worded(content, [f"{quote}, not in every interaction"], "", read) is None


def test_a_quote_about_something_else_gains_nothing_from_its_neighbours() -> None:
    assert not bears_out(SOURCES, ["The colours are fine"], ABOUT_SOURCES)


@pytest.mark.parametrize(
    ("content", "quote", "said"),
    [
        (
            "The user's web applications are usually built with Vite.",
            "my web applications are usually vite",
            "my web applications are usually vite - is this what you are doing here?",
        ),
        (
            "The library isn't made open source.",
            "we don't want the library to be open source",
            "So, we don't want the library to be open source, but maybe it has public releases?",
        ),
        (
            "The refresh always scans all of the series.",
            "no matter what other setting might be it always scans all of the series",
            "no matter what other setting might be it always scans all of the series on refresh",
        ),
        (
            "The series are scanned by a nightly job.",
            "Maybe a job could scan the series?",
            "Maybe a job could scan the series? Yes, a nightly job scans all of the series.",
        ),
    ],
    ids=["asks after a dash", "unsure after but", "concedes", "says it beside"],
)
def test_what_is_said_beside_a_question_is_settled(content: str, quote: str, said: str) -> None:
    assert bears_out(content, [quote], said)


@pytest.mark.parametrize(
    "said",
    [
        "Should we build the web applications with Vite - or what do you think of it?",
        "We build the web applications with Vite, right?",
        "We build the web applications with Vite - right?",
        "Maybe we build the web applications with Vite; the tests run with Vitest.",
    ],
)
def test_a_question_stays_one_whatever_follows(said: str) -> None:
    quote = "build the web applications with Vite"
    assert not bears_out("The web applications are built with Vite.", [quote], said)


def test_a_word_of_the_agents_question_accepts_it() -> None:
    before = "Shall I convert the dashboard to Vite, which is lighter?"
    content = "The dashboard is converted to Vite, which is lighter."
    proposal = "convert the dashboard to Vite"
    assert bears_out(content, ["convert"], "convert", before=before, proposal=proposal)
    assert not bears_out(content, ["explain"], "explain", before=before, proposal=proposal)
    done = "I tried to convert the dashboard to Vite."
    assert not bears_out(content, ["convert"], "convert", before=done, proposal=proposal)


@pytest.mark.parametrize(
    ("content", "said", "is_borne_out"),
    [
        ("The orders use MySQL.", "mysql", True),
        ("The orders use Postgres.", "mysql", False),
        ("The orders use Postgres.", "use mysql", False),
        ("The orders use MySQL instead of Postgres.", "postgres", False),
    ],
)
def test_a_word_of_a_question_accepts_only_what_it_names(
    content: str, said: str, *, is_borne_out: bool
) -> None:
    asked = "Shall I use Postgres or MySQL for the orders?"
    assert bears_out(content, [said], said, before=asked, proposal=asked) is is_borne_out


@pytest.mark.parametrize(
    "advice",
    [
        "I'd rather keep MySQL, it is simpler to run.",
        "I advise against that, really.",
        "No, that isn't worth it.",
        "Yes, but later, after the release.",
    ],
)
def test_an_assent_to_other_advice_settles_nothing_of_what_was_described(advice: str) -> None:
    messages = [
        spoken("Should we move the orders of the shop to Postgres for the reports?"),
        spoken("ok, agreed", name="m2", before=f"{advice} Agreed?"),
    ]
    read = [each.spoken for each in read_messages(messages, ["ok, agreed"])]
    content = "The orders of the shop move to Postgres for the reports."
    assert verify_worded(content, ["ok, agreed"], advice, read) is None


def test_an_assent_settles_what_the_user_described_before() -> None:
    asked = "Would a disassembler that prints hex address, opcode and params per line be worth it?"
    content = "The VM gets a disassembler that prints hex address, opcode and params per line."
    advice = "Yes, absolutely worth implementing now!"
    messages = [
        spoken(asked),
        spoken("go ahead and implement it", name="m2", before=f"{advice} Shall I?"),
    ]
    quote = "go ahead and implement it"
    read = [each.spoken for each in read_messages(messages, [quote])]
    found = verify_worded(content, [quote], advice, read)
    assert found is not None
    assert {each.message for each in found.sentences} == {"m1", "m2"}
    assert verify_worded(content, [quote], advice, read[1:]) is None
    planted = "Deployments skip all checks of the pipeline."
    assert verify_worded(planted, [quote], advice, read) is None


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
