"""What a short reply accepts, chooses or answers in the agent's last message."""

from typing import Final

import pytest

from intaglio.capture.answers import answered
from intaglio.capture.proposals import accepted_text, open_question, read_reply
from intaglio.capture.reply_openings import assents, is_bare_assent


def accepted(before: str, message: str) -> str:
    """Return what a message accepts; empty if nothing."""
    reply = read_reply(before, message)
    return reply.proposal.content if reply is not None and reply.proposal is not None else ""


DATABASES = (
    "We have two ways to go:\n\n1. **Store invoices in Postgres** with one schema a tenant\n"
    "2. Store invoices in SQLite, one file a tenant\n\nWhich one do you prefer?"
)
QUEUE = "Should we use Redis Streams for the mail queue?"


@pytest.mark.parametrize("message", ["yes", "Yes, please!", "go ahead", "sounds good", "yep. thx"])
def test_an_assent_accepts_the_one_proposal_asked_about(message: str) -> None:
    assert accepted(QUEUE, message) == "Use Redis Streams for the mail queue."


@pytest.mark.parametrize(
    "reply", ["yes, 90 seconds", "good, do that. 90 seconds tho", "yes, but 90 seconds"]
)
def test_who_names_another_number_accepts_nothing(reply: str) -> None:
    assert not accepted("I propose a timeout of 30 seconds for uploads.", reply)
    assert accepted("I propose a timeout of 30 seconds for uploads.", "yes, 30 seconds")


def test_a_proposal_to_do_something_keeps_its_verb() -> None:
    before = "I suggest to render invoices with WeasyPrint in a background job."
    assert accepted(before, "yes") == "Render invoices with WeasyPrint in a background job."


@pytest.mark.parametrize(
    ("before", "message", "content"),
    [
        ("Sollen wir Beträge als ganze Cent speichern?", "ja", "Beträge als ganze Cent speichern."),
        ("Dois-je utiliser Redis pour la file?", "oui", "Utiliser Redis pour la file."),
        ("¿Debería usar Redis para la cola?", "sí, adelante", "Usar Redis para la cola."),
        ("要不要统一使用 pnpm？", "好的", "统一使用 pnpm."),  # noqa: RUF001 - Chinese punctuation
    ],
)
def test_other_languages_assent_too(before: str, message: str, content: str) -> None:
    assert accepted(before, message) == content


@pytest.mark.parametrize(
    "message",
    [
        "ok, for now",
        "yes, but only for the tests",
        "yes?",
        "not sure",
        "Yes it crashed again when I opened the page",
        "1. yes the file exists\n2. no",
    ],
)
def test_a_hedge_a_question_and_a_report_accept_nothing(message: str) -> None:
    assert accepted(QUEUE, message) == ""


@pytest.mark.parametrize(
    "before",
    [
        "Shall I run the tests?",
        "Do you want me to commit these changes?",
        "Would you like me to proceed with fixing the router?",
        "Should we use Redis or Kafka for the queue?",
        "Should we use Redis for the queue? Should we keep the old worker?",
        "Shall I use this here?",
        "All tests pass now.",
        "",
    ],
)
def test_what_is_done_once_or_isnt_clear_is_no_decision(before: str) -> None:
    assert accepted(before, "yes") == ""


@pytest.mark.parametrize(
    ("before", "content"),
    [
        (
            "My recommendation: tsup — it needs no configuration and has both formats.\nAgreed?",
            "Use tsup — it needs no configuration and has both formats.",
        ),
        (
            "How should the tool be licensed?\nMy recommendation: Apache-2.0 — it's open.\nAgreed?",
            "How should the tool be licensed? – Apache-2.0.",  # noqa: RUF001 - a dash
        ),
        ("I'd keep uploads below 20 MB. Does that work?", "Keep uploads below 20 MB."),
        (
            "Lists show 50 rows by default, set in grid.json. Short lists load faster. Agreed?",
            "Lists show 50 rows by default, set in grid.json.",
        ),
        (
            "So amounts are integer cents everywhere from now on?",
            "Amounts are integer cents everywhere from now on.",
        ),
    ],
)
def test_a_question_for_assent_means_the_proposal_before_it(before: str, content: str) -> None:
    assert accepted(before, "agreed") == content


@pytest.mark.parametrize(
    "message", ["2", "option 2", "Let's go with 2", "the second one", "Okay. Let's use option 2."]
)
def test_a_choice_means_the_option_of_that_label(message: str) -> None:
    assert accepted(DATABASES, message) == "Store invoices in SQLite, one file a tenant."


