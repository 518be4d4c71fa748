"""Which sentences are kept and which are talk; whole messages with code, quotes and logs."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.capture.classifier import cue_of, find_statements
from intaglio.capture.sentence_splitter import sentences

_LINES = (Path(__file__).parent / "cue_sentences.txt").read_text(encoding="utf-8").splitlines()
_CASES = [tuple(line.split(" | ", 1)) for line in _LINES[1:] if line]


def _type(text: str) -> str:
    found = [cue for sentence in sentences(text) if (cue := cue_of(sentence))]
    return found[0].type if found else "none"


def test_there_are_enough_sentences_of_both_sorts() -> None:
    talk = sum(kind == "none" for kind, _ in _CASES)
    assert talk >= 60
    assert len(_CASES) - talk >= 60


@pytest.mark.parametrize(("kind", "text"), _CASES, ids=[text[:60] for _, text in _CASES])
def test_a_sentence_is_what_it_is(kind: str, text: str) -> None:
    assert _type(text) == kind


def _kept(message: str) -> list[str]:
    return [capture.sentence.text for capture in find_statements(message)]


def test_the_words_are_kept_as_the_user_wrote_them() -> None:
    assert _kept(
        "Hi!  ok, We  decided to use `SQLite` (e.g. WAL mode) for v1.2.  Go on please."
    ) == ["ok, We  decided to use `SQLite` (e.g. WAL mode) for v1.2."]


def test_code_is_never_kept() -> None:
    assert _kept("Look:\n```\nWe decided to use tabs in this file.\n```\nand fix it") == []
    assert _kept("~~~\nNever commit directly to main.") == []
    assert _kept("so:\n\n    Never commit directly to main.\n") == []


def test_an_inner_fence_does_not_end_the_outer_one() -> None:
    assert _kept("````\n```\nNever push to main.\n```\nNever push to main.\n````") == []


def test_quoted_lines_and_quotations_are_not_the_users_words() -> None:
    assert _kept("> We decided to use Mongo for everything.\nwhat about that?") == []
    assert _kept('The page shows "We decided to use Mongo for everything" to all users.') == []


def test_logs_and_stack_traces_are_not_kept() -> None:
    log = "2026-01-01 10:00:00 WARN you must never call this twice\nERROR: must not be null here"
    assert _kept(log) == []
    assert _kept("Traceback (most recent call last):\nValueError: name must not be empty") == []


def test_what_stands_between_tags_is_not_kept() -> None:
    assert _kept("<system-reminder>\nAlways use the todo list.\n</system-reminder>\nhello") == []


def test_cue_words_in_inline_code_and_links_do_not_count() -> None:
    assert _kept("open `never commit to main` and https://x.example/always-use-tabs now") == []


def test_items_of_a_list_are_sentences() -> None:
    assert _kept("Rules:\n- Always use tabs in Makefiles.\n- Never commit to main\n1. hello") == [
        "Always use tabs in Makefiles.",
        "Never commit to main",
    ]


def test_a_wrapped_line_is_one_sentence() -> None:
    message = (
        "After the talk with the team we decided to use PostgreSQL for the billing\n"
        "service and to keep SQLite in the desktop app."
    )
    assert _kept(message) == [message.replace("\n", " ")]


def test_a_pasted_rule_book_is_not_what_the_user_said() -> None:
    assert _kept("\n".join(f"- Always use rule number {n} of the book." for n in range(20))) == []


def test_too_short_and_too_long_sentences_are_left() -> None:
    assert _kept("Never use eval.") == []
    assert _kept("We decided to use " + "very " * 100 + "good tools.") == []


def test_the_number_of_a_sentence_does_not_depend_on_what_is_kept() -> None:
    found = find_statements("Hello there. Never commit directly to main. Bye.")
    assert [capture.sentence.number for capture in found] == [1]


@given(st.text(max_size=400))
def test_any_message_is_read_without_an_error(text: str) -> None:
    assert all(sentence.text for sentence in sentences(text))
    find_statements(text)


@pytest.mark.parametrize(
    "piece",
    [
        "we decided to ",
        "never ",
        "if we ",
        "`",
        '"',
        "<a-b>",
        "a.",
        ", always ",
        "ok, ",
        "i prefer ",
    ],
)
def test_a_long_message_takes_a_moment(piece: str) -> None:
    long = _seconds(piece * (100_000 // len(piece)))
    # Where the processor itself is slow, time grows with length only.
    assert long < 1 or long < 15 * _seconds(piece * (20_000 // len(piece)))


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        find_statements(text)
        best = min(best, time.process_time() - began)
        if best < 0.5:
            break
    return best
