"""What surrounds a statement never keeps the daemon from reading it."""

import pytest

from intaglio.capture.judge import read_turn
from intaglio.capture.message_parts import read_part
from intaglio.language.restatements import phrasing
from intaglio.redaction.redact import clean
from intaglio.sessions.project_notes import statements
from intaglio.sessions.statements.claim_words import plain_words

SAID = "We use tabs in this repository."
# A guard: each of these once took from seconds to hours.
PIECES = (
    " ",
    "\t",
    "\u00a0",
    "?",
    "!",
    "_",
    "x~",
    "/",
    "-",
    ".",
    ":",
    ", ",
    "\u201e",
    "\u6587\u6863 abc:",
    " and use ",
)


@pytest.mark.parametrize("piece", PIECES)
def test_a_statement_behind_a_long_run_is_read(piece: str) -> None:
    message = f"{piece * (20_000 // len(piece))}\n\n{SAID}"
    assert read_turn(message, "").clauses[-1].text == SAID
    assert phrasing(message).words >= phrasing("tabs").words
    assert SAID in plain_words(message)


def test_many_commas_behind_a_conjunction_are_read() -> None:
    commas = f"and {',' * 60} x y z"
    assert [clause.text for clause in read_turn(commas, "").clauses] == [commas]


@pytest.mark.parametrize("mark", ["# ", "- ", "# a #", "[](", "~~a"])
def test_a_long_line_of_blanks_in_an_instruction_file_is_read(mark: str) -> None:
    lines = "\n".join(f"{mark}{' ' * 990}x" for _ in range(30))
    assert SAID.rstrip(".") in " ".join(statements(f"{lines}\n\n{SAID}\n"))


def test_of_a_very_long_message_the_beginning_and_the_end_are_read() -> None:
    middle = "\n".join(f"row {number}, no more" for number in range(40_000))
    message = f"{SAID}\n\n{middle}\n\nNever push to main."
    read = read_part(message, str)
    found = read_turn(read, "").clauses
    assert (found[0].text, found[-1].text) == (SAID, "Never push to main.")
    assert len(read) < 41_000


@pytest.mark.parametrize(
    "message", ["a" * 60_000, "ab \n" * 20_000, "word " * 20_000, "文" * 50_000]
)
def test_of_a_long_message_no_more_than_both_ends_are_read(message: str) -> None:
    assert len(read_part(message, str)) <= 40_002


def test_words_before_and_behind_one_long_line_are_read() -> None:
    answer = f'{{"rows": [{"7, " * 40_000}]}}'
    message = f"Hi there.\n{SAID} Here is the response: {answer} Never push to main.\n\nThanks!"
    read = read_part(message, str)
    assert SAID in read
    assert "Never push to main." in read


@pytest.mark.parametrize(
    "secret", ["password:\n  Tr0ub4dor&3xyz", "login joe\npassword Tr0ub4dor&3xyz"]
)
@pytest.mark.parametrize("before", range(0, 40, 3))
def test_a_secret_at_the_cut_is_recognised(secret: str, before: int) -> None:
    rows = "no more of this\n" * 3_000
    # The cut is 20,000 characters before the end, or further behind if a line ends there.
    message = f"{rows}{secret}\n{SAID}\n".ljust(20_000 + len(rows) + before, ".")
    assert "Tr0ub4dor" not in read_part(message, clean)


@pytest.mark.parametrize(
    ("begins", "ends"),
    [("```", "```"), ('<pasted_content id="ab12">', '</pasted_content id="ab12">')],
)
def test_a_paste_that_ends_near_the_end_hides_what_is_in_it(begins: str, ends: str) -> None:
    pasted = "We always deploy on Fridays.\n" * 3_000
    rows = "row\n" * 8_000
    message = f"{rows}\n{begins}\n{pasted}{ends}\n\nNever push to main."
    found = {clause.text for clause in read_turn(read_part(message, str), "").clauses}
    assert "Never push to main." in found
    assert "We always deploy on Fridays." not in found
