"""Titles of sessions that their harness gave none."""

import time

import pytest

from intaglio.sessions.overview.titles import title_of_prompts


@pytest.mark.parametrize(
    ("prompts", "title"),
    [
        (
            ("Checkout is down. " + "Every payment fails since noon. " * 3,),
            "Checkout is down. Every payment fails since noon.",
        ),
        (("hi", "Why does the export stop at page 3?"), "Why does the export stop at page 3?"),
        (("hi",), "hi"),
        ((), ""),
        (("Fix\n\n  this\x1b[31m please now",), "Fix this please now"),
        (
            ("Look at this:\n```\nTraceback (most recent call last):\n  File 'x.py'\n```\nwhy?",),
            "Look at this: why?",
        ),
    ],
)
def test_a_title_is_what_was_typed_first(prompts: tuple[str, ...], title: str) -> None:
    assert title_of_prompts(prompts) == title


def test_a_long_sentence_is_cut_at_a_word() -> None:
    title = title_of_prompts(["please make the export of all invoices much faster " * 5])
    assert len(title) <= 80
    assert title.endswith("…")


def test_a_long_prompt_costs_little() -> None:
    began = time.process_time()
    title_of_prompts(["a" * 200_000, "- " * 100_000])
    assert time.process_time() - began < 1.0