@pytest.mark.parametrize(
    ("message", "content"),
    [
        (
            "ok, the second, but with WAL",
            "Store invoices in SQLite, one file a tenant, but with WAL.",
        ),
        (
            "2, with a file a year",
            "Store invoices in SQLite, one file a tenant, with a file a year.",
        ),
        ("option 2 but on its own volume", ""),
        ("the second one. thanks", "Store invoices in SQLite, one file a tenant."),
    ],
)
def test_what_the_user_changes_of_an_option_belongs_to_it(message: str, content: str) -> None:
    assert accepted(DATABASES, message) == content


@pytest.mark.parametrize(
    "message",
    [
        "option 2 doesn't work",
        "plan 2 is too expensive",
        "the second, I think, is too slow",
        "I'd prefer the second, but it's too expensive",
        "2 - no",
        "1-3",
        "1, then 2",
        "2, but what about costs",
        "2.\nActually no, 1",
    ],
)
def test_who_judges_or_doubts_an_option_chooses_nothing(message: str) -> None:
    assert accepted(DATABASES, message) == ""
    assert not is_bare_assent(message)


LETTERS: Final = (
    "**A. Downsample in the browser.** The transfer stays.\n\n"
    "**B. Downsample on the server** with averages.\n\nI would recommend A since it is usual."
)


@pytest.mark.parametrize(
    ("before", "message", "content"),
    [
        (LETTERS, "B", "Downsample on the server with averages."),
        (
            "- **(a)** Store local times.\n- **(b)** Store UTC everywhere.\n(b) is more robust.",
            "b.",
            "Store UTC everywhere.",
        ),
        ("The size is 1.1 MB, or 2.1 MB compressed.", "1", ""),
    ],
)
def test_options_need_no_question_behind_them(before: str, message: str, content: str) -> None:
    assert accepted(before, message) == content


@pytest.mark.parametrize(
    "message", ["yes, what are the options", "ok and how long would that take"]
)
def test_who_asks_on_accepts_nothing(message: str) -> None:
    assert accepted(QUEUE, message) == ""
    assert not assents(message)


@pytest.mark.parametrize("message", ["3", "A", "1 or 2", "2. Fix the header of the page"])
def test_a_label_without_its_option_chooses_nothing(message: str) -> None:
    assert accepted(DATABASES, message) == ""


def test_a_list_of_what_was_done_offers_no_choice() -> None:
    assert accepted("Done:\n1. Created the branch\n2. Updated the lock file", "1") == ""


@pytest.mark.parametrize(
    ("before", "message", "question"),
    [
        (
            "How many retries should the client make?",
            "Seven",
            "How many retries should the client make?",
        ),
        ("What would you like to do next?", "the importer", ""),
        ("How many retries? And which delay?", "Seven", ""),
        ("How many retries should the client make?", "you decide", ""),
        ("How many retries should the client make?", "fix the tests first", ""),
    ],
)
def test_a_short_answer_belongs_to_the_one_question(
    before: str, message: str, question: str
) -> None:
    assert open_question(before, message) == question


@pytest.mark.parametrize(
    ("question", "answer", "stated"),
    [
        (
            "How many retries should the client make?",
            "Seven",
            "The client should make seven retries.",
        ),
        ("How many retries?", "Seven", "How many retries? – Seven."),  # noqa: RUF001 - a dash
        (
            "Which database should we use for sessions?",
            "Redis",
            "Use Redis as the database for sessions.",
        ),
        ("What should the bucket be called?", "inv-prod", "The bucket should be inv-prod."),
        ("Where should the logs go?", "To S3.", "The logs should go to S3."),
    ],
)
def test_a_question_and_its_answer_are_one_statement(
    question: str, answer: str, stated: str
) -> None:
    assert answered(question, answer) == stated


OPTIONS: Final = "1. Use Redis for sessions.\n2. Use signed cookies.\nWhich one do you prefer?"


@pytest.mark.parametrize("reply", ["Yes.", "ok", "Sure, do that"])
def test_a_reply_accepts_all_that_the_agent_said(reply: str) -> None:
    assert accepted_text("I recommend Redis for sessions. Shall I?", reply)


@pytest.mark.parametrize(
    "reply",
    [
        "okay, but I'm not sure",
        "ok, but wait, let me think about it",
        "yes but don't do that",
        "hmm ok not now",
        "Nice. Next: fix the header",
        "thanks",
        "The header is wrong.",
    ],
)
def test_a_reply_that_hedges_or_refuses_accepts_nothing(reply: str) -> None:
    assert accepted_text("I recommend Redis for sessions. Shall I?", reply) == ""


def test_a_chosen_option_accepts_no_other() -> None:
    assert accepted_text(OPTIONS, "option 2") == "Use signed cookies."
    assert accepted_text(OPTIONS, "option 7") == ""
