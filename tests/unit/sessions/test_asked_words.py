"""What a prompt asks: what was typed, and the names in what was pasted beside it."""

import pytest

from intaglio.sessions.asked.words import asked_words, core_question

QUESTION = "Where are the user avatars stored?"


@pytest.mark.parametrize(
    "beside",
    [
        "On branch main\nChanges not staged for commit:\n  modified: src/api/upload.ts",
        "```ts\nconst body = upload(file);\n```",
        '<pasted_content id="a1">\nnpm ERR! code ELIFECYCLE\n</pasted_content id="a1">',
        'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: no',
    ],
)
def test_only_what_was_typed_is_asked(beside: str) -> None:
    assert asked_words(f"{QUESTION}\n{beside}").typed == QUESTION
    assert asked_words(f"{beside}\n\n{QUESTION}").typed == QUESTION


def test_names_of_files_and_errors_are_taken_from_a_paste() -> None:
    names = asked_words("fix this\n```\nsrc/pay/callback.py: PaymentTimeoutError\n```").names
    assert {"callback.py", "PaymentTimeoutError"} <= set(names)


def test_a_paste_alone_asks_nothing() -> None:
    assert asked_words("```\nprint(1)\n```").is_paste


def test_a_long_query_asks_its_last_question() -> None:
    preamble = "You are a careful engineer. Keep changes small and write tests. " * 5
    assert core_question(preamble + QUESTION) == QUESTION
    assert core_question(QUESTION) == ""
