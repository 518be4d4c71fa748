"""What is kept of the text around a statement."""

import pytest

from intaglio.sessions.statements.evidence_context import context_around

SAID = "We use tabs."


def around(agent: str, before: str, after: str) -> str:
    message = f"{before}{SAID}{after}"
    return context_around(agent, message, len(before), len(before) + len(SAID))


def test_the_context_of_a_statement_is_the_rest_of_a_short_text() -> None:
    assert (
        around("Tabs or spaces?", "Well. ", " As always.") == "Tabs or spaces?\nWell.\nAs always."
    )


def test_a_statement_that_is_the_whole_text_has_no_context() -> None:
    assert around("", "", "") == ""


def test_a_long_context_is_cut_between_sentences_near_the_statement() -> None:
    text = " ".join(f"Sentence number {number}." for number in range(40))
    agent, before, after = around(text, f"{text} ", f" {text}").split("\n")
    assert agent.startswith("Sentence number 3")
    assert agent.endswith("number 39.")
    assert before.startswith("Sentence number 3")
    assert before.endswith("number 39.")
    assert after.startswith("Sentence number 0. Sentence number 1.")
    assert after.endswith(".")


@pytest.mark.parametrize("text", ["x" * 5_000, "word " * 1_000, "?! \n" * 1_000, "好。" * 1_000])
def test_the_context_has_at_most_400_characters(text: str) -> None:
    assert len(around(text, f"{text} ", text)) <= 400
